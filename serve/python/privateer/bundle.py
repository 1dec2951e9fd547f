"""Bundles, the files of trained policies: read and written as encode/bundle/FORMAT.md says.

Reading executes no code, and a file that is damaged, foreign or of a later format is a :class:`BundleError`.
"""

from __future__ import annotations

import dataclasses
import os
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

_MAGIC, _FORMAT, _HEAD = b"PRIVBNDL", 1, 20

#: No content takes more room, when it is unpacked, than this multiple of its length plus these bytes.
_GROWTH, _FIXED = 16, 1 << 16

ACTIVATIONS = ("relu", "silu", "tanh")


class BundleError(ValueError):
    """A file is no bundle, is damaged, or does not fit."""


@dataclass
class Slice:
    """Bytes that belong together. A byte times ``scale`` is what the network reads."""

    name: str = ""
    offset: int = 0
    size: int = 0
    scale: float = 0.0


@dataclass
class Network:
    """The network; FORMAT.md has the formulas."""

    name: str = ""  #: ``mlp`` or ``entity``
    hidden: list[int] = field(default_factory=list)
    row_hidden: list[int] = field(default_factory=list)
    activation: str = ""
    norm: str = ""  #: ``layer`` or ``none``
    norm_eps: float = 0.0


@dataclass
class Tensor:
    """A named array of float32; with ``scale``, of int8 that are multiplied with one of them for each row."""

    name: str = ""
    shape: list[int] = field(default_factory=list)
    data: bytes = b""
    scale: list[float] = field(default_factory=list)

    def array(self) -> np.ndarray:
        width = 1 if self.scale else 4
        size = int(np.prod([n if 1 <= n <= 1 << 16 else 0 for n in self.shape], dtype=np.int64))
        if not 1 <= len(self.shape) <= 2 or size == 0 or len(self.data) != width * size or (self.scale and (len(self.shape), len(self.scale)) != (2, self.shape[0])):
            raise BundleError(f"the weights {self.name} have shape {self.shape} and {len(self.data)} bytes")
        if self.scale:
            values = np.frombuffer(self.data, np.int8).reshape(self.shape).astype(np.float32) * np.array(self.scale, np.float32)[:, None]
        else:
            values = np.frombuffer(self.data, "<f4").reshape(self.shape)
        if not np.isfinite(values).all():
            raise BundleError(f"the weights {self.name} are not all finite")
        return values


@dataclass
class Golden:
    """Decisions by which an implementation checks itself."""

    observation: bytes = b""
    rows: bytes = b""
    counts: list[int] = field(default_factory=list)
    logits: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)


@dataclass
class Provenance:
    """The origin of the weights."""

    program: str = ""
    checkpoint: str = ""
    iteration: int = 0
    steps: int = 0
    config: str = ""


@dataclass
class Evaluation:
    """Its results against a bot in all other seats."""

    game: str = ""
    bot: str = ""
    matches: int = 0
    equal_share: float = 0.0
    win_rate: list[float] = field(default_factory=list)  #: mean, and the ends of the 95 % interval
    return_: list[float] = field(default_factory=list)  #: ``return`` in the file, which is a word of Python's


