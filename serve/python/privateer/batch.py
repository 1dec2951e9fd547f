"""Batches: what a session answers, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from privateer.v1 import environment_pb2 as pb
from privateer.v1 import tensor_pb2

_DTYPES: dict[tensor_pb2.DType, np.dtype] = {
    tensor_pb2.D_TYPE_UINT8: np.dtype("<u1"),
    tensor_pb2.D_TYPE_INT16: np.dtype("<i2"),
    tensor_pb2.D_TYPE_INT32: np.dtype("<i4"),
    tensor_pb2.D_TYPE_INT64: np.dtype("<i8"),
    tensor_pb2.D_TYPE_FLOAT32: np.dtype("<f4"),
}
_CODES = {dtype: code for code, dtype in _DTYPES.items()}


def array(t: tensor_pb2.Tensor) -> np.ndarray:
    """A tensor as an array over the message's own bytes: no copy, read-only."""
    return np.frombuffer(t.data, _DTYPES[t.dtype]).reshape(t.shape)


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

    def __init__(self, message: pb.Endings) -> None:
        self.row = array(message.row)  #: ``[K]`` int32, ascending
        self.final_observation = array(message.final_observation)  #: ``[K, P, D]`` uint8: each player's view of the end
        self.final_full_observation = (
            array(message.final_full_observation) if message.HasField("final_full_observation") else None
        )  #: ``[K, P, F]`` uint8, with ``full_view``
        self.final_player = array(message.final_player)  #: ``[K]`` int32: who acted last, or was next when it was truncated
        self.episode_return = array(message.episode_return)  #: ``[K, P]`` float32
        self.length = array(message.length)  #: ``[K]`` int32 decisions
        self.score = array(message.score)  #: ``[K, P, S]`` int32 by source


@dataclass(frozen=True, eq=False)
class Batch:
    """N rows of P players with A actions after a command. All arrays are read-only.

    The arrays lie over the bytes that came from the server: nothing is copied, and nothing is used
    again for the next batch.
    """

    message: pb.Batch
    actions: int  #: A

    @cached_property
    def observation(self) -> np.ndarray:
        """``[N, D]`` uint8: what the player to act sees."""
        return array(self.message.observation)

    @cached_property
    def full_observation(self) -> np.ndarray | None:
        """``[N, F]`` uint8: its full view; None without ``full_view``."""
        return array(self.message.full_observation) if self.message.HasField("full_observation") else None

    @cached_property
    def packed_mask(self) -> np.ndarray:
        """``[N, ceil(A/8)]`` uint8: one bit an action, the lowest first."""
        return array(self.message.action_mask)

    @cached_property
    def action_mask(self) -> np.ndarray:
        """``[N, A]`` uint8: 1 where the action is legal; all ones at a finished row. Made when first asked for."""
        return unpack_mask(self.packed_mask, self.actions)

    @cached_property
    def current_player(self) -> np.ndarray:
        """``[N]`` int32: who is to act; at a finished row who acted last."""
        return array(self.message.current_player)

    @cached_property
    def reward(self) -> np.ndarray:
        """``[N, P]`` float32: what each player earned in this step."""
        return array(self.message.reward)

    @cached_property
    def terminated(self) -> np.ndarray:
        """``[N]`` bool: the match ended in this step, by the rules."""
        return array(self.message.terminated).view(np.bool_)

    @cached_property
    def truncated(self) -> np.ndarray:
        """``[N]`` bool: the match ended in this step, by a limit."""
        return array(self.message.truncated).view(np.bool_)

    @cached_property
    def episode_step(self) -> np.ndarray:
        """``[N]`` int32: decisions taken in the episode that ``observation`` shows."""
        return array(self.message.episode_step)

    @cached_property
    def seating(self) -> np.ndarray | None:
        """``[N, P]`` int32: which player has each seat; None without ``shuffle_seats``."""
        return array(self.message.seating) if self.message.HasField("seating") else None

    @cached_property
    def endings(self) -> Endings | None:
        """What ended in this step; None where nothing did."""
        return Endings(self.message.endings) if self.message.HasField("endings") else None
