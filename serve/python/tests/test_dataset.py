"""Data sets are read as they were written, by pyarrow alone and by ours."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import privateer

pyarrow = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    privateer.command("dataset", "leduc", players="random,search(rollouts=4)", matches=50, part=20, seed=3, rows=True, random_moves=0.2, out=folder)
    return folder


def test_batches_are_what_pyarrow_reads(folder):
    plain = pyarrow.concat_tables(parquet.read_table(path) for path in sorted(folder.glob("*"))).to_pylist()
    for size in (7, 8192):
        data, at = privateer.dataset(folder, batch_size=size), 0
        assert len(data) == len(plain) and data.head["game"] == "leduc" and data.head["seed"] == 3
        for batch in data:
            n, offsets = len(batch["action"]), batch["offsets"]
            assert batch["observation"].shape == (n, data.schema.size) and n <= size
            mask = privateer.unpack_mask(batch["mask"], len(data.actions))
            np.testing.assert_array_equal(mask.sum(1), batch["legal"])
            assert mask[np.arange(n), batch["action"]].all()
            for i, row in enumerate(plain[at : at + n]):
                part = slice(offsets[i], offsets[i + 1])
                assert batch["observation"][i].tobytes() == row["observation"] and batch["mask"][i].tobytes() == row["mask"]
                assert batch["rows"][part].tobytes() == row["rows"] and offsets[i + 1] - offsets[i] == row["legal"]
                for name in ("values", "probabilities"):
                    np.testing.assert_array_equal(batch[name][part], np.full(row["legal"], np.nan) if row[name] is None else row[name])
                for name in ("match", "seed", "step", "seat", "player", "legal", "action", "choice", "probability", "reward", "return", "terminated", "truncated"):
                    np.testing.assert_array_equal(batch[name][i], row[name])
            at += n
        assert at == len(plain)
    assert {row["values"] is None for row in plain} == {True, False}  # of the random player, and of the search


def test_nothing_is_copied(folder):
    for batch in privateer.dataset(folder, columns=["observation", "mask", "rows", "action", "return", "seed"]):
        for name in ("observation", "mask", "rows", "action", "return", "seed"):
            assert not batch[name].flags.owndata and not batch[name].flags.writeable, name


def test_dtypes_are_those_of_the_docstring(folder):
    batch = next(iter(privateer.dataset(folder)))
    kinds = {name: array.dtype.str for name, array in batch.items()}
    assert kinds == {
        **dict.fromkeys(("observation", "mask", "rows"), "|u1"), **dict.fromkeys(("match", "step"), "<i4"), "seed": "<u8", "seat": "|i1",
        **dict.fromkeys(("player", "legal", "action", "choice"), "<i2"), **dict.fromkeys(("terminated", "truncated"), "|b1"), "offsets": "<i8",
        **dict.fromkeys(("probability", "reward", "return", "values", "probabilities"), "<f4"),
    }  # fmt: skip


def test_trajectories_are_the_decisions_of_a_seat(folder):
    data, seen = privateer.dataset(folder), 0
    for one in data.trajectories():
        assert len(set(one["seat"])) == len(set(one["match"])) == len(set(one["player"])) == 1
        assert (np.diff(one["step"]) > 0).all() and not one["terminated"][:-1].any() and one["terminated"][-1]
        np.testing.assert_allclose(np.cumsum(one["reward"][::-1])[::-1], one["return"], atol=1e-6)
        seen += len(one["seat"])
    assert seen == len(data)
    searched = list(data.trajectories(player=1))
    assert len(searched) == 50 and {int(one["player"][0]) for one in searched} == {1}
    few = next(privateer.dataset(folder, columns=["action"]).trajectories())
    assert list(few) == ["action"]


def test_what_is_wrong_is_named(folder, tmp_path):
    files = sorted(folder.glob("*"))
    privateer.command("dataset", "leduc", players="random", matches=50, part=20, seed=4, out=tmp_path / "other")
    with pytest.raises(ValueError, match=r"part-00001-of-00003.parquet are of two data sets: their (players|seed|action_row_hash|random_moves) is"):
        privateer.dataset([files[0], tmp_path / "other" / files[0].name])
    with pytest.raises(ValueError, match="there is no column 'reword': want of match, seed"):
        privateer.dataset(folder, columns=["reword"])
    with pytest.raises(ValueError, match="no file"):
        privateer.dataset(tmp_path)
    with pytest.raises(FileNotFoundError):
        privateer.dataset(tmp_path / "none.parquet")
    with pytest.raises(ValueError, match="batch_size 0"):
        privateer.dataset(folder, batch_size=0)
    with pytest.raises(ValueError, match="want at least one"):
        privateer.dataset([])
    (tmp_path / "other" / files[1].name).unlink()
    with pytest.raises(ValueError, match="part-00002-of-00003.parquet is missing"):
        privateer.dataset(tmp_path / "other")
    foreign = tmp_path / "foreign.parquet"
    parquet.write_table(pyarrow.table({"a": [1]}), foreign)
    with pytest.raises(ValueError, match="foreign.parquet: its metadata have no 'privateer'"):
        privateer.dataset(foreign)


def test_a_damaged_file_is_named(folder, tmp_path):
    data = (sorted(folder.glob("*"))[0]).read_bytes()
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(data[:-20])
    with pytest.raises(ValueError, match="cut.parquet: damaged or cut short"):
        privateer.dataset(cut)
    flipped = bytearray(data)
    column = parquet.ParquetFile(folder / "part-00001-of-00003.parquet").metadata.row_group(0).column(5)
    flipped[column.data_page_offset + column.total_compressed_size // 2] ^= 1
    cut.write_bytes(flipped)
    with pytest.raises(ValueError, match="cut.parquet: damaged or cut short"):
        for _ in privateer.dataset(cut):
            pass


def test_without_pyarrow_it_says_what_to_install(folder):
    code = f"import sys; sys.modules['pyarrow'] = None\nimport privateer\ntry: privateer.dataset({os.fspath(folder)!r})\nexcept ImportError as e: print(e)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "pip install 'privateer[dataset]'" in said