@dataclass
class Bundle:
    """The content of a file."""

    game: str = ""
    name: str = ""
    schema: str = ""
    version: int = 0
    observation: list[Slice] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    row_schema: str = ""
    row: list[Slice] = field(default_factory=list)
    choice: str = ""
    network: Network = field(default_factory=Network)
    weights: list[Tensor] = field(default_factory=list)
    golden: Golden = field(default_factory=Golden)
    provenance: Provenance = field(default_factory=Provenance)
    evaluation: list[Evaluation] = field(default_factory=list)

    def check(self) -> dict[str, np.ndarray]:
        """Refuse what makes no sense, and return the weights by name."""
        n = self.network
        for what, value, allowed in (
            ("choice", self.choice, ("sample", "greedy")),
            ("network", n.name, ("mlp", "entity")),
            ("activation", n.activation, ACTIVATIONS),
            ("norm", n.norm, ("layer", "none")),
        ):
            if value not in allowed:
                raise BundleError(f"{what} is {value!r}: want {' or '.join(allowed)}")
        if n.norm == "layer" and not 0 < n.norm_eps < 1:
            raise BundleError(f"norm_eps is {n.norm_eps}: want a small positive number")
        widths(n.hidden, "hidden", 1)
        widths(n.row_hidden, "row", 1 if n.name == "entity" else 0)
        d, f = layout(self.observation, "observation"), layout(self.row, "row")
        if d == 0 or not 1 <= len(self.actions) <= 1 << 16 or (f > 0) != (n.name == "entity"):
            raise BundleError(f"observations of {d} bytes, {len(self.actions)} actions, rows of {f} bytes for the network {n.name}")
        weights = {t.name: t.array() for t in self.weights}
        wanted = self.shapes(d, f, values="value.bias" in weights)
        if {name: w.shape for name, w in weights.items()} != wanted or len(weights) != len(self.weights):
            wrong = sorted(name for name in wanted.keys() | weights.keys() if name not in weights or wanted.get(name) != weights[name].shape)
            raise BundleError(f"the weights {', '.join(wrong[:4]) or 'of some names'} are missing, too many or of other shapes than the network's")
        return weights

    def shapes(self, d: int, f: int, values: bool) -> dict[str, tuple[int, ...]]:
        """The tensors of the network, for observations of ``d`` bytes and rows of ``f``, with a value head or without."""
        out: dict[str, tuple[int, ...]] = {}
        width, n = d, self.network
        for i, h in enumerate(n.hidden):
            out[f"trunk.{i}.linear.weight"], out[f"trunk.{i}.linear.bias"] = (h, width), (h,)
            if n.norm == "layer":
                out[f"trunk.{i}.norm.weight"] = out[f"trunk.{i}.norm.bias"] = (h,)
            width = h
        if n.name == "mlp":
            out["policy.weight"], out["policy.bias"] = (len(self.actions), width), (len(self.actions),)
        else:
            for i, h in enumerate(n.row_hidden):
                out[f"rows.{i}.weight"], out[f"rows.{i}.bias"] = (h, f), (h,)
                f = h
            out |= {"context.weight": (f, 2 * f), "query.weight": (f, width), "query.bias": (f,)}
            out |= {"direct.weight": (f, width), "embed.weight": (f, f), "score.weight": (1, f)}
        if values:
            out["value.weight"], out["value.bias"] = (1, width), (1,)
        return out


def widths(of: Sequence[int], what: str, least: int) -> None:
    if not least <= len(of) <= 64 or any(not 1 <= h <= 1 << 16 for h in of):
        raise BundleError(f"{what} layers of the widths {list(of)[:70]}: want {least} to 64 of 1 to 65536")


def layout(groups: Sequence[Slice], what: str) -> int:
    """The bytes of groups, which lie side by side."""
    at = 0
    for g in groups:
        if g.offset != at or g.size < 1 or at + g.size > 1 << 16 or not 0 < g.scale < float("inf"):
            raise BundleError(f"{what} group {g.name!r} starts at {g.offset} with {g.size} bytes of scale {g.scale}: want the next one at {at}")
        at += g.size
    return at


def scales(groups: Sequence[Slice]) -> np.ndarray:
    """The scale of each byte."""
    return np.concatenate([np.full(g.size, g.scale, np.float32) for g in groups]) if groups else np.zeros(0, np.float32)


def read(data: bytes, path: Path | None = None) -> Bundle:
    """Read a file's content; ``path`` is what an error calls it."""
    where = path or "the bundle"
    try:
        return _decoded(data)
    except BundleError as error:
        raise BundleError(f"{where}: {error}") from None


