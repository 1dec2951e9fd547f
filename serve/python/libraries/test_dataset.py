"""What the page about data sets says to write for other libraries, as it stands there."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

import privateer

page = (Path(__file__).parents[3] / "env" / "dataset" / "README.md").read_text()
examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A data set of which there are enough decisions, and nothing of the user's."""
    privateer.command("dataset", "leduc", players="random", matches=300, part=100, out=tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    for name in ("MINARI_DATASETS_PATH", "HF_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))


def run(library: str) -> dict:
    pytest.importorskip(library)
    found = [code for code in examples if re.search(rf"^import {library}\b", code, re.MULTILINE)]
    assert found, f"no example imports {library}"
    names: dict = {}
    exec(found[0], names)
    return names


def test_polars_reads_the_files():
    names = run("polars")
    assert names["rows"].height == len(privateer.dataset("data"))


def test_pyarrow_reads_the_files():
    names = run("pyarrow")
    assert names["observation"].shape[1] == privateer.dataset("data").schema.size


def test_datasets_reads_the_files():
    names, data = run("datasets"), privateer.dataset("data", batch_size=10**6)
    assert names["rows"]["action"][:5] == next(iter(data))["action"][:5].tolist() and len(names["rows"]) == len(data)


def test_d3rlpy_learns_from_one_player():
    names = run("d3rlpy")
    best = names["learner"].predict(names["every"]["observation"][:7] * names["data"].schema.scales())
    assert best.shape == (7,) and best.max() < len(names["data"].actions)
    assert names["learnt_from"].transition_count + len(names["of"]) >= len(names["every"]["action"])


def test_minari_keeps_one_player():
    names = run("minari")
    kept = names["minari"].load_dataset("privateer/leduc-v0")
    assert kept.total_episodes == len(names["episodes"]) == 600 and os.path.isdir(os.environ["MINARI_DATASETS_PATH"])
    first, one = kept[0], next(names["data"].trajectories(player=0))
    np.testing.assert_array_equal(first.observations[:-1], one["observation"])
    np.testing.assert_array_equal(first.rewards, one["reward"])
