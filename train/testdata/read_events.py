"""Reads a run folder's events with TensorBoard's own reader and compares them,
number by number, with metrics.jsonl.

    python3 -m venv venv && venv/bin/pip install tensorboard
    venv/bin/python train/testdata/read_events.py runs/<run>

Prints the tags with their last values; the exit code is 1 if anything differs.
"""

import json
import struct
import sys
from pathlib import Path

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

run = Path(sys.argv[1])
reader = EventAccumulator(str(run), size_guidance={"scalars": 0})
reader.Reload()
read = {tag: {e.step: e.value for e in reader.Scalars(tag)} for tag in reader.Tags()["scalars"]}
counts = {tag: len(reader.Scalars(tag)) for tag in read}


def as_float32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


want = {}
for line in (run / "metrics.jsonl").read_text().splitlines():
    record = json.loads(line)
    for tag, value in record["values"].items():
        want.setdefault(tag, {})[record["step"]] = as_float32(value)

bad = 0
for tag, steps in sorted(want.items()):
    # Steps that were done again after a resume must not be there twice.
    if read.get(tag) != steps or counts[tag] != len(steps):
        print(f"DIFFERS {tag}: TensorBoard has {counts.get(tag, 0)} points, metrics.jsonl {len(steps)}")
        bad += 1
for tag in sorted(read):
    last = max(read[tag])
    print(f"{tag}: {counts[tag]} points, at step {last}: {read[tag][last]:.6g}")
sys.exit(1 if bad or not read else 0)
