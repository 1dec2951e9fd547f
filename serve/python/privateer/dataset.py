"""Data sets that ``privateer dataset`` wrote: matches as Parquet, one row a decision."""

from __future__ import annotations

import contextlib
import glob
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from privateer.spec import Group, Schema

if TYPE_CHECKING:
    import pyarrow

_FORMAT = 1
_TOLD = ("values", "probabilities")  # lists with a number for each legal action


class Dataset:
    """The decisions of a data set, in the order of the matches.

    Iterating reads one batch after another from the files, so that a data set may be larger than memory; it can be repeated. A
    batch is a dict of arrays of its *n* decisions:

    - ``observation``: ``[n, D]`` uint8
    - ``mask``: ``[n, ceil(A/8)]`` uint8, which :func:`unpack_mask` makes ``[n, A]``
    - ``match``, ``step``: ``[n]`` int32; ``seed``: ``[n]`` uint64; ``seat``: ``[n]`` int8; ``player``, ``legal``, ``action``: ``[n]`` int16, and so is
      ``choice``, if moves at random were played
    - ``probability``, ``reward``, ``return``: ``[n]`` float32, the first NaN where the player does not say
    - ``terminated``, ``truncated``: ``[n]`` bool
    - ``values``, ``probabilities``: ``[total]`` float32, one for each legal action of each decision, NaN if the player does not state it
    - ``rows``: ``[total, F]`` uint8, if the data set has them
    - ``offsets``: ``[n + 1]`` int64: decision *i* of the three above has the elements ``offsets[i]`` to ``offsets[i + 1]``

    Arrays are read-only views of what was decompressed, without copies, except the two of bool, which files hold as bits, and for
    ``values`` and ``probabilities`` where some decisions have none.
    """

    def __init__(self, files: Sequence[str], batch_size: int, columns: Iterable[str] | None) -> None:
        if batch_size < 1:
            raise ValueError(f"batch_size {batch_size}: want at least 1")
        self.files = tuple(files)  #: paths, in the order of the matches
        self.batch_size = batch_size  #: the most decisions of a batch
        metadata, schema, self._rows = _opened(self.files[0])
        #: what was played: ``game``, ``seed``, ``matches``, ``players``, ``version`` …
        self.head: dict[str, Any] = _head(self.files[0], metadata)
        for path in self.files[1:]:
            other, columns_there, rows = _opened(path)
            head = _head(path, other)
            for key in self.head.keys() | head.keys():
                if head.get(key) != self.head.get(key):
                    raise ValueError(f"{self.files[0]} and {path} are of two data sets: their {key} is {self.head.get(key)!r} and {head.get(key)!r}")
            if columns_there != schema:
                raise ValueError(f"{self.files[0]} and {path} have other columns: want files as privateer dataset wrote them")
            self._rows += rows
        #: what ``privateer spec GAME --json`` says of the game
        self.spec: dict[str, Any] = json.loads(metadata[b"privateer.spec"])
        self.schema = _schema(self.spec["observation"])  #: the layout of an observation
        self.actions: tuple[str, ...] = tuple(self.spec["actions"])  #: names of the actions
        self._columns = _chosen(schema, columns)

    def __len__(self) -> int:
        """Decisions."""
        return self._rows

    def __iter__(self) -> Iterator[dict[str, np.ndarray]]:
        """Batches of at most ``batch_size`` decisions."""
        from pyarrow import parquet

        for path in self.files:
            with _named(path), parquet.ParquetFile(path, page_checksum_verification=True) as file:
                for batch in file.iter_batches(self.batch_size, columns=self._read):
                    yield self._arrays(batch)

    def trajectories(self, player: int | None = None) -> Iterator[dict[str, np.ndarray]]:
        """The decisions of one seat in one match after the other, as batches; ``player`` is the index of a player, None for all."""
        from pyarrow import parquet

        for path in self.files:
            with _named(path), parquet.ParquetFile(path, page_checksum_verification=True) as file:
                for group in range(file.num_row_groups):  # each has whole matches
                    table = file.read_row_group(group, columns=[*dict.fromkeys([*self._read, "match", "seat", "player"])])
                    match, seat, who = (table[name].to_numpy() for name in ("match", "seat", "player"))
                    order = np.lexsort((seat, match))
                    ends = np.flatnonzero(np.diff(match[order]) | np.diff(seat[order])) + 1
                    for rows in np.split(order, ends):
                        if player is None or who[rows[0]] == player:
                            one = table.take(rows).combine_chunks()
                            yield self._arrays(one.to_batches()[0])

    @property
    def _read(self) -> list[str]:
        """The columns to read: without the number of legal actions nobody knows what of a list is whose."""
        ragged = any(name in (*_TOLD, "rows") for name in self._columns)
        return [*dict.fromkeys([*self._columns, *(["legal"] if ragged else [])])]

    def _arrays(self, batch: pyarrow.RecordBatch) -> dict[str, np.ndarray]:
        arrays: dict[str, np.ndarray] = {}
        offsets = None
        if "legal" in batch.schema.names:
            legal = batch.column("legal").to_numpy()
            offsets = np.concatenate([[0], np.cumsum(legal, dtype=np.int64)])
            arrays["offsets"] = offsets
        for name in self._columns:
            column = batch.column(name)
            if name in ("observation", "mask"):
                arrays[name] = _bytes(column, 1)[: len(column) * column.type.byte_width].reshape(len(column), -1)
            elif name == "rows":
                ends = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + len(column) + 1]
                assert offsets is not None
                arrays[name] = np.frombuffer(column.buffers()[2], np.uint8)[ends[0] : ends[-1]].reshape(int(offsets[-1]), -1)
            elif name in _TOLD:
                assert offsets is not None
                arrays[name] = _told(column, offsets)
            else:
                arrays[name] = column.to_numpy(zero_copy_only=name not in ("terminated", "truncated"))
        for array in arrays.values():
            array.flags.writeable = False
        return arrays


