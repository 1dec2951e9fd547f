"""What the notebook bring_your_own_trainer.ipynb says of other libraries runs as it stands there."""

import json
import re
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "bring_your_own_trainer.ipynb"


def blocks(title):
    """The Python of the notebook's text below a title."""
    text = "\n\n".join("".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "markdown")
    section = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return re.findall(r"^```python\n(.*?)^```", section[1], re.MULTILINE | re.DOTALL)


def test_the_notebooks_lines_for_stable_baselines3_run(tmp_path, monkeypatch, capsys):
    pytest.importorskip("sb3_contrib")
    monkeypatch.chdir(tmp_path)
    (code,) = blocks("Stable-Baselines3")
    exec(compile(code, NOTEBOOK.name, "exec"), {})
    assert capsys.readouterr().out