def _decoded(data: bytes) -> Bundle:
    if data[: len(_MAGIC)] != _MAGIC:
        raise BundleError("it does not begin as bundles do: privateer export makes one of a run or a checkpoint")
    if len(data) < _HEAD + 4:
        raise BundleError(f"it is damaged: it has only {len(data)} bytes")
    version, length = struct.unpack_from("<IQ", data, len(_MAGIC))
    if version != _FORMAT:
        raise BundleError(f"bundle format {version}: this program reads format {_FORMAT}: export the run again, or use the privateer that exported it")
    if length != len(data) - _HEAD - 4:
        raise BundleError(f"it is damaged: it has {len(data) - _HEAD - 4} bytes of content but declares {length}")
    if struct.unpack_from("<I", data, len(data) - 4)[0] != crc32c(data[:-4]):
        raise BundleError("it is damaged: its checksum is wrong")
    packed = data[_HEAD:-4]
    unpacking, most = zlib.decompressobj(-zlib.MAX_WBITS), _GROWTH * len(packed) + _FIXED
    try:
        inner = unpacking.decompress(packed, most + 1)
    except zlib.error as error:
        raise BundleError(f"it is damaged: its content cannot be unpacked: {error}") from None
    if len(inner) > most:
        raise BundleError(f"it is damaged: its content takes more than {_GROWTH} times the size of the file")
    if not unpacking.eof or unpacking.unused_data:
        raise BundleError("it is damaged: its content cannot be unpacked")
    reader = _Reader(inner, 0, len(inner))
    try:
        content = reader.value(0)
    except (IndexError, struct.error, UnicodeDecodeError):
        raise BundleError("it is damaged: its content is cut short") from None
    if reader.at != reader.end:
        raise BundleError(f"it is damaged: {reader.end - reader.at} bytes after its content")
    return _typed(Bundle, content, "its content")


def encode(bundle: Bundle) -> bytes:
    """A file's content."""
    bundle.check()
    bundle = dataclasses.replace(bundle, weights=[Tensor(t.name, t.shape, t.array().astype("<f4").tobytes()) for t in bundle.weights])
    content = bytearray()
    _write(content, _plain(bundle))
    small = _deflated(content, zlib.Z_DEFAULT_STRATEGY)
    if len(content) > _GROWTH * len(small) + _FIXED:  # a reader would refuse it: without matches every byte takes a bit at least
        small = _deflated(content, zlib.Z_HUFFMAN_ONLY)
    out = _MAGIC + struct.pack("<IQ", _FORMAT, len(small)) + small
    return out + struct.pack("<I", crc32c(out))


def _deflated(content: bytearray, strategy: int) -> bytes:
    packing = zlib.compressobj(wbits=-zlib.MAX_WBITS, strategy=strategy)
    return packing.compress(bytes(content)) + packing.flush()


# msgpack, as far as bundles have it.


class _Reader:
    def __init__(self, data: bytes, at: int, end: int) -> None:
        self.data, self.at, self.end = data, at, end

    def take(self, n: int) -> bytes:
        if n > self.end - self.at:
            raise BundleError("it is damaged: its content is cut short")
        self.at += n
        return self.data[self.at - n : self.at]

    def number(self, kind: str) -> Any:
        return struct.unpack(">" + kind, self.take(struct.calcsize(kind)))[0]

    def value(self, depth: int) -> Any:
        code = self.take(1)[0]
        if code <= 0x7F:
            return code
        if code >= 0xE0:
            return code - 256
        if code in _NUMBERS:
            return self.number(_NUMBERS[code])
        if 0xA0 <= code <= 0xBF or code in _TEXTS:
            return self.take(code & 0x1F if code <= 0xBF else self.number(_TEXTS[code])).decode()
        if code in _BYTES:
            return self.take(self.number(_BYTES[code]))
        if depth > 8:
            raise BundleError("it is damaged: its content is nested too deeply")
        if 0x90 <= code <= 0x9F or code in (0xDC, 0xDD):
            n = self.length(code, 0x9F, 0xDC)
            return [self.value(depth + 1) for _ in range(n)]
        if 0x80 <= code <= 0x8F or code in (0xDE, 0xDF):
            return {self.key(depth): self.value(depth + 1) for _ in range(self.length(code, 0x8F, 0xDE))}
        if code == 0xC0:
            return None
        raise BundleError(f"it is damaged: its content has a value of the kind {code:#x}")

    def key(self, depth: int) -> str:
        name = self.value(depth + 1)
        if not isinstance(name, str):
            raise BundleError("it is damaged: the name of a field is no text")
        return name

    def length(self, code: int, small: int, wide: int) -> int:
        n = code & 0x0F if code <= small else self.number("H" if code == wide else "I")
        if n > self.end - self.at:  # each element takes a byte at least
            raise BundleError("it is damaged: its content is cut short")
        return n


_NUMBERS = {0xCA: "f", 0xCB: "d", 0xCC: "B", 0xCD: "H", 0xCE: "I", 0xCF: "Q", 0xD0: "b", 0xD1: "h", 0xD2: "i", 0xD3: "q"}
_TEXTS, _BYTES = {0xD9: "B", 0xDA: "H", 0xDB: "I"}, {0xC4: "B", 0xC5: "H", 0xC6: "I"}


