"""Sessions over memory that the program has mapped too: their batches lie where the engine has written them."""

from __future__ import annotations

import contextlib
import mmap
import struct
import sys
from collections.abc import Sequence

import numpy as np

from privateer.batch import Batch, Endings, tensor
from privateer.errors import PrivateerError
from privateer.link import (
    ACTIONS,
    ANSWER_SIZE,
    COMMAND,
    COMMAND_KIND,
    DRAW,
    DRAWING,
    DRAW_SEED,
    DTYPE,
    ENDED,
    KIND,
    MEMORY,
    REFUSED,
    RESTORE,
    SIZE,
    SLOT,
    Memory,
)
from privateer.session import Requests, Session, _closing
from privateer.v1 import environment_pb2 as pb
from privateer.wire import DTYPES

# serve/shared.go writes these lists of arrays.
_LIST, _ENTRY = 64, struct.Struct("<32sII4IQ")

# Arrays that are not copied: they are wide, and a caller that keeps one keeps its whole slot.
_WIDE = frozenset({"observation", "full_observation", "action_mask", "action_rows", "packed_mask", "final_observation", "final_full_observation"})
_ENDS = ("row", "final_player", "episode_return", "length", "score", "final_observation", "final_full_observation")


class _Slot:
    """Where a batch can be shown."""

    def __init__(self, memory: mmap.mmap, at: int, size: int, arrays: Sequence[tuple[str, np.dtype, tuple[int, ...], int]]) -> None:
        # NumPy's views of views belong to the first of them. So each reader of the slot holds this one.
        self.base = np.frombuffer(memory, np.uint8, size, at)
        self.arrays: dict[str, np.ndarray] = {}
        for name, dtype, shape, offset in arrays:
            size = int(np.prod(shape)) * dtype.itemsize
            self.arrays[name] = self.base[offset : offset + size].view(dtype).reshape(shape)
        self.readers = 0
        self.readers = self.held()

    def held(self) -> int:
        """How many arrays and batches there are of it, beyond those of the slot itself."""
        return sys.getrefcount(self.base) - self.readers


class SharedBatch(Batch):
    """A batch in mapped memory. Its arrays may be written to."""

    def __init__(self, slot: _Slot, actions: int, ended: int, copied: bool) -> None:
        self.actions = actions
        self._ended = ended
        self._arrays = slot.arrays
        if "action_rows" in slot.arrays:
            # As many as there are, of those that there is room for.
            total = int(slot.arrays["action_offsets"][-1])
            self._arrays = slot.arrays | {"action_rows": slot.arrays["action_rows"][:total]}
        self._hold: np.ndarray | None = slot.base
        if copied:
            # The next batch may be shown in the same place.
            ends = {name: slot.arrays[name][:ended].copy() for name in _ENDS if name in slot.arrays and ended}
            self._arrays = {name: a.copy() for name, a in self._arrays.items() if name not in _ENDS} | ends
            self._hold = None

    def _optional(self, name: str) -> np.ndarray | None:
        found = self._arrays.get(name)
        if found is None:
            return None
        return found[...] if name in _WIDE else found.copy()

    def _array(self, name: str) -> np.ndarray:
        found = self._arrays[name]
        return found[...] if name in _WIDE else found.copy()

    def _endings(self) -> Endings | None:
        ended = self._ended
        if ended == 0:
            return None

        def optional(name: str) -> np.ndarray | None:
            found = self._arrays.get(name)
            if found is None:
                return None
            return found[:ended] if name in _WIDE else found[:ended].copy()

        return Endings(optional)


