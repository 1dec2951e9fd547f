"""The example learns: run by test.sh examples, if PyTorch is installed."""

import math

import ppo
import privateer


def test_policy_becomes_better_than_the_one_it_began_as() -> None:
    args = ppo.parse(["--game", "leduc", "--opponents", "random", "--total-timesteps", "150000"])
    with privateer.launch() as server, server.client() as client:
        before, after = ppo.train(args, client)
    # It begins by playing at random, against which random play is worth 0. The bounds are of
    # four standard errors.
    assert abs(before.mean) < 4 * before.error
    assert after.mean - before.mean > 4 * math.hypot(before.error, after.error)
    assert after.mean > 0.1
