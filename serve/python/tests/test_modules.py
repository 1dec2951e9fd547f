"""How the modules of the package stand to each other."""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import pytest

import privateer


def test_modules_import_each_other_in_one_direction():
    """Those that are imported when something is called, or for types alone, too."""
    folder = Path(privateer.__file__).parent
    modules = {path.stem: ast.walk(ast.parse(path.read_text())) for path in folder.glob("*.py") if path.stem != "__init__"}
    imports = {name: set() for name in modules}
    for name, nodes in modules.items():
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                package, _, of = node.module.partition(".")
                imports[name] |= ({of} if of else {each.name for each in node.names}) & modules.keys() if package == "privateer" else set()
    assert imports["connect"] >= {"program", "client"}
    graphlib.TopologicalSorter(imports).prepare()


@pytest.mark.parametrize("module, library", [("open_spiel", "pyspiel"), ("rllib", "ray"), ("sb3", "stable_baselines3"), ("torchrl", "torch")])
def test_a_module_without_its_library_says_what_to_install(module, library):
    code = f"import sys; sys.modules[{library!r}] = None\nimport privateer\ntry: privateer.{module}\nexcept ImportError as e: print(e)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.startswith(f"privateer.{module} needs {library}") and "pip install" in out