class SharedSession(Session):
    """A vector of matches in a program that is a child of this process, or in this one.

    A batch's arrays lie where the engine has written them. The session counts their readers: their memory
    is used again when nobody has them any more, and while too many are kept the arrays are copies.
    """

    def __init__(self, program: Requests, link: Memory, opened: pb.OpenRequest, session: pb.OpenResponse) -> None:
        super().__init__(program, opened, session)
        self._link, words = link, link.words
        memory = mmap.mmap(link.batches, words[MEMORY])
        slots, stride, first, at, count = struct.unpack_from("<5Q", memory)
        arrays = []
        for k in range(count):
            name, dtype, axes, *shape, offset = _ENTRY.unpack_from(memory, _LIST + k * _ENTRY.size)
            arrays.append((name.rstrip(b"\0").decode(), DTYPES[dtype], tuple(shape[:axes]), offset))
        self._shape = (self.num_envs,)
        self._actions = len(self.spec.actions)
        # The last one is for batches that are copied.
        *self._slots, self._spare = (_Slot(memory, first + k * stride, stride, arrays) for k in range(slots))
        n = self.num_envs
        self._room: dict[np.dtype, tuple[int, np.ndarray]] = {
            dtype: (code, np.frombuffer(memory, dtype, n, at)) for code, dtype in DTYPES.items() if dtype.kind != "f"
        }
        self._shown = 0  # slot of the present batch

    def _check_there(self) -> None:
        self._link.check()

    def _in_flight(self) -> bool:
        words = self._link.words
        return words[COMMAND] != self._link.taken and words[KIND] in (COMMAND_KIND, RESTORE, ACTIONS)

    def _put_by(self) -> None:
        super()._put_by()
        self._link.check()

    def _settle(self) -> None:
        link = self._link
        if link.gone is None and link.words[COMMAND] == link.taken and self._early is None:
            return
        link.check()
        self._early = None
        if self._in_flight():
            with contextlib.suppress(PrivateerError):
                self.recv()
        elif self._link.words[COMMAND] != self._link.taken:
            self._link.wait()  # a request that was interrupted
            self._link.taken = self._link.words[COMMAND]

    def _aim(self) -> None:
        """Say where the next batch is to be shown, and what actions are to be drawn for it, not for the present one."""
        words = self._link.words
        self._ahead = None
        k = 0
        for slot in self._slots:
            if slot.held() == 0:
                break
            k += 1
        words[SLOT] = k
        seed = self._next_draw()
        words[DRAW] = seed is not None
        if seed is not None:
            words[DRAW_SEED] = seed

    def _command(self, kind: int, request: bytes) -> None:
        self._settle()
        self._aim()
        self._link.send(kind, request)

    def _reset(self, command: pb.ResetCommand) -> Batch:
        self._command(COMMAND_KIND, pb.StepRequest(reset=command).SerializeToString())
        return self.recv()

    def _send_actions(self, a: np.ndarray) -> None:
        link, words = self._link, self._link.words
        if link.gone is not None:
            link.check()
        if words[COMMAND] != link.taken:
            self._settle()
        room = self._room.get(a.dtype)
        if room is None or a.shape != self._shape:
            # Rare types, and what is to be refused.
            self._command(COMMAND_KIND, pb.StepRequest(actions=tensor(a, "actions")).SerializeToString())
            return
        code, to = room
        to[:] = a
        self._aim()
        words[DTYPE] = code
        words[SIZE] = 0
        link.issue(ACTIONS)

    def _recv(self) -> Batch:
        link, words = self._link, self._link.words
        if link.gone is not None:
            link.check()
        number = words[COMMAND]
        if number == link.taken or not self._in_flight():
            raise ValueError("recv without a command: send one first")
        link.wait()
        k = words[SLOT]
        if words[REFUSED] or words[ANSWER_SIZE]:
            link.take()
        spare = k == len(self._slots)
        slot = self._spare if spare else self._slots[k]
        batch = SharedBatch(slot, self._actions, words[ENDED], spare)
        self._ahead = slot.arrays["drawn_actions"].copy() if words[DRAW] else None
        self._drawing = False
        self._shown = k
        self.batch = batch
        link.taken = number  # until here Ctrl-C leaves all to be done again
        return batch

    def _drawn(self, seed: int) -> np.ndarray:
        link = self._link
        link.check()
        self._put_by()
        link.words[DRAW_SEED] = seed
        link.send(DRAWING)
        link.wait()
        link.take()
        slot = self._slots[self._shown] if self._shown < len(self._slots) else self._spare
        return slot.arrays["drawn_actions"].copy()

    def restore(self, snapshot: bytes) -> Batch:
        self._command(RESTORE, pb.RestoreRequest(snapshot=snapshot).SerializeToString())
        return self.recv()

    def detach(self) -> str:
        raise ValueError("a session over shared memory ends with its program: take a snapshot, or open it on a server")

    def _close(self) -> None:
        if self._owned is None:
            with _closing():
                self.client._call(self.client._env.Close, pb.CloseRequest(session_id=self.id))
