"""Shards are made on all nodes, again if a node dies, and have the result of one program alone."""

from __future__ import annotations

import json
import time
from pathlib import Path
from threading import Thread
from typing import Any

import ray_shards
from ray.cluster_utils import Cluster

import privateer

COMMAND = ["eval", "greedy", "--against", "random", "--game", "doubloons(seats=3)", "--matches", "600"]


def without_time(text: str) -> Any:
    """Comparisons less what the clock says."""
    said = json.loads(text)
    for comparison in said:
        for cost in ("cost_a", "cost_b"):
            comparison[cost] = comparison[cost]["decisions"]
    return said


def test_what_cannot_be_made_is_named_and_the_rest_is_made(cluster: Cluster, tmp_path: Path) -> None:
    dataset = ["dataset", "leduc", "--players", "random", "--matches", "30", "--part", "10"]
    args = ray_shards.parse(["--shards", "3", "--out", str(tmp_path), "--retries", "0", "--", *dataset])
    assert ray_shards.make(args) == [] and {int(m) for batch in privateer.dataset(tmp_path) for m in batch["match"]} == set(range(30))
    assert ray_shards.missing(tmp_path, 3) == []
    args.shards = 4  # than there are files
    failed = ray_shards.make(args)
    assert len(failed) == 4 and "shard 1/4" in "".join(failed) and "no more shards" in failed[0]


def test_an_evaluation_in_shards_is_the_whole_though_a_node_dies(cluster: Cluster, tmp_path: Path) -> None:
    out = tmp_path / "played"
    args = ray_shards.parse(["--shards", "12", "--out", str(out), "--", *COMMAND])
    failed: list[str] = []
    making = Thread(target=lambda: failed.extend(ray_shards.make(args)))
    making.start()
    while not out.exists() or not list(out.glob("*.matches")):
        time.sleep(0.02)
    assert ray_shards.missing(out, 12)
    [node] = cluster.worker_nodes
    cluster.remove_node(node, allow_graceful=False)
    making.join()
    assert not failed and not ray_shards.missing(out, 12)
    merged = privateer.command("eval", out, merge=True, json=True)
    assert without_time(merged) == without_time(privateer.command(*COMMAND, json=True))

    # What was lost since is all that is made again.
    lost = sorted(out.iterdir())[3]
    lost.unlink()
    assert ray_shards.missing(out, 12) == [4]
    assert ray_shards.make(args) == [] and lost.exists() and len(list(out.iterdir())) == 12
