"""Whole matches in the environment of verifiers. Its own harness for chats installs a program with uv when it runs, so a scripted agent stands in for that; the rest is the package's."""

import asyncio
import contextlib
import itertools
import re
import sys
from pathlib import Path

import pytest
import verifiers.v1 as vf
from verifiers.v1.agent import Agents
from verifiers.v1.trace import AgentInfo, Trace, TraceTask

sys.path.append(str(Path(__file__).parents[2] / "examples"))

import verifiers_env  # noqa: E402


class Interaction:
    """The scripted model: it reads the last choice of a prompt, after some answers that name none, and ends after some turns."""

    def __init__(self, trace, wrong, turns):
        self.trace, self.wrong, self.turns, self.prompts = trace, wrong, turns, []

    async def turn(self, prompt):
        self.prompts.append(prompt)
        if len(self.prompts) > self.turns:
            return vf.Segment(messages=[], terminated=True)
        numbers = re.findall(r"^(\d+) |, (\d+) ", prompt.rpartition("Your choices")[2], re.MULTILINE)
        text = "hm" if len(self.prompts) <= self.wrong else f"I think so.\n\nAnswer: {''.join(numbers[-1])}"
        return vf.Segment(messages=[vf.AssistantMessage(content=text)])


class Agent:
    def __init__(self, name, config, wrong=0, turns=10_000):
        self.name, self.config, self.script, self.opened = name, config, (wrong, turns), []

    @contextlib.asynccontextmanager
    async def interaction(self, task):
        trace = Trace(task=TraceTask(type="Task", data=task.data), agent=AgentInfo(name=self.name, config=self.config))
        self.opened.append(Interaction(trace, *self.script))
        yield self.opened[-1]


def played(game, seed, **scripts):
    env = verifiers_env.MatchEnv(verifiers_env.SeatsConfig(taskset=verifiers_env.MatchConfig(id="verifiers_env", game=game)))
    agents = Agents(env.config, make=lambda name, config: Agent(name, config, *scripts.get(name, ())))
    task = next(itertools.islice(env.taskset.load(), seed, None))
    asyncio.run(env.run(task, agents))
    return [i for n in range(10) for i in getattr(agents, f"player{n}").opened]


@pytest.mark.parametrize("game, seats", [("kuhn", 2), ("leduc", 2), ("doubloons(seats=3,max_rounds=2)", 3), ("jolly_roger(seats=4)", 4)])
def test_whole_matches(game, seats):
    opened = played(game, 3)
    assert len(opened) == seats
    payoffs = [i.trace.rewards["payoff"].value for i in opened]
    assert payoffs == opened[0].trace.info["privateer"]["returns"] and sum(payoffs) == pytest.approx(0, abs=1e-6)
    for n, i in enumerate(opened):
        assert i.trace.metrics["faults"] == 0 and i.trace.info["privateer"]["seat"] == n
        assert all(f"You are player {n} " in p and ("# Rules in brief" in p) == (p is i.prompts[0]) for p in i.prompts)
    assert [i.prompts for i in played(game, 3)] == [i.prompts for i in opened]


def test_faults_are_not_payoffs():
    wrong, gone = played("leduc", 4, player0=(4,), player1=(0, 1))
    assert wrong.trace.metrics["faults"] == 4 and gone.trace.metrics == {"faults": 0.0, "gone": 1.0}
    assert sum("Your last answer was not taken: " in p for p in wrong.prompts) >= 2
