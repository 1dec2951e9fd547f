"""The static description of a game and of its tensors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from privateer.v1 import environment_pb2 as pb


@dataclass(frozen=True)
class Group:
    """A run of observation bytes that belong together."""

    name: str  #: as in ``opponents[2].crew``
    offset: int  #: of the first byte
    shape: tuple[int, ...]  #: row-major
    max: int  #: largest value of a byte
    scale: float  #: a byte times this is its value as float32
    doc: str  #: what it means


@dataclass(frozen=True)
class Schema:
    """The layout of an observation."""

    hash: str  #: identifies the layout and the action names
    size: int  #: bytes
    groups: tuple[Group, ...]

    def scales(self) -> np.ndarray:
        """What each byte is multiplied with to become float32, ``[size]``."""
        scales = np.empty(self.size, np.float32)
        for g in self.groups:
            scales[g.offset : g.offset + int(np.prod(g.shape))] = g.scale
        return scales

    def maxima(self) -> np.ndarray:
        """The largest value of each byte, ``[size]`` uint8."""
        maxima = np.empty(self.size, np.uint8)
        for g in self.groups:
            maxima[g.offset : g.offset + int(np.prod(g.shape))] = g.max
        return maxima


@dataclass(frozen=True)
class GameSpec:
    """A configured game: P seats, A actions, observations of D bytes."""

    name: str  #: without parameters
    config: str  #: canonical game string
    title: str
    seats: int
    actions: tuple[str, ...]
    observation: Schema  #: what one seat may know
    full_observation: Schema  #: the same and what is hidden from it
    score_sources: tuple[str, ...]  #: what a score is made of
    return_scale: float  #: a return times this is in the game's own unit
    max_decisions: int  #: no match takes more
    bots: tuple[str, ...]  #: that can play it
    action_row: Schema | None = None  #: the row that says what an action does; None if the game describes none


def spec_of(game: pb.Game) -> GameSpec:
    """The spec that a message has."""
    return GameSpec(
        name=game.name,
        config=game.config,
        title=game.title,
        seats=game.seats,
        actions=tuple(game.actions),
        observation=_schema(game.observation),
        full_observation=_schema(game.full_observation),
        score_sources=tuple(game.score_sources),
        return_scale=game.return_scale,
        max_decisions=game.max_decisions,
        bots=tuple(game.bots),
        action_row=_schema(game.action_row) if game.HasField("action_row") else None,
    )


def _schema(s: pb.Schema) -> Schema:
    return Schema(
        s.hash, s.size, tuple(Group(g.name, g.offset, tuple(g.shape), g.max, g.scale, g.doc) for g in s.groups)
    )
