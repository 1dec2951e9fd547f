"""The Python snippets of the repository's README run as they stand."""

import re
from pathlib import Path

import privateer


def test_readmes_python_snippet_runs() -> None:
    readme = Path(__file__).parents[3] / "README.md"
    snippets = re.findall(r"```python\n(.*?)```", readme.read_text(encoding="utf-8"), re.S)
    assert snippets
    for snippet in snippets:
        exec(compile(snippet, str(readme), "exec"), {})


def test_citation_is_of_this_version() -> None:
    citation = (Path(__file__).parents[3] / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", citation, re.M).group(1) == privateer.__version__
