"""A match as an environment of verifiers: every seat is an agent of its own, and gets its prompts and nothing else of the match.

    eval verifiers_env --env.taskset.game "doubloons(seats=3)" --env.player1.model another/model

All seats are the run's own model unless ``--env.playerN.model`` says otherwise: self-play. Each trace is paid what its seat has won, as ``payoff``. An
answer that names no choice is asked for again, then a choice is drawn; ``faults`` counts these, so that they can be told from how well it plays.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
import pydantic
import verifiers.v1 as vf

import privateer
from privateer.engine import CHANCE

SEATS = 10  # the most that a game has


class MatchData(vf.TaskData):
    seed: int  # of what chance brings


class MatchTask(vf.Task[MatchData]):
    pass


class MatchConfig(vf.TasksetConfig):
    game: str = "leduc"  # a game string


class MatchTaskset(vf.Taskset[MatchTask, MatchConfig]):
    INFINITE = True

    def load(self) -> Iterator[MatchTask]:
        for i in count():
            yield MatchTask(MatchData(idx=i, name=f"{self.config.game} {i}", seed=i))


class _Retries(vf.EnvConfig):
    retries: int = pydantic.Field(2, ge=0)  # answers to one decision that name no choice, after which one is drawn


_player: Any = (vf.AgentConfig, vf.AgentConfig(harness={"id": "null"}))
SeatsConfig: Any = pydantic.create_model("SeatsConfig", __base__=_Retries, **{f"player{i}": _player for i in range(SEATS)})


class Seat:
    """An agent at a seat: where it decided last, what was done from there, and its faults."""

    def __init__(self, interaction: Any, match: privateer.Match) -> None:
        self.interaction = interaction
        self.before, self.since = match, list[int]()
        self.turns = self.faults = 0
        self.gone = False

    async def decide(self, match: privateer.Match, retries: int) -> int | None:
        """Its choice; None if it names none or has gone."""
        refused = ""
        for _ in range(retries + 1):
            if self.gone:
                return None
            # The rules stand in its first prompt, and the conversation continues.
            prompt = self.before.prompt(*self.since, rules=0 if self.turns else 1000, refused=refused)
            segment = await self.interaction.turn(prompt)
            self.turns += 1
            if segment.terminated:
                self.gone = True
                return None
            try:
                return match.read_answer(segment.last_reply)
            except privateer.PrivateerError as error:
                self.faults, refused = self.faults + 1, str(error)
        return None


class MatchEnv(vf.Env[SeatsConfig]):
    async def run(self, task: Any, agents: Any) -> None:
        engine = privateer.Engine(self.taskset.config.game)
        if engine.seats > SEATS:
            raise ValueError(f"{engine.config} has {engine.seats} seats: want {SEATS} at most")
        rng, match = np.random.default_rng(task.data.seed), engine.new()
        async with contextlib.AsyncExitStack() as stack:
            seats = []
            for i in range(engine.seats):
                about = vf.Task(vf.TaskData(idx=task.data.idx, name=f"{task.data.name}, player {i}"))
                seats.append(Seat(await stack.enter_async_context(getattr(agents, f"player{i}").interaction(about)), match))
            while not match.over:
                if match.seat == CHANCE:
                    action, actor = int(rng.choice(match.actions, p=match.probabilities)), None
                else:
                    actor = seats[match.seat]
                    chosen = await actor.decide(match, self.config.retries)
                    action = int(rng.choice(match.actions)) if chosen is None else chosen
                before, match = match, match.apply(action)
                for seat in seats:
                    seat.since.append(action)
                if actor is not None:
                    actor.before, actor.since = before, [action]
        for i, (seat, payoff) in enumerate(zip(seats, match.returns, strict=True)):
            trace = seat.interaction.trace
            trace.record_reward("payoff", payoff)
            trace.record_metric("faults", float(seat.faults))
            trace.record_metric("gone", float(seat.gone))
            trace.info["privateer"] = {"game": engine.config, "seed": task.data.seed, "seat": i, "returns": match.returns}


__all__ = ["MatchEnv", "MatchTaskset"]
