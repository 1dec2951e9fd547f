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


@pytest.mark.parametrize(("title", "library"), [("Stable-Baselines3", "sb3_contrib"), ("RLlib", "ray.rllib")])
def test_the_notebooks_lines_for_a_library_run(title, library, tmp_path, monkeypatch, capsys):
    pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    (code,) = blocks(title)
    exec(compile(code, NOTEBOOK.name, "exec"), {})
    assert capsys.readouterr().out