def _typed(kind: Any, value: Any, what: str) -> Any:
    """A value of msgpack as what it is to be."""
    if dataclasses.is_dataclass(kind):
        if not isinstance(value, dict):
            raise BundleError(f"it is damaged: {what} has no fields")
        hints = get_type_hints(kind)
        fields = {}
        for name, inner in value.items():
            known = name + "_" if name == "return" else name
            if known not in hints:
                raise BundleError(f"it is damaged: {what} has a field {str(name)[:40]!r}, which no bundle has")
            fields[known] = _typed(hints[known], inner, str(name)) if inner is not None else None
        return kind(**{name: inner for name, inner in fields.items() if inner is not None})  # type: ignore[operator]
    if get_origin(kind) is list:
        if not isinstance(value, list):
            raise BundleError(f"it is damaged: {what} is no list")
        return [_typed(get_args(kind)[0], inner, what) for inner in value]
    if kind is float and isinstance(value, (int, float)):
        return float(value)
    if kind is bytes and isinstance(value, str):
        value = value.encode()
    if not isinstance(value, kind):
        raise BundleError(f"it is damaged: {what} is of the wrong kind")
    return value


#: Fields whose floats have four bytes.
_SHORT = ("scale", "logits", "values")


def _plain(value: Any, name: str = "") -> Any:
    if dataclasses.is_dataclass(value):
        plain = {f.name.removesuffix("_"): _plain(getattr(value, f.name), f.name) for f in dataclasses.fields(value)}
        if isinstance(value, Tensor) and not value.scale:
            del plain["scale"]
        return plain
    if isinstance(value, list):
        return [_plain(v, name) for v in value]
    return np.float32(value) if name in _SHORT else value


def _write(out: bytearray, value: Any) -> None:
    if value is None:
        out.append(0xC0)
    elif isinstance(value, np.float32):
        out += b"\xca" + struct.pack(">f", value)
    elif isinstance(value, float):
        out += b"\xcb" + struct.pack(">d", value)
    elif isinstance(value, int):
        out += b"\xd3" + struct.pack(">q", value)
    elif isinstance(value, str):
        text = value.encode()
        out += b"\xdb" + struct.pack(">I", len(text)) + text
    elif isinstance(value, bytes):
        out += b"\xc6" + struct.pack(">I", len(value)) + value
    elif isinstance(value, list):
        out += b"\xdd" + struct.pack(">I", len(value))
        for v in value:
            _write(out, v)
    else:
        out += b"\xdf" + struct.pack(">I", len(value))
        for k, v in value.items():
            _write(out, k)
            _write(out, v)


# The checksum, in lanes: Python would take a second for a megabyte byte by byte.


@lru_cache(maxsize=1)
def _table() -> np.ndarray:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> np.uint32(1)) ^ np.uint32(0x82F63B78), table >> np.uint32(1))
    return table


def _ahead(state: np.ndarray, chunks: np.ndarray) -> np.ndarray:
    """The registers ``[K]`` after the bytes ``[K, L]``."""
    table = _table()
    for column in np.ascontiguousarray(chunks.T):
        state = table[(state ^ column) & np.uint32(0xFF)] ^ (state >> np.uint32(8))
    return state


def crc32c(data: bytes) -> int:
    """CRC-32C of bytes."""
    lanes = 1024
    length = len(data) // lanes
    state = 0xFFFFFFFF
    if length > 0:
        body = np.frombuffer(data, np.uint8, lanes * length).reshape(lanes, length)
        parts = _ahead(np.zeros(lanes, np.uint32), body)
        # What each bit of a register becomes when as many zeros follow.
        bits = _ahead(np.uint32(1) << np.arange(32, dtype=np.uint32), np.zeros((32, length), np.uint8))
        columns = [int(b) for b in bits]
        for part in parts:
            moved = 0
            for k in range(32):
                if state >> k & 1:
                    moved ^= columns[k]
            state = moved ^ int(part)
    table = _table()
    for byte in data[lanes * length :]:
        state = int(table[(state ^ byte) & 0xFF]) ^ (state >> 8)
    return state ^ 0xFFFFFFFF