def dataset(path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], *, batch_size: int = 8192, columns: Iterable[str] | None = None) -> Dataset:
    """Open a data set that ``privateer dataset`` wrote.

    Args:
        path: Its folder, one of its files, or several.
        batch_size: The most decisions of a batch.
        columns: Those to read; None for all.

    Raises:
        ImportError: pyarrow is missing.
        ValueError: A file is missing from the folder, is damaged, or is of another data set than the first, or there is no such column.
    """
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise ImportError("data sets need pyarrow: pip install 'privateer[dataset]'") from error
    if not isinstance(path, (str, os.PathLike)):
        files = [os.fspath(p) for p in path]
        if not files:
            raise ValueError("no files: want at least one of a data set")
        return Dataset(files, batch_size, columns)
    path = os.fspath(path)
    if not os.path.isdir(path):
        return Dataset([path], batch_size, columns)
    files = sorted(glob.glob(os.path.join(glob.escape(path), "*.parquet")))
    if not files:
        raise ValueError(f"{path}: there is no file *.parquet in it: privateer dataset writes them")
    made = Dataset(files, batch_size, columns)
    parts = -(-made.head["matches"] // made.head["part_matches"])
    names = {os.path.basename(file) for file in files}
    for part in range(1, parts + 1):
        if (name := f"part-{part:05}-of-{parts:05}.parquet") not in names:
            raise ValueError(f"{path}: {name} is missing: privateer dataset writes it, or give the files that are to be read")
    return made


@contextlib.contextmanager
def _named(path: str) -> Iterator[None]:
    """Errors of pyarrow name the file."""
    import pyarrow

    try:
        yield
    except FileNotFoundError:
        raise
    except (pyarrow.ArrowException, OSError) as error:
        raise ValueError(f"{path}: damaged or cut short: {error}") from error


def _opened(path: str) -> tuple[dict[bytes, bytes], pyarrow.Schema, int]:
    """The metadata, the columns and the number of rows of a file."""
    from pyarrow import parquet

    with _named(path), parquet.ParquetFile(path) as file:
        schema = file.schema_arrow
        return schema.metadata or {}, schema.remove_metadata(), file.metadata.num_rows


def _head(path: str, metadata: dict[bytes, bytes]) -> dict[str, Any]:
    if b"privateer" not in metadata:
        raise ValueError(f"{path}: its metadata have no 'privateer': want a file of privateer dataset")
    head: dict[str, Any] = json.loads(metadata[b"privateer"])
    if head["format"] != _FORMAT:
        raise ValueError(f"{path}: it has format {head['format']}, and this package reads format {_FORMAT}: use the release that wrote it, privateer {head['version']}")
    return head


def _schema(spec: dict[str, Any]) -> Schema:
    """A schema from what ``privateer spec --json`` prints."""
    groups = [
        Group(g["name"], g["offset"], tuple(g["shape"]), g["max"], g["scale"], g.get("doc", ""), tuple(g.get("words") or ()))
        for g in spec["groups"]
    ]
    return Schema(spec["hash"], spec["size"], tuple(groups))


def _chosen(schema: pyarrow.Schema, columns: Iterable[str] | None) -> list[str]:
    chosen = list(schema.names if columns is None else columns)
    for name in chosen:
        if name not in schema.names:
            raise ValueError(f"there is no column {name!r}: want of {', '.join(schema.names)}")
    return chosen


def _bytes(column: pyarrow.Array, buffer: int) -> np.ndarray:
    """The bytes of values of a fixed width, from the first on."""
    return np.frombuffer(column.buffers()[buffer], np.uint8)[column.offset * column.type.byte_width :]


def _told(column: pyarrow.Array, offsets: np.ndarray) -> np.ndarray:
    """The numbers of a list for each legal action, with NaN where there is no list."""
    told: np.ndarray = column.flatten().to_numpy(zero_copy_only=False)
    if column.null_count == 0:
        return told
    filled = np.full(offsets[-1], np.nan, np.float32)
    filled[np.repeat(column.is_valid().to_numpy(zero_copy_only=False), np.diff(offsets))] = told
    return filled
