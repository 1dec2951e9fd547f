"""A match as an environment of OpenEnv: each session has a seat, and sessions that name the same ``episode_id`` play one match.

    uvicorn openenv_env:app   # the game is that of the variable GAME, such as "doubloons(seats=3)"

A client resets with ``episode_id`` and, if it likes, ``seat``; it waits there, and in each step, for its turn. What it gets is the prompt of
its seat and nothing else of the match; what it answers is free text. An answer that names no choice is asked for again, then a choice is
drawn; ``faults`` counts these, so that they can be told from how well it plays. As a table is left, its match ends without rewards.
"""

from __future__ import annotations

import functools
import os
import threading
from typing import Any

import numpy as np
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app

import privateer

RETRIES = 2  # answers to one decision that name no choice, after which one is drawn


class Answer(Action):
    text: str


class Decision(Observation):
    seat: int
    prompt: str = ""  # empty at the end
    faults: int = 0  # answers of this seat that named no choice
    returns: list[float] | None = None  # of all seats, at the end of a whole match


class Table:
    """One match, and who sits where. ``turn`` is held while it is changed."""

    def __init__(self, engine: privateer.Engine, seed: int | None) -> None:
        self.turn = threading.Condition()
        self.rng = np.random.default_rng(seed)
        self.taken: set[int] = set()
        self.left = False
        self.match = engine.new()
        self.since = [(self.match, list[int]()) for _ in range(engine.seats)]  # where each seat decided last, and what was done from there
        self._chance()

    def play(self, action: int) -> None:
        seat, before = self.match.seat, self.match
        self._apply(action)
        self.since[seat] = (before, [action])
        self._chance()
        self.turn.notify_all()

    def _chance(self) -> None:
        while self.match.seat == privateer.engine.CHANCE:
            self._apply(int(self.rng.choice(self.match.actions, p=self.match.probabilities)))

    def _apply(self, action: int) -> None:
        self.match = self.match.apply(action)
        for _, actions in self.since:
            actions.append(action)


class Seat(Environment[Answer, Decision, State]):
    SUPPORTS_CONCURRENT_SESSIONS = True
    tables: dict[str, Table] = {}
    lock = threading.Lock()

    def __init__(self, game: str) -> None:
        super().__init__()
        self.engine = privateer.Engine(game)
        self._state = State()
        self.table: Table | None = None
        self.seat = -1

    def reset(self, seed: int | None = None, episode_id: str | None = None, seat: int | None = None, **_: Any) -> Decision:
        if not episode_id:
            raise ValueError("episode_id: want the name of a match, the same for all that are to play it")
        self.close()
        with self.lock:
            table = self.tables.setdefault(episode_id, Table(self.engine, seed))
            free = [s for s in range(self.engine.seats) if s not in table.taken]
            if not free or seat not in (None, *free):
                raise ValueError(f"seat {seat} of {episode_id}: free are {free or 'none'}")
            self.seat = free[0] if seat is None else seat
            table.taken.add(self.seat)
        self.table, self.faults, self.refused, self._state = table, 0, 0, State(episode_id=episode_id)
        with table.turn:
            table.turn.notify_all()
            return self._wait(table)

    def step(self, action: Answer, timeout_s: float | None = None, **_: Any) -> Decision:
        table = self.table
        if table is None:
            raise ValueError("there is no match: reset comes first")
        with table.turn:
            if table.match.seat != self.seat or table.left:
                return self._wait(table)
            try:
                chosen = table.match.read_answer(action.text)
            except privateer.PrivateerError as error:
                self.faults, self.refused = self.faults + 1, self.refused + 1
                if self.refused <= RETRIES:
                    return self._asked(table, str(error))
                chosen = int(table.rng.choice(table.match.actions))
            self.refused = 0
            self._state.step_count += 1
            table.play(chosen)
            return self._wait(table)

    def _wait(self, table: Table) -> Decision:
        table.turn.wait_for(lambda: table.left or table.match.over or (table.match.seat == self.seat and len(table.taken) == self.engine.seats))
        if not table.match.over:
            return Decision(seat=self.seat, done=True, faults=self.faults) if table.left else self._asked(table)
        returns = table.match.returns
        return Decision(seat=self.seat, done=True, reward=returns[self.seat], returns=returns, faults=self.faults)

    def _asked(self, table: Table, refused: str = "") -> Decision:
        before, actions = table.since[self.seat]
        return Decision(seat=self.seat, prompt=before.prompt(*actions, refused=refused), faults=self.faults)

    @property
    def state(self) -> State:
        return self._state

    def close(self) -> None:
        if self.table is not None:
            with self.lock, self.table.turn:
                self.table.left = True
                self.tables.pop(self._state.episode_id or "", None)
                self.table.turn.notify_all()
            self.table = None


app = create_fastapi_app(functools.partial(Seat, os.environ.get("GAME", "leduc")), Answer, Decision, max_concurrent_envs=1000)
