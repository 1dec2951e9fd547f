"""The baseline ``torchrl-ppo``: clipped PPO of TorchRL with a network of two layers, one pirate among five heuristic ones.

    python torchrl_ppo.py 1 torchrl-ppo-1.bundle  # seed, file
    privateer benchmark torchrl-ppo-1.bundle --tasks jolly_roger --out torchrl-ppo-1
"""

import sys

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import privateer
import privateer.torchrl

STEPS, ROWS, LENGTH = 1_000_000, 128, 128


class Scaled(nn.Module):
    """Observations, bytes of 0 to 255, as numbers of 0 to 1."""

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return observation.float() / 255


def layers(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, outputs))


if __name__ == "__main__":
    seed, path = int(sys.argv[1]), sys.argv[2]
    torch.manual_seed(seed)
    env = privateer.torchrl.env("privateer/Jolly6-v1", ROWS, opponents="heuristic", shuffle_seats=True, seed=seed)
    spec = privateer.describe("privateer/Jolly6-v1")
    network = layers(spec.observation.size, len(spec.actions))
    actor = ProbabilisticActor(
        TensorDictModule(nn.Sequential(Scaled(), network), in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(nn.Sequential(Scaled(), layers(spec.observation.size, 1)))
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic, average_gae=True)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01)
    optimizer = torch.optim.Adam(loss.parameters(), 3e-4, eps=1e-5)
    for rollout in Collector(env, actor, frames_per_batch=ROWS * LENGTH, total_frames=STEPS, auto_register_policy_transforms=True):
        with torch.no_grad():
            advantage(rollout)
        flat = rollout.reshape(-1)
        for _ in range(4):
            for part in flat[torch.randperm(len(flat))].split(2048):
                terms = loss(part)
                optimizer.zero_grad()
                (terms["loss_objective"] + terms["loss_critic"] + terms["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
    privateer.save_bundle(network, "privateer/Jolly6-v1", path, inputs="scaled", about=f"torchrl_ppo.py, seed {seed}, {STEPS} decisions")
    env.close()
