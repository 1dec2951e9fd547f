"""The Python snippets of the repository's README run as they stand."""

import re
from pathlib import Path


def test_readmes_python_snippet_runs() -> None:
    readme = Path(__file__).parents[3] / "README.md"
    snippets = re.findall(r"```python\n(.*?)```", readme.read_text(encoding="utf-8"), re.S)
    assert snippets
    for snippet in snippets:
        exec(compile(snippet, str(readme), "exec"), {})
