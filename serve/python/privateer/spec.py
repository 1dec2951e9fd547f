"""The static description of a game and of its tensors."""

from __future__ import annotations

import difflib
import html
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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
    words: tuple[str, ...] = ()  #: what the bytes along the last axis stand for, from the first, where ``doc`` says it

    @property
    def size(self) -> int:
        """Bytes."""
        return int(np.prod(self.shape))

    def word(self, index: tuple[int, ...]) -> str:
        """The meaning of a byte along the last axis; empty if ``doc`` does not list it."""
        return self.words[index[-1]] if index[-1] < len(self.words) else ""


@dataclass(frozen=True)
class Feature:
    """One byte of an observation."""

    offset: int
    name: str  #: as in ``opponents[2].path[3]``
    word: str  #: what this one of its group stands for; empty where the group's ``doc`` does not say it
    group: Group

    def __str__(self) -> str:
        return f"{self.name}{self.word and f' ({self.word})'}: {self.group.doc}"


@dataclass(frozen=True, repr=False)
class Schema:
    """The layout of an observation, or of the row that describes an action.

    ``schema["opponents[2].path"]`` is a group, ``schema.at(700)`` the byte of an offset.
    """

    hash: str  #: identifies the layout and the action names
    size: int  #: bytes
    groups: tuple[Group, ...]

    def __getitem__(self, name: str) -> Group:
        for g in self.groups:
            if g.name == name:
                return g
        close = difflib.get_close_matches(name, [g.name for g in self.groups])
        raise KeyError(f"no group {name!r}" + (f": perhaps {' or '.join(close)}" if close else ""))

    def at(self, offset: int) -> Feature:
        """The byte of an offset, from 0 to ``size`` - 1."""
        if not 0 <= offset < self.size:
            raise IndexError(f"no byte {offset}: want one from 0 to {self.size - 1}")
        group = next(g for g in reversed(self.groups) if g.offset <= offset)
        index = _index(offset - group.offset, group.shape)
        return Feature(offset, _named(group, index), group.word(index), group)

    def decode(self, row: npt.ArrayLike) -> dict[str, np.ndarray]:
        """Observations ``[..., size]`` by group, each ``[..., *shape]`` uint8. Of floats, which are bytes times their scales, they are the bytes."""
        values = self._bytes(row)
        return {g.name: values[..., g.offset : g.offset + g.size].reshape(*values.shape[:-1], *g.shape) for g in self.groups}

    def explain(self, row: npt.ArrayLike) -> str:
        """The nonzero parts of one observation ``[size]``, in words: a line for each group."""
        lines = []
        for name, values in self.decode(np.ravel(row)).items():
            group = self[name]
            parts = []
            for flat in np.flatnonzero(values):
                index = _index(int(flat), group.shape)
                place = ",".join(map(str, index[:-1] if group.word(index) else index))
                what = " ".join(filter(None, (place and f"[{place}]", group.word(index)))) if group.size > 1 else ""
                value = "" if group.max == 1 and what else str(values.flat[flat])
                parts.append(" ".join(filter(None, (what, value))))
            if parts:
                lines.append(f"{name}: {', '.join(parts)}  ({group.doc})")
        return "\n".join(lines)

    def scales(self) -> np.ndarray:
        """The factor of each byte to float32, ``[size]``."""
        return np.repeat(np.array([g.scale for g in self.groups], np.float32), [g.size for g in self.groups])

    def maxima(self) -> np.ndarray:
        """The largest value of each byte, ``[size]`` uint8."""
        return np.repeat(np.array([g.max for g in self.groups], np.uint8), [g.size for g in self.groups])

    def _bytes(self, row: npt.ArrayLike) -> np.ndarray:
        values = np.asarray(row)
        if values.shape[-1:] != (self.size,):
            raise ValueError(f"observations {values.shape}: want [..., {self.size}]")
        return np.rint(values / self.scales()).astype(np.uint8) if values.dtype.kind == "f" else values.astype(np.uint8, copy=False)

    def __repr__(self) -> str:
        return f"<Schema {self.hash[:12]}: {self.size} bytes in {len(self.groups)} groups>"

    def _repr_html_(self) -> str:
        return _table(
            ("offset", "group", "shape", "max", "meaning"),
            [(g.offset, g.name, " × ".join(map(str, g.shape)), g.max, g.doc) for g in self.groups],
        )


def _index(flat: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(int, np.unravel_index(flat, shape)))


def _named(group: Group, index: tuple[int, ...]) -> str:
    return f"{group.name}[{','.join(map(str, index))}]" if group.size > 1 else group.name


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """A table for a notebook."""

    def line(tag: str, cells: tuple[object, ...]) -> str:
        return f"<tr>{''.join(f'<{tag}>{html.escape(str(cell))}</{tag}>' for cell in cells)}</tr>"

    return f"<table>{line('th', head)}{''.join(line('td', row) for row in rows)}</table>"


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        rows = f", action rows of {self.action_row.size}" if self.action_row else ""
        return f"<{self.config}: {self.seats} seats, {len(self.actions)} actions, observations of {self.observation.size} bytes{rows}>"

    def _repr_html_(self) -> str:
        return _table(
            (self.title, ""),
            [
                ("game", self.config),
                ("seats", self.seats),
                ("actions", len(self.actions)),
                ("observation", self.observation),
                *([("action_row", self.action_row)] if self.action_row else []),
                ("full_observation", self.full_observation),
                ("max_decisions", self.max_decisions),
                ("bots", ", ".join(self.bots)),
            ],
        )


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
        s.hash, s.size, tuple(Group(g.name, g.offset, tuple(g.shape), g.max, g.scale, g.doc, tuple(g.words)) for g in s.groups)
    )
