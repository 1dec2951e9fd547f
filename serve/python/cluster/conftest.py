"""A Ray cluster of two nodes on this machine."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster

EXAMPLES = Path(__file__).parents[1] / "examples"
sys.path.insert(0, str(EXAMPLES))

#: A node that is gone is noticed sooner than on a real network, and actors are not last in line for this machine's cores.
SETTINGS = {
    "health_check_initial_delay_ms": 1000, "health_check_period_ms": 1000, "health_check_timeout_ms": 15000, "health_check_failure_threshold": 5,
    "worker_niceness": 0,
}


def start() -> Cluster:
    """A head and a node, of two cores each as Ray counts them. On a busy machine a first start can take longer than Ray waits."""
    for last in (False, False, True):
        cluster = Cluster()
        try:
            cluster.add_node(num_cpus=2, _system_config=SETTINGS)
            cluster.add_node(num_cpus=2)
            return cluster
        except Exception:
            with contextlib.suppress(Exception):
                cluster.shutdown()
            if last:
                raise
    raise AssertionError


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(EXAMPLES))
        made = start()
        ray.init(address=made.address, log_to_driver=False)
        yield made
        ray.shutdown()
        made.shutdown()
