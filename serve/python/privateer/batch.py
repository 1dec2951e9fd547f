"""Batches: the answers of a session, as arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

import numpy as np
import numpy.typing as npt

from privateer.v1 import environment_pb2 as pb
from privateer.v1 import tensor_pb2
from privateer.wire import DTYPES, spans
from privateer.wire import array as array_at

T = TypeVar("T")

_CODES: dict[np.dtype, Any] = {dtype: code for code, dtype in DTYPES.items()}


_FIELDS = {f.name: f.number for f in pb.Batch.DESCRIPTOR.fields}
_ENDINGS = {f.name: f.number for f in pb.Endings.DESCRIPTOR.fields}


class lazy(Generic[T]):
    """An attribute that is made when it is first asked for. (functools.cached_property takes a lock until Python 3.12.)"""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, batch: None, owner: type | None = None) -> lazy[T]: ...
    @overload
    def __get__(self, batch: object, owner: type | None = None) -> T: ...
    def __get__(self, batch: object | None, owner: type | None = None) -> T | lazy[T]:
        if batch is None:
            return self
        value = batch.__dict__[self.name] = self.make(batch)
        return value


def array(t: tensor_pb2.Tensor) -> np.ndarray:
    """A small tensor as the caller's array."""
    return np.frombuffer(t.data, DTYPES[t.dtype]).reshape(t.shape).copy()


def tensor(a: npt.ArrayLike, name: str = "an array") -> tensor_pb2.Tensor:
    """An array as a tensor. Integers keep their width; booleans become uint8. ``name`` is what an error calls it."""
    a = np.asarray(a)
    if a.dtype == np.bool_:
        a = a.view(np.uint8)
    if a.dtype.kind not in "iu":
        raise TypeError(f"{name} of {a.dtype}: want integers")
    dtype = a.dtype.newbyteorder("<")
    if dtype not in _CODES:
        dtype = np.dtype("<i8")
    return tensor_pb2.Tensor(dtype=_CODES[dtype], shape=a.shape, data=np.ascontiguousarray(a, dtype).tobytes())


def unpack_mask(bits: np.ndarray, actions: int) -> np.ndarray:
    """Packed masks ``[..., ceil(A/8)]`` as bytes 0 and 1, ``[..., A]`` uint8."""
    return np.unpackbits(bits, axis=-1, count=actions, bitorder="little")


class Endings:
    """The K rows whose episode ended in a step, and how."""

    def __init__(self, array: Callable[[str], np.ndarray | None]) -> None:
        def there(name: str) -> np.ndarray:
            found = array(name)
            assert found is not None
            return found

        self.row = there("row")  #: ``[K]`` int32, ascending
        #: ``[K, P, D]`` uint8: each player's own view of the end; without ``full_view`` zeros for players of bots
        self.final_observation = there("final_observation")
        #: ``[K, P, F]`` uint8; None without ``full_view``
        self.final_full_observation = array("final_full_observation")
        #: ``[K]`` int32: of this client's players, who acted last, or was to act when it was truncated
        self.final_player = there("final_player")
        self.episode_return = there("episode_return")  #: ``[K, P]`` float32
        self.length = there("length")  #: ``[K]`` int32: decisions of this client's
        #: ``[K, P, S]`` int32 by source; what is hidden from this client, as when it was truncated, counts 0
        self.score = there("score")


class Batch:
    """N rows of P players with A actions after a command.

    Observations and masks are views of the bytes that came from the network, or of the memory that the
    engine has written: nothing is copied, and no memory is reused while an array of it is kept. Arrays from the
    network are read-only; others may be written to, and nothing later depends on them. An array is made on first use.
    """

    actions: int  #: A

    def _optional(self, name: str) -> np.ndarray | None:
        raise NotImplementedError

    def _array(self, name: str) -> np.ndarray:
        found = self._optional(name)
        assert found is not None
        return found

    @lazy
    def observation(self) -> np.ndarray:
        """``[N, D]`` uint8: the view of the player to act."""
        return self._array("observation")

    @lazy
    def full_observation(self) -> np.ndarray | None:
        """``[N, F]`` uint8: its full view; None without ``full_view``."""
        return self._optional("full_observation")

    @lazy
    def packed_mask(self) -> np.ndarray:
        """``[N, ceil(A/8)]`` uint8: one bit for each action, the lowest first."""
        return self._array("packed_mask")

    @lazy
    def action_mask(self) -> np.ndarray:
        """``[N, A]`` uint8: 1 if the action is legal; all ones at a finished row."""
        return self._array("action_mask")

    @lazy
    def current_player(self) -> np.ndarray:
        """``[N]`` int32: the player to act, whose view ``observation`` is: always a player of this client's.

        At a finished row the one of them that acted last, or that was to act when it was truncated.
        """
        return self._array("current_player")

    @lazy
    def reward(self) -> np.ndarray:
        """``[N, P]`` float32: each player's earnings in this step."""
        return self._array("reward")

    @lazy
    def terminated(self) -> np.ndarray:
        """``[N]`` bool: the match is over, by the rules: it ended in this step or, with DISABLED, in an earlier one."""
        return self._array("terminated").view(np.bool_)

    @lazy
    def truncated(self) -> np.ndarray:
        """``[N]`` bool: the same, by a limit."""
        return self._array("truncated").view(np.bool_)

    @lazy
    def episode_step(self) -> np.ndarray:
        """``[N]`` int32: this client's decisions in the episode that ``observation`` shows, without those of bots."""
        return self._array("episode_step")

    @lazy
    def seating(self) -> np.ndarray | None:
        """``[N, P]`` int32: which player has each seat; None without ``shuffle_seats``."""
        return self._optional("seating")

    @lazy
    def action_rows(self) -> np.ndarray | None:
        """``[T, R]`` uint8: the effects of each legal action, in ascending order of actions, row after row; None unless asked for.

        A finished row has none.
        """
        return self._optional("action_rows")

    @lazy
    def action_offsets(self) -> np.ndarray | None:
        """``[N + 1]`` int32: where the action rows of each row begin, and T; None unless asked for."""
        return self._optional("action_offsets")

    @lazy
    def endings(self) -> Endings | None:
        """The rows that ended in this step; None if there are none."""
        return self._endings()

    def _endings(self) -> Endings | None:
        raise NotImplementedError


class ReceivedBatch(Batch):
    """A batch in the bytes that came over the network. All its arrays are read-only."""

    def __init__(self, data: bytes | memoryview, actions: int, within: slice | None = None) -> None:
        self.actions = actions
        self._data = data
        self._at = spans(data, within)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_data": bytes(self._data)}  # memory in general is not to be pickled

    def _optional(self, name: str) -> np.ndarray | None:
        if name == "action_mask":
            return unpack_mask(self.packed_mask, self.actions)
        where = self._at.get(_FIELDS["action_mask" if name == "packed_mask" else name])
        return array_at(self._data, where) if where is not None else None

    def _endings(self) -> Endings | None:
        within = self._at.get(_FIELDS["endings"])
        if within is None:
            return None
        at = spans(self._data, within)

        def optional(name: str) -> np.ndarray | None:
            where = at.get(_ENDINGS[name])
            return array_at(self._data, where) if where is not None else None

        return Endings(optional)
