"""Batches: the answers of a session, as arrays."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from privateer.v1 import environment_pb2 as pb
from privateer.v1 import tensor_pb2
from privateer.wire import DTYPES, spans
from privateer.wire import array as array_at

_CODES: dict[np.dtype, Any] = {dtype: code for code, dtype in DTYPES.items()}


def array(t: tensor_pb2.Tensor) -> np.ndarray:
    """A small tensor as an array."""
    return np.frombuffer(t.data, DTYPES[t.dtype]).reshape(t.shape)


def tensor(a: npt.ArrayLike) -> tensor_pb2.Tensor:
    """An array as a tensor. Integers keep their width; booleans become uint8."""
    a = np.asarray(a)
    if a.dtype == np.bool_:
        a = a.view(np.uint8)
    dtype = a.dtype.newbyteorder("<")
    if dtype not in _CODES:
        if not np.issubdtype(dtype, np.integer):
            raise TypeError(f"an array of {a.dtype}: want integers or float32")
        dtype = np.dtype("<i8")
    return tensor_pb2.Tensor(dtype=_CODES[dtype], shape=a.shape, data=np.ascontiguousarray(a, dtype).tobytes())


def unpack_mask(bits: np.ndarray, actions: int) -> np.ndarray:
    """Packed masks ``[..., ceil(A/8)]`` as bytes 0 and 1, ``[..., A]`` uint8."""
    return np.unpackbits(bits, axis=-1, count=actions, bitorder="little")


class Endings:
    """The K rows whose episode ended in a step, and how. All arrays are read-only."""

    def __init__(self, data: bytes, within: slice) -> None:
        at, e = spans(data, within), pb.Endings
        self.row = array_at(data, at[e.ROW_FIELD_NUMBER])  #: ``[K]`` int32, ascending
        #: ``[K, P, D]`` uint8: each player's own view of the end; without ``full_view`` zeros for players of bots
        self.final_observation = array_at(data, at[e.FINAL_OBSERVATION_FIELD_NUMBER])
        full = at.get(e.FINAL_FULL_OBSERVATION_FIELD_NUMBER)
        #: ``[K, P, F]`` uint8; None without ``full_view``
        self.final_full_observation = array_at(data, full) if full is not None else None
        #: ``[K]`` int32: of this client's players, who acted last, or was to act when it was truncated
        self.final_player = array_at(data, at[e.FINAL_PLAYER_FIELD_NUMBER])
        self.episode_return = array_at(data, at[e.EPISODE_RETURN_FIELD_NUMBER])  #: ``[K, P]`` float32
        self.length = array_at(data, at[e.LENGTH_FIELD_NUMBER])  #: ``[K]`` int32: decisions of this client's
        #: ``[K, P, S]`` int32 by source; what is hidden from this client, as when it was truncated, counts 0
        self.score = array_at(data, at[e.SCORE_FIELD_NUMBER])


class Batch:
    """N rows of P players with A actions after a command. All arrays are read-only.

    Observations and masks are views of the bytes that came from the network: nothing is copied,
    and no memory is reused for the next batch. An array is made when it is first asked for.
    """

    def __init__(self, data: bytes, actions: int, within: slice | None = None) -> None:
        self.actions = actions  #: A
        self._data = data
        self._at = spans(data, within)

    def _array(self, field: int) -> np.ndarray:
        return array_at(self._data, self._at[field])

    def _optional(self, field: int) -> np.ndarray | None:
        return self._array(field) if field in self._at else None

    @cached_property
    def observation(self) -> np.ndarray:
        """``[N, D]`` uint8: what the player to act sees."""
        return self._array(pb.Batch.OBSERVATION_FIELD_NUMBER)

    @cached_property
    def full_observation(self) -> np.ndarray | None:
        """``[N, F]`` uint8: its full view; None without ``full_view``."""
        return self._optional(pb.Batch.FULL_OBSERVATION_FIELD_NUMBER)

    @cached_property
    def packed_mask(self) -> np.ndarray:
        """``[N, ceil(A/8)]`` uint8: one bit for each action, the lowest first."""
        return self._array(pb.Batch.ACTION_MASK_FIELD_NUMBER)

    @cached_property
    def action_mask(self) -> np.ndarray:
        """``[N, A]`` uint8: 1 if the action is legal; all ones at a finished row. Made when first asked for."""
        return unpack_mask(self.packed_mask, self.actions)

    @cached_property
    def current_player(self) -> np.ndarray:
        """``[N]`` int32: who is to act and whose view ``observation`` is: always a player of this client's.

        At a finished row the one of them that acted last, or that was to act when it was truncated.
        """
        return self._array(pb.Batch.CURRENT_PLAYER_FIELD_NUMBER)

    @cached_property
    def reward(self) -> np.ndarray:
        """``[N, P]`` float32: what each player earned in this step."""
        return self._array(pb.Batch.REWARD_FIELD_NUMBER)

    @cached_property
    def terminated(self) -> np.ndarray:
        """``[N]`` bool: the match ended in this step, by the rules."""
        return self._array(pb.Batch.TERMINATED_FIELD_NUMBER).view(np.bool_)

    @cached_property
    def truncated(self) -> np.ndarray:
        """``[N]`` bool: the match ended in this step, by a limit."""
        return self._array(pb.Batch.TRUNCATED_FIELD_NUMBER).view(np.bool_)

    @cached_property
    def episode_step(self) -> np.ndarray:
        """``[N]`` int32: decisions that this client has taken in the episode that ``observation`` shows, without those of bots."""
        return self._array(pb.Batch.EPISODE_STEP_FIELD_NUMBER)

    @cached_property
    def seating(self) -> np.ndarray | None:
        """``[N, P]`` int32: which player has each seat; None without ``shuffle_seats``."""
        return self._optional(pb.Batch.SEATING_FIELD_NUMBER)

    @cached_property
    def endings(self) -> Endings | None:
        """What ended in this step; None if nothing did."""
        where = self._at.get(pb.Batch.ENDINGS_FIELD_NUMBER)
        return Endings(self._data, where) if where is not None else None
