"""How the modules of the package stand to each other."""

import ast
import graphlib
from pathlib import Path

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
