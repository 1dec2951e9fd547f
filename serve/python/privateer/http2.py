"""One stream of gRPC over a connection of its own, for the answers to steps, which have megabytes.

gRPC's own library for Python copies what it receives four times and wakes three threads for each message, which takes longer
than the network of one machine. Here the bytes of an answer are read from the socket in the thread that waits
for them, and copied once. That is all that is here: one method, one stream, no TLS and no proxies. Everything else goes
through the library.

The protocol is HTTP/2 (RFC 9113), with its headers by hpack, and gRPC over it:
https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import select
import socket
import struct
import sys
import threading
import time
import urllib.parse
import weakref
from collections.abc import Sequence

import grpc
import hpack
import numpy as np

_DATA, _HEADERS, _RST_STREAM, _SETTINGS, _PING, _GOAWAY, _WINDOW_UPDATE, _CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
_END_STREAM = _ACK = 0x1
_END_HEADERS, _PADDED, _PRIORITY = 0x4, 0x8, 0x20
_ENABLE_PUSH, _INITIAL_WINDOW_SIZE = 2, 4

_FRAME = struct.Struct(">IBI")  # 24 bits of the size and 8 of the kind, flags, and the stream
_STREAM = 1  # the only one
_LARGEST = 1 << 14  # frame, of both sides; not even a server that allows larger ones sends them
_WINDOW = 64 << 20  # what the server may send before it is told to continue
_MOST_HEADERS = 64 << 10
_MOST_MESSAGE = 1 << 30
_BUFFER = 256 << 10  # stays in the cache of a core

# Silence in seconds after which the server is asked whether it is there, and how long it may take to answer.
_SILENCE, _PATIENCE = 30.0, 20.0
# How often somebody looks for what the server asks while nobody waits for an answer: a server that ends waits for that.
_NOW_AND_THEN = 1.0

#: How HTTP's statuses, of proxies for the most part, and HTTP/2's errors are to be read.
_STATUS = {
    400: grpc.StatusCode.INTERNAL,
    401: grpc.StatusCode.UNAUTHENTICATED,
    403: grpc.StatusCode.PERMISSION_DENIED,
    404: grpc.StatusCode.UNIMPLEMENTED,
    429: grpc.StatusCode.UNAVAILABLE,
    502: grpc.StatusCode.UNAVAILABLE,
    503: grpc.StatusCode.UNAVAILABLE,
    504: grpc.StatusCode.UNAVAILABLE,
}
_RESET = {
    7: grpc.StatusCode.UNAVAILABLE,
    8: grpc.StatusCode.CANCELLED,
    11: grpc.StatusCode.RESOURCE_EXHAUSTED,
    12: grpc.StatusCode.PERMISSION_DENIED,
}
_CODES = {code.value[0]: code for code in grpc.StatusCode}


class Ended(grpc.RpcError):
    """How a stream has ended, as the library says it."""

    def __init__(self, details: str, code: grpc.StatusCode = grpc.StatusCode.UNKNOWN, status: bytes = b"") -> None:
        super().__init__(details)
        self._code, self._details, self._status = code, details, status

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details

    def trailing_metadata(self) -> Sequence[tuple[str, bytes]]:
        return [("grpc-status-details-bin", self._status)] if self._status else []


class _Rooms:
    """Memory for large messages, which is used again when nobody reads it any more: the pages of new memory take longer than what is written to them."""

    _MOST, _LEAST = 4, 64 << 10

    def __init__(self) -> None:
        self._all: list[np.ndarray] = []

    def room(self, size: int) -> memoryview:
        """Memory for a message of a number of bytes."""
        if size < self._LEAST:
            return np.empty(size, np.uint8).data
        for k in range(len(self._all)):
            # A reader holds a view, which holds the array. What is left is the list and the call.
            if sys.getrefcount(self._all[k]) == _UNREAD:
                if self._all[k].size < size:
                    self._all[k] = np.empty(size + size // 8, np.uint8)
                return self._all[k].data[:size]
        new = np.empty(size + size // 8, np.uint8)
        if len(self._all) < self._MOST:
            self._all.append(new)
        return new.data[:size]


#: What is counted for an array that only a list holds.
_UNREAD = (lambda rooms: sys.getrefcount(rooms[0]))([np.empty(0, np.uint8)])


class Stream:
    """Messages to and from one method of the server at ``host`` and ``port``. One thread at a time may use it.

    :meth:`recv` reports an error as :class:`Ended`, and so is the end of the stream.
    """

    def __init__(self, host: str, port: int, path: str, metadata: Sequence[tuple[str, str]], connect: float) -> None:
        self._ended: Ended | None = None
        self._lock = threading.Lock()  # between the caller and the attendant
        self._buffer = memoryview(bytearray(_BUFFER))
        self._to = 0  # how much of it is filled
        self._data_left = self._padding = 0  # of the frame that is being read
        self._prefix = b""  # the five bytes before a message, as far as they have come
        self._message: memoryview | None = None  # as far as it has come: _at bytes
        self._at = 0
        self._messages: list[memoryview] = []
        self._rooms = _Rooms()
        self._decoder = hpack.Decoder()
        self._headers: dict[str, str] = {}
        self._block: bytes | None = None  # headers that continue in the next frame
        self._last = False  # … and end the stream
        self._unconfirmed = 0  # bytes of the window
        self._greeted = False  # the server's settings have come
        self._room, self._stream_room, self._first_room = 65535, 65535, 65535  # for what is sent
        try:
            self._socket = socket.create_connection((host, port), timeout=connect)
        except OSError as e:
            self._end(grpc.StatusCode.UNAVAILABLE, f"{host}:{port}: {e.strerror or e}")
            return
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.settimeout(_SILENCE)
        authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        fields = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", authority)]
        fields += [("content-type", "application/grpc"), ("te", "trailers"), ("user-agent", "privateer-python")]
        block = hpack.Encoder().encode([*fields, *(hpack.NeverIndexedHeaderTuple(*field) for field in metadata)])  # tokens are in there
        settings = struct.pack(">HIHI", _ENABLE_PUSH, 0, _INITIAL_WINDOW_SIZE, _WINDOW)
        parts = [block[at : at + _LARGEST] for at in range(0, len(block), _LARGEST)]
        frames = [_frame(_HEADERS if k == 0 else _CONTINUATION, _END_HEADERS * (k == len(parts) - 1), _STREAM, part) for k, part in enumerate(parts)]
        greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(_SETTINGS, 0, 0, settings) + _window(0, _WINDOW - 65535)
        self._write(greeting + b"".join(frames))
        _attend_to(self)

    def send(self, message: bytes) -> None:
        """Send a message."""
        with self._lock:
            rest = memoryview(struct.pack(">BI", 0, len(message)) + message)
            while len(rest) and self._ended is None:
                size = min(len(rest), self._room, self._stream_room, _LARGEST)
                if size <= 0:
                    self._read()  # until there is room
                    continue
                self._room, self._stream_room = self._room - size, self._stream_room - size
                self._write(_frame(_DATA, 0, _STREAM, rest[:size]))
                rest = rest[size:]

    def recv(self) -> memoryview:
        """The next message. Its memory is reused when no array refers to it.

        Raises:
            Ended: the stream ended, or the server is gone.
        """
        with self._lock:
            while not self._messages:
                if self._ended is not None:
                    raise self._ended
                self._read()
            return self._messages.pop(0)

    def end(self) -> None:
        """Leave the stream. The server learns of it at once."""
        self._end(grpc.StatusCode.CANCELLED, "the stream has been left")

    def attend(self) -> bool:
        """Answer what the server asks while nobody waits for a message; False when that is no longer necessary."""
        if self._lock.acquire(blocking=False):
            try:
                while self._ended is None and select.select([self._socket], [], [], 0)[0]:
                    self._read()
            except (OSError, ValueError) as e:  # closed meanwhile
                self._end(grpc.StatusCode.UNAVAILABLE, str(e))
            finally:
                self._lock.release()
        return self._ended is None

    def _end(self, code: grpc.StatusCode, details: str, status: bytes = b"") -> None:
        if self._ended is None:
            self._ended = Ended(details, code, status)
        if hasattr(self, "_socket"):
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)  # a process that was forked may have it open too
            self._socket.close()

    def _write(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except OSError as e:
            self._end(grpc.StatusCode.UNAVAILABLE, f"the connection is lost: {e.strerror or e}")

    def _fill(self, into: memoryview) -> int:
        """Wait for bytes; 0 if none will come."""
        asked = False
        while self._ended is None:
            try:
                count = self._socket.recv_into(into)
            except TimeoutError:
                if asked:
                    self._end(grpc.StatusCode.UNAVAILABLE, "the server does not answer")
                    break
                asked = True
                self._socket.settimeout(_PATIENCE)
                self._write(_frame(_PING, 0, 0, b"privatee"))
                continue
            except OSError as e:
                self._end(grpc.StatusCode.UNAVAILABLE, f"the connection is lost: {e.strerror or e}")
                break
            if asked:
                self._socket.settimeout(_SILENCE)
            if count == 0:
                self._end(grpc.StatusCode.UNAVAILABLE, "the server has closed the connection")
            return count
        return 0

    def _read(self) -> None:
        """Wait for bytes, and take the frames that they complete. Those of messages are taken as they come."""
        buffer, at = self._buffer, 0
        count = self._fill(buffer[self._to :])
        if count == 0:
            return
        to = self._to + count
        while True:
            if self._data_left and at < to:
                there = min(self._data_left, to - at)
                self._take(buffer[at : at + there])
                self._data_left -= there
                at += there
            if self._padding and self._data_left == 0:
                there = min(self._padding, to - at)
                self._padding -= there
                at += there
            if to - at < 9 or self._ended is not None:
                break
            size, flags, stream = _FRAME.unpack_from(buffer, at)
            size, kind, stream = size >> 8, size & 0xFF, stream & 0x7FFFFFFF
            # Settings come first, and nothing between the parts of headers.
            if size > _LARGEST or stream > _STREAM or not self._greeted and kind != _SETTINGS or (self._block is not None) != (kind == _CONTINUATION):
                self._end(grpc.StatusCode.UNAVAILABLE, "the server does not speak HTTP/2 as it should: does it ask for TLS?")
                break
            if kind == _DATA:
                padded = bool(flags & _PADDED)
                if to - at < 9 + min(padded, size):
                    break
                self._padding = buffer[at + 9] if padded and size else 0
                self._data_left = size - padded - self._padding
                if self._data_left < 0:
                    self._end(grpc.StatusCode.INTERNAL, "a frame has more padding than bytes")
                    break
                at += 9 + padded
                self._confirm(size)
                if flags & _END_STREAM:
                    self._end(grpc.StatusCode.INTERNAL, "the stream ended without a status")
                continue
            if to - at < 9 + size:
                break
            payload = bytes(buffer[at + 9 : at + 9 + size])
            at += 9 + size
            try:
                self._control(kind, flags, stream, payload)
            except (hpack.HPACKError, IndexError, KeyError, ValueError, struct.error) as e:
                self._end(grpc.StatusCode.INTERNAL, f"frame of kind {kind}: {e!r}")
        buffer[: to - at] = bytes(buffer[at:to])
        self._to = to - at

    def _take(self, data: memoryview) -> None:
        """Take bytes of messages."""
        while len(data) and self._ended is None:
            if self._message is None:
                missing = 5 - len(self._prefix)
                self._prefix += data[:missing]
                data = data[missing:]
                if len(self._prefix) < 5:
                    return
                compressed, size = struct.unpack(">BI", self._prefix)
                if compressed or size > _MOST_MESSAGE:
                    self._end(grpc.StatusCode.INTERNAL, f"a message of {size} bytes" + " that is compressed" * bool(compressed))
                    return
                self._message, self._at, self._prefix = self._rooms.room(size), 0, b""
            end = self._at + len(data)
            if end <= len(self._message):
                self._message[self._at : end] = data
                self._at, data = end, data[:0]
            else:
                there = len(self._message) - self._at
                self._message[self._at :] = data[:there]
                self._at, data = len(self._message), data[there:]
            if self._at == len(self._message):
                self._messages.append(self._message.toreadonly())
                self._message = None

    def _confirm(self, size: int) -> None:
        """Tell the server to continue, when it has used half of what it may send."""
        self._unconfirmed += size
        if self._unconfirmed >= _WINDOW // 2:
            self._write(_window(0, self._unconfirmed) + _window(_STREAM, self._unconfirmed))
            self._unconfirmed = 0

    def _control(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        """A whole frame that has no bytes of messages."""
        if kind == _SETTINGS:
            self._greeted = True
            if flags & _ACK:
                return
            for name, value in struct.iter_unpack(">HI", payload):
                if name == _INITIAL_WINDOW_SIZE:
                    self._stream_room += value - self._first_room
                    self._first_room = value
            self._write(_frame(_SETTINGS, _ACK, 0, b""))
        elif kind == _WINDOW_UPDATE:
            (more,) = struct.unpack(">I", payload)
            if stream == 0:
                self._room += more
            else:
                self._stream_room += more
        elif kind == _PING:
            if not flags & _ACK:
                self._write(_frame(_PING, _ACK, 0, payload))
        elif kind in (_HEADERS, _CONTINUATION):
            if kind == _HEADERS:
                padding = payload[0] if flags & _PADDED else 0
                begin = bool(flags & _PADDED) + 5 * bool(flags & _PRIORITY)
                if begin + padding > len(payload):
                    raise ValueError("padding")
                payload, self._last, self._block = payload[begin : len(payload) - padding], bool(flags & _END_STREAM), b""
            assert self._block is not None
            self._block += payload
            if len(self._block) > _MOST_HEADERS:
                raise ValueError(f"headers of more than {_MOST_HEADERS} bytes")
            if flags & _END_HEADERS:
                self._headers.update((str(name), str(value)) for name, value in self._decoder.decode(self._block))
                self._block = None
                if self._last:
                    self._conclude()
        elif kind == _RST_STREAM:
            (error,) = struct.unpack(">I", payload)
            self._end(_RESET.get(error, grpc.StatusCode.INTERNAL), f"the server has ended the stream with HTTP/2's error {error}")
        elif kind == _GOAWAY:
            last, error = struct.unpack(">II", payload[:8])
            if last & 0x7FFFFFFF < _STREAM:
                why = payload[8:].decode(errors="replace") or f"HTTP/2's error {error}"
                self._end(grpc.StatusCode.UNAVAILABLE, f"the server does not take the stream: {why}")

    def _conclude(self) -> None:
        """The stream has ended with the headers that have come."""
        said, http = self._headers.get("grpc-status"), int(self._headers.get(":status", "0"))
        if said is None:
            self._end(_STATUS.get(http, grpc.StatusCode.UNKNOWN), f"the stream ended with HTTP's status {http} and without gRPC's")
            return
        code = _CODES.get(int(said), grpc.StatusCode.UNKNOWN)
        if code == grpc.StatusCode.OK:
            code = grpc.StatusCode.UNAVAILABLE  # it ends with this side, if nothing is wrong
        text = self._headers.get("grpc-status-details-bin", "")
        status = b""
        with contextlib.suppress(binascii.Error):
            status = base64.b64decode(text + "=" * (-len(text) % 4))
        self._end(code, urllib.parse.unquote(self._headers.get("grpc-message", "")), status)


# Streams whose caller may not come back for a long time, while the server wants to know whether it is there.
_streams: dict[int, weakref.ref[Stream]] = {}
_attendant: threading.Thread | None = None  # ends with the process, and begins again in one that was forked


def _attend_to(stream: Stream) -> None:
    global _attendant
    _streams[id(stream)] = weakref.ref(stream)
    if _attendant is None or not _attendant.is_alive():
        _attendant = threading.Thread(target=_attend, name="privateer-streams", daemon=True)
        _attendant.start()


def _attend() -> None:
    while True:
        time.sleep(_NOW_AND_THEN)
        for key, each in list(_streams.items()):
            stream = each()
            # Another stream may have got the place of one that is gone.
            if (stream is None or not stream.attend()) and _streams.get(key) is each:
                del _streams[key]
            del stream


def _frame(kind: int, flags: int, stream: int, payload: bytes | memoryview) -> bytes:
    return _FRAME.pack(len(payload) << 8 | kind, flags, stream) + payload


def _window(stream: int, more: int) -> bytes:
    return _frame(_WINDOW_UPDATE, 0, stream, struct.pack(">I", more))
