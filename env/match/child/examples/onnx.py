"""A player for privateer that asks a network as ONNX, by onnxruntime, and plays the likeliest action.

The network's inputs are some of those of `privateer export --format onnx`, in any type: observation [1, D], action_mask [1, A], action_rows [legal, F].
Its first output is the logits [1, A]. It was trained with the game string that it plays. As a bot or in a benchmark:

    privateer benchmark "exec:python3 env/match/child/examples/onnx.py my.onnx" --tasks doubloons-4
"""

import json
import sys

import numpy as np
import onnxruntime

TYPES = {"tensor(uint8)": np.uint8, "tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64, "tensor(bool)": np.bool_, "tensor(int64)": np.int64}


def say(message):
    print(json.dumps(message), flush=True)


options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1  # each seat has a process
network = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
wants = {entry.name: TYPES[entry.type] for entry in network.get_inputs()}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        actions = len(message["game"]["actions"])
        say({"type": "hello", "protocol": 1, "wants": [want for want in ("observation", "rows") if want in wants or f"action_{want}" in wants]})
    elif message["type"] == "decide":
        legal = [choice["action"] for choice in message["legal"]]
        mask = np.zeros((1, actions), bool)
        mask[0, legal] = True
        inputs = {"observation": [message.get("observation", [])], "action_mask": mask, "action_rows": message.get("rows", [])}
        logits = network.run(None, {name: np.asarray(inputs[name]).astype(kind) for name, kind in wants.items()})[0][0]
        say({"id": message["id"], "action": legal[int(logits[legal].argmax())]})
    elif message["type"] == "quit":
        break
