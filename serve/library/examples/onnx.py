"""A match that an exported network plays in all seats, without privateer's program: the library makes what it reads, onnxruntime computes it.

    privateer export captain --format onnx --out captain.onnx
    pip install numpy onnxruntime
    python onnx.py libprivateer.so captain.onnx
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from play import OVER, load


def main(library: str, model: str) -> None:
    privateer = load(library)
    game_string = json.loads(Path(model + ".json").read_text())["game"]  # which says what its rows have
    game = privateer.privateer_game(game_string.encode())
    match, captain = privateer.privateer_match(game, 7), privateer.privateer_bot(game, b"captain")
    actions, sees, row = (privateer.privateer_size(game, what) for what in (1, 3, 4))
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    observation, mask, rows = np.zeros((1, sees), np.uint8), np.zeros((1, actions), np.uint8), np.zeros((actions, row), np.uint8)

    def filled(call: str, *arguments: int, to: np.ndarray) -> None:
        if getattr(privateer, f"privateer_{call}")(match, *arguments, to.ctypes.data, ctypes.c_int64(to.size)) < 0:
            sys.exit(privateer.privateer_error().decode())

    decisions = alike = 0
    while (seat := privateer.privateer_seat(match)) != OVER:
        filled("observation", seat, to=observation)
        filled("mask", to=mask)
        filled("rows", to=rows)
        asked = {"observation": observation, "action_mask": mask, "action_rows": rows[: mask.sum()]}
        (logits,) = session.run(["logits"], asked)
        action = int(logits[0].argmax())
        alike += action == privateer.privateer_think(captain, match, decisions, None, None, None, None)  # in whole numbers, the network in floats
        privateer.privateer_apply(match, action)
        decisions += 1
    print(f"{game_string}: {decisions} decisions, {alike} of them the captain's of the library")
    sys.exit(alike < 0.99 * decisions)


if __name__ == "__main__":
    main(*sys.argv[1:])
