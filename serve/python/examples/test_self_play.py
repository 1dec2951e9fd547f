"""The example of self-play learns: run by test.sh examples, if PyTorch is installed."""

import self_play
from ppo import Agent

import privateer


def test_a_policy_that_plays_itself_becomes_harder_to_exploit() -> None:
    engine = privateer.Engine("kuhn")
    assert self_play.nash_conv(Agent(engine.observation_size, len(engine.actions), 64), "kuhn") > 0.8
    args = self_play.parse(["--game", "kuhn", "--total-timesteps", "60000"])
    assert self_play.nash_conv(self_play.train(args), "kuhn") < 0.65
