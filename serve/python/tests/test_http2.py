"""The stream that answers to steps come over, beside servers that say what no server of ours does."""

import contextlib
import copy
import itertools
import os
import pickle
import random
import socket
import struct
import threading

import grpc
import hpack
import numpy as np
import pytest
from conftest import until

import privateer
from privateer import http2
from privateer.http2 import _frame

DATA, HEADERS, RST, SETTINGS, PING, GOAWAY, WINDOW, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def message(data: bytes) -> bytes:
    return struct.pack(">BI", 0, len(data)) + data


def plain(name: str, value: str) -> bytes:
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


class Peer:
    """The other end of a stream: what the client writes, frame by frame, and whatever it is to read."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def stream(self, **options) -> http2.Stream:
        stream = http2.Stream("127.0.0.1", self.port, "/a/B", options.get("metadata", ()), 1.0)
        self.conn = self.listener.accept()[0]
        self.conn.settimeout(10)
        self.conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.read = self.conn.makefile("rb")
        assert self.read.read(len(PREFACE)) == PREFACE
        return stream

    def frame(self, *kinds: int) -> tuple[int, int, bytes]:
        """The next frame of these kinds."""
        while True:
            size, flags, _ = struct.unpack(">IBI", self.read.read(9))
            payload = self.read.read(size >> 8)
            if size & 0xFF in kinds:
                return size & 0xFF, flags, payload

    def say(self, data: bytes) -> None:
        self.conn.sendall(data)

    def greet(self) -> None:
        self.say(_frame(SETTINGS, 0, 0, b""))

    def close(self) -> None:
        self.listener.close()
        if hasattr(self, "conn"):
            self.read.close()
            self.conn.close()


@pytest.fixture
def peer():
    with contextlib.closing(Peer()) as p:
        yield p


def ended(stream: http2.Stream) -> http2.Ended:
    with pytest.raises(http2.Ended) as e:
        while True:
            stream.recv()
    return e.value


@pytest.mark.parametrize("cut", [1, 7, 10_000_000])
def test_messages_come_whole_however_they_are_cut(peer, cut):
    stream = peer.stream(metadata=[("authorization", "Bearer " + "x" * 300)])
    kind, flags, block = peer.frame(HEADERS)
    said = dict(hpack.Decoder().decode(block))
    assert said[":path"] == "/a/B" and said["authorization"] == "Bearer " + "x" * 300 and flags & 4
    data = [b"", b"one", os.urandom(300)]
    body = b"".join(map(message, data))
    wire = _frame(SETTINGS, 0, 0, b"") + _frame(HEADERS, 0, 1, b"") + _frame(CONTINUATION, 4, 1, plain(":status", "200"))
    wire += _frame(DATA, 0, 1, body[:2]) + _frame(PING, 0, 0, b"12345678") + _frame(DATA, 8, 1, bytes([3]) + body[2:9] + b"pad") + _frame(DATA, 0, 1, b"")
    wire += _frame(0xEE, 0, 0, b"of a kind that is to be ignored") + _frame(DATA, 0, 1, body[9:])
    threading.Thread(target=lambda: [peer.say(wire[at : at + cut]) for at in range(0, len(wire), cut)], daemon=True).start()
    got = [stream.recv() for _ in data]
    assert [bytes(m) for m in got] == data and all(m.readonly for m in got)
    assert [peer.frame(SETTINGS, PING) for _ in range(2)] == [(SETTINGS, 1, b""), (PING, 1, b"12345678")]
    stream.end()
    assert ended(stream).code() == grpc.StatusCode.CANCELLED
    assert peer.read.read() == b""


def test_requests_wait_for_room(peer):
    stream = peer.stream()
    peer.greet()
    request = os.urandom(200_000)
    threading.Thread(target=stream.send, args=(request,), daemon=True).start()
    got = b""
    while len(got) < 65535:
        got += peer.frame(DATA)[2]
    assert len(got) == 65535
    peer.say(_frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 1 << 20)))  # of the stream, not yet of the connection
    peer.say(_frame(WINDOW, 0, 0, struct.pack(">I", 1 << 20)))
    while len(got) < len(request) + 5:
        part = peer.frame(DATA)[2]
        assert len(part) <= 1 << 14
        got += part
    assert got == message(request)


def test_server_is_told_to_go_on(peer, monkeypatch):
    monkeypatch.setattr(http2, "_WINDOW", 100_000)
    stream = peer.stream()
    peer.greet()
    peer.say(_frame(DATA, 0, 1, message(bytes(10_000 - 5))) * 5)
    for _ in range(5):
        stream.recv()
    assert peer.frame(WINDOW)[2] == struct.pack(">I", 100_000 - 65535)
    assert [peer.frame(WINDOW)[2] for _ in range(2)] == [struct.pack(">I", 50_000)] * 2


def test_server_that_says_nothing_is_asked_and_then_left(peer, monkeypatch):
    monkeypatch.setattr(http2, "_SILENCE", 0.05)
    monkeypatch.setattr(http2, "_PATIENCE", 0.3)
    stream = peer.stream()
    peer.greet()

    def late() -> None:
        assert peer.frame(PING)[1:] == (0, b"privatee")
        peer.say(_frame(PING, 1, 0, b"privatee"))
        peer.frame(PING)
        peer.say(_frame(DATA, 0, 1, message(b"at last")))

    threading.Thread(target=late, daemon=True).start()
    assert bytes(stream.recv()) == b"at last"
    end = ended(stream)
    assert end.code() == grpc.StatusCode.UNAVAILABLE and end.details() == "the server does not answer"


def test_server_that_asks_is_answered_while_nobody_waits(peer, monkeypatch):
    """As while a learner learns for minutes."""
    monkeypatch.setattr(http2, "_NOW_AND_THEN", 0.01)
    monkeypatch.setattr(http2, "_attendant", None)
    stream = peer.stream()
    peer.greet()
    peer.say(_frame(PING, 0, 0, b"there? ?") + _frame(DATA, 0, 1, message(b"early")))
    assert peer.frame(PING) == (PING, 1, b"there? ?")
    assert bytes(stream.recv()) == b"early"


def test_memory_is_used_again_when_nobody_reads_it(peer):
    stream = peer.stream()
    peer.greet()

    def received(k: int) -> memoryview:
        size = (100 + k % 7) << 10
        data = message(bytes([k]) * size)
        peer.say(b"".join(_frame(DATA, 0, 1, data[at : at + (1 << 14)]) for at in range(0, len(data), 1 << 14)))
        got = stream.recv()
        assert len(got) == size
        return got

    addresses = {np.frombuffer(received(k), np.uint8).ctypes.data for k in range(50)}
    assert len(addresses) <= 8, "of which no two are read at once, and rooms grow"
    kept = {}
    for k in range(50, 90):
        whole = np.frombuffer(received(k), np.uint8)
        if k % 3:
            kept[k] = whole[5000:7000].reshape(2, 1000)[1:]  # a view of a view
        elif k % 2:
            kept[k] = received(k)[77:99]
    for k, view in kept.items():
        assert bytes(view) == bytes([k]) * view.nbytes


TRAILERS = plain(":status", "200") + plain("grpc-status", "3") + plain("grpc-message", "actions: r%C3%B6w") + plain("grpc-status-details-bin", "CAM")


@pytest.mark.parametrize(
    ("said", "code", "details", "status"),
    [
        (_frame(HEADERS, 5, 1, TRAILERS), "INVALID_ARGUMENT", "actions: röw", b"\x08\x03"),
        (_frame(HEADERS, 0x2D, 1, b"\x02" + bytes(5) + TRAILERS + b"\0\0"), "INVALID_ARGUMENT", "actions: röw", b"\x08\x03"),
        (_frame(HEADERS, 1, 1, TRAILERS[:20]) + _frame(CONTINUATION, 4, 1, TRAILERS[20:]), "INVALID_ARGUMENT", "actions: röw", b"\x08\x03"),
        (_frame(HEADERS, 5, 1, plain("grpc-status", "0")), "UNAVAILABLE", "", b""),
        (_frame(HEADERS, 5, 1, plain("grpc-status", "99")), "UNKNOWN", "", b""),
        (_frame(HEADERS, 5, 1, plain("grpc-status", "5") + plain("grpc-status-details-bin", "?")), "NOT_FOUND", "", b""),
        (_frame(HEADERS, 5, 1, b"\x08\x03503"), "UNAVAILABLE", "HTTP's status 503", b""),
        (_frame(HEADERS, 5, 1, b"\x8d"), "UNIMPLEMENTED", "HTTP's status 404", b""),
        (_frame(RST, 0, 1, struct.pack(">I", 7)), "UNAVAILABLE", "error 7", b""),
        (_frame(RST, 0, 1, struct.pack(">I", 2)), "INTERNAL", "error 2", b""),
        (_frame(GOAWAY, 0, 0, struct.pack(">II", 0, 11) + b"too_many_pings"), "UNAVAILABLE", "too_many_pings", b""),
        (_frame(DATA, 1, 1, b""), "INTERNAL", "without a status", b""),
        (_frame(DATA, 0, 1, b"\1" + bytes(4)), "INTERNAL", "compressed", b""),
        (_frame(DATA, 0, 1, b"\0\xff\xff\xff\xff"), "INTERNAL", "4294967295 bytes", b""),
        (_frame(DATA, 8, 1, b"\x09abc"), "INTERNAL", "padding", b""),
        (_frame(DATA, 8, 1, b""), "INTERNAL", "padding", b""),
        (_frame(HEADERS, 0xC, 1, b"\x09abc"), "INTERNAL", "padding", b""),
        (_frame(HEADERS, 4, 1, b"\xff\x80\x80\x80\x80\x80\x80"), "INTERNAL", "integer", b""),
        (_frame(HEADERS, 4, 1, b"\xbe"), "INTERNAL", "table", b""),
        (_frame(HEADERS, 4, 1, b"\0\x05abc"), "INTERNAL", "Truncated", b""),
        (_frame(HEADERS, 4, 1, b"\0\x81\xff"), "INTERNAL", "", b""),
        (_frame(HEADERS, 0, 1, b"") + _frame(CONTINUATION, 0, 1, bytes(1 << 14)) * 5, "INTERNAL", "headers of more", b""),
        (_frame(SETTINGS, 0, 0, b"12345"), "INTERNAL", "", b""),
        (_frame(WINDOW, 0, 0, b""), "INTERNAL", "", b""),
        (_frame(CONTINUATION, 4, 1, b""), "UNAVAILABLE", "HTTP/2", b""),
        (_frame(HEADERS, 0, 1, b"") + _frame(DATA, 0, 1, b""), "UNAVAILABLE", "HTTP/2", b""),
        (_frame(DATA, 0, 3, b""), "UNAVAILABLE", "HTTP/2", b""),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "UNAVAILABLE", "HTTP/2", b""),
        (b"", "UNAVAILABLE", "closed", b""),
    ],
)
def test_what_ends_a_stream_is_said(peer, said, code, details, status):
    stream = peer.stream()
    peer.greet()
    peer.say(said)
    peer.conn.shutdown(socket.SHUT_WR)
    end = ended(stream)
    assert end.code() == grpc.StatusCode[code] and details in end.details() and (end.trailing_metadata() or [("", b"")])[0][1] == status
    stream.send(b"to nobody")
    assert ended(stream).code() == end.code()


def test_a_server_without_the_greeting_is_none():
    with contextlib.closing(Peer()) as peer:
        stream = peer.stream()
        peer.say(_frame(DATA, 0, 1, message(b"")))
        assert "does not speak HTTP/2" in ended(stream).details()
    assert ended(http2.Stream("127.0.0.1", peer.port, "/a/B", (), 1.0)).code() == grpc.StatusCode.UNAVAILABLE


def test_no_bytes_of_a_server_do_anything_but_end_the_stream(monkeypatch):
    """Whatever comes: the stream ends, in time, and as streams do."""
    rng = random.Random(7)
    greeting = _frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 1000))
    good = [_frame(DATA, 0, 1, message(b"abc")), _frame(DATA, 8, 1, b"\2xyzpp"), _frame(HEADERS, 4, 1, TRAILERS), _frame(PING, 0, 0, bytes(8)), greeting]
    good += [_frame(WINDOW, 0, 1, struct.pack(">I", 77)), _frame(HEADERS, 0, 1, TRAILERS[:9]), _frame(CONTINUATION, 4, 1, TRAILERS[9:]), _frame(DATA, 0, 1, b"\0\0\0")]
    good += [_frame(GOAWAY, 0, 0, struct.pack(">II", 1, 0)), _frame(RST, 0, 1, bytes(4))]
    for _ in range(400):
        said = bytearray(greeting + b"".join(rng.choices(good, k=rng.randrange(6))))
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(said))
            said[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(4))
        near, far = socket.socketpair()
        monkeypatch.setattr(socket, "create_connection", lambda *_, near=near, **__: near)
        monkeypatch.setattr(near.__class__, "setsockopt", lambda *_: None, raising=False)
        stream = http2.Stream("x", 1, "/a/B", (), 1.0)
        monkeypatch.undo()
        far.sendall(said)
        far.shutdown(socket.SHUT_WR)
        assert isinstance(ended(stream).code(), grpc.StatusCode)
        far.close()


def test_session_behind_an_address_of_several_servers_is_found(monkeypatch):
    """A service of Kubernetes, say: each connection may end at another server."""
    with privateer.launch() as one, privateer.launch() as other:
        listener = socket.create_server(("127.0.0.1", 0))
        turns = itertools.cycle([one.addr, other.addr])

        def forward(source, sink):
            with contextlib.suppress(OSError):
                while data := source.recv(1 << 16):
                    sink.sendall(data)
            with contextlib.suppress(OSError):
                sink.shutdown(socket.SHUT_WR)

        def listen():
            with contextlib.suppress(OSError):
                while True:
                    host, _, port = next(turns).rpartition(":")
                    near, far = listener.accept()[0], socket.create_connection((host, int(port)))
                    for ends in ((near, far), (far, near)):
                        threading.Thread(target=forward, args=ends, daemon=True).start()

        threading.Thread(target=listen, daemon=True).start()
        with privateer.Client(f"127.0.0.1:{listener.getsockname()[1]}") as client:
            session = client.open("kuhn", 2, autoreset="SAME_STEP")
            session.reset(seed=1)
            assert client._direct is None
            session.step([0, 0])
            session.close()
        listener.close()


def test_proxies_and_tls_are_the_librarys(server, monkeypatch):
    assert privateer.Client(server.addr)._direct == ("127.0.0.1", int(server.addr.rpartition(":")[2]))
    assert privateer.Client("localhost:1")._direct == ("localhost", 1)
    for target in ("unix:/tmp/nothing", "dns:///localhost:1", "nothing.invalid:1"):
        assert privateer.Client(target)._direct is None
    assert privateer.Client(server.addr, tls=True)._direct is None
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert privateer.Client("10.0.0.1:1")._direct is None
    assert privateer.Client(server.addr)._direct is not None, "no proxy is between"


def test_closed_client_closes_its_streams(server):
    client = server.client()
    session = client.open("kuhn", 2)
    session.reset(seed=1)
    client.close()
    with pytest.raises((privateer.PrivateerError, ValueError)):
        session.step([0, 0])
    with server.client() as again:
        again.attach(session.id).close()


def test_batches_from_the_network_are_copied_like_others(remote):
    session = remote.open("leduc", 3, seed=2)
    batch = session.reset()
    for other in (pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)):
        np.testing.assert_array_equal(other.observation, batch.observation)
        np.testing.assert_array_equal(other.action_mask, batch.action_mask)
    assert not batch.observation.flags.writeable


def test_streams_that_are_left_are_forgotten(remote, monkeypatch):
    monkeypatch.setattr(http2, "_NOW_AND_THEN", 0.01)
    monkeypatch.setattr(http2, "_attendant", None)
    session = remote.open("kuhn", 2)
    session.reset(seed=1)
    key = id(session._stream)
    assert key in http2._streams
    session.close()
    until(lambda: key not in http2._streams)
