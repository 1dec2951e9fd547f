"""Protobuf's wire format, read in place.

The generated classes copy every byte of a message twice before NumPy sees it. Batches have
megabytes, so their tensors are read from the received bytes instead. Only what a server sends is
read here: https://protobuf.dev/programming-guides/encoding/.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from privateer.v1 import tensor_pb2

DTYPES: dict[int, np.dtype] = {
    tensor_pb2.D_TYPE_UINT8: np.dtype("<u1"),
    tensor_pb2.D_TYPE_INT16: np.dtype("<i2"),
    tensor_pb2.D_TYPE_INT32: np.dtype("<i4"),
    tensor_pb2.D_TYPE_INT64: np.dtype("<i8"),
    tensor_pb2.D_TYPE_FLOAT32: np.dtype("<f4"),
}


def varint(data: bytes | memoryview, at: int) -> tuple[int, int]:
    """The number at a place, and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data: bytes | memoryview, within: slice | None = None) -> Iterator[tuple[int, int | slice]]:
    """Number and value of each field of a message: an integer, or where its bytes are."""
    at, end = (0, len(data)) if within is None else (within.start, within.stop)
    while at < end:
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
            yield tag >> 3, value
        elif kind == 2:
            size, at = varint(data, at)
            yield tag >> 3, slice(at, at + size)
            at += size
        else:
            at += 8 if kind == 1 else 4


def spans(data: bytes | memoryview, within: slice | None = None) -> dict[int, slice]:
    """Where the bytes of a message's fields are, by number; of a repeated field the last."""
    return {number: value for number, value in fields(data, within) if isinstance(value, slice)}


def array(data: bytes | memoryview, within: slice) -> np.ndarray:
    """A tensor as a read-only array over the received bytes.

    Bytes are not copied. Larger elements at an unaligned address are, for
    libraries that expect aligned ones.
    """
    dtype, shape, where = DTYPES[tensor_pb2.D_TYPE_UINT8], [], slice(0, 0)
    for number, value in fields(data, within):
        if number == 1:
            assert isinstance(value, int)
            dtype = DTYPES[value]
        elif number == 2 and isinstance(value, int):
            shape.append(value)
        elif number == 2 and isinstance(value, slice):
            at = value.start
            while at < value.stop:
                length, at = varint(data, at)
                shape.append(length)
        elif number == 3:
            assert isinstance(value, slice)
            where = value
    a = np.frombuffer(data, dtype, (where.stop - where.start) // dtype.itemsize, where.start).reshape(shape)
    if not a.flags.aligned:
        a = a.copy()
        a.flags.writeable = False
    return a
