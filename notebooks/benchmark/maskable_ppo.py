"""The baseline ``maskable-ppo``: MaskablePPO of sb3-contrib with its own network, one captain among three heuristic ones.

    python maskable_ppo.py 1 maskable-ppo-1.bundle  # seed, file
    privateer benchmark maskable-ppo-1.bundle --tasks doubloons --out maskable-ppo-1
"""

import sys

from sb3_contrib import MaskablePPO

import privateer
import privateer.sb3

STEPS = 1_000_000

if __name__ == "__main__":
    seed, path = int(sys.argv[1]), sys.argv[2]
    envs = privateer.sb3.vec_env("privateer/Doubloons4-v1", 128, opponents="heuristic", shuffle_seats=True, seed=seed)
    model = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=2048, n_epochs=4, gamma=1.0, gae_lambda=0.95, ent_coef=0.01, seed=seed, device="cpu")
    model.learn(STEPS)
    privateer.save_bundle(model, "privateer/Doubloons4-v1", path, about=f"maskable_ppo.py, seed {seed}, {STEPS} decisions")
    envs.close()
