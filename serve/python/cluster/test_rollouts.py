"""Training on a Ray cluster continues when a worker dies, alone or with its machine, and forgets nothing that it has counted."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import ray_rollouts
from ray.cluster_utils import Cluster
from ray_rollouts import Rollout, Training, judge

import privateer


def until(training: Training, seen: list[Rollout], done: Callable[[], bool]) -> None:
    """Train, and check at each step that what is counted is what was learnt from. Ray takes a while to see that a node is gone."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if done():
            return
        learner = training.learner
        decisions, moves = learner.decisions, learner.moves
        seen.append(training.step())
        assert learner.decisions == decisions + len(seen[-1].action)
        assert learner.moves == moves + 4 * training.args.update_epochs
        assert learner.rollouts == len(seen)
    raise AssertionError(f"{len(seen)} rollouts and not done: {[(r.node, r.process) for r in seen[-8:]]}")


def test_leduc_is_learnt_while_a_worker_and_a_node_are_killed(cluster: Cluster, tmp_path: Path) -> None:
    args = ray_rollouts.parse(["--game", "leduc", "--opponents", "random", "--num-envs", "64", "--num-steps", "64", "--checkpoint", str(tmp_path / "learner.npz")])
    training, seen = Training(args), list[Rollout]()
    learner = training.learner
    assert judge(learner.weights, "leduc", 1024).wins < 0.58

    # Both nodes play.
    until(training, seen, lambda: len({r.node for r in seen}) == 2)

    # A worker's process is killed: another takes its place. The worker on the node that is killed next stays there.
    [node] = cluster.worker_nodes
    lost = node.node_id
    first = {r.process for r in seen}
    os.kill(next(r.process for r in seen if r.node != lost), signal.SIGKILL)
    until(training, seen, lambda: bool({r.process for r in seen} - first))

    # A node is: its worker starts again on the other one.
    on_the_other = {r.process for r in seen if r.node != lost}
    cluster.remove_node(node, allow_graceful=False)
    until(training, seen, lambda: bool({r.process for r in seen if r.node != lost} - on_the_other))

    until(training, seen, lambda: learner.decisions >= 80_000)
    assert learner.decisions == sum(len(r.action) for r in seen)
    training.close()
    assert judge(learner.weights, "leduc", 4096).wins > 0.7  # 25 standard errors above a half

    # What was counted is on the disk.
    with privateer.make("leduc", 1) as session:
        resumed = ray_rollouts.Learner(args, session.spec)
    assert (resumed.decisions, resumed.rollouts, resumed.moves) == (learner.decisions, learner.rollouts, learner.moves)
    assert all((resumed.weights[name] == learner.weights[name]).all() for name in learner.weights)
