"""Makes PyPI's PyTorch for Linux work without CUDA: no_cuda.py, run by the interpreter that has it.

That wheel is linked with CUDA's libraries, gigabytes that are never called on a machine without such a device. Here each
is replaced by an empty one of the same name, beside the runtime (nvidia-cuda-runtime, which registers code that is loaded),
where PyTorch looks for them. A call of one of their functions would get nothing from it.
"""

from __future__ import annotations

import collections
import re
import subprocess
import sysconfig
from pathlib import Path


def run(*command: str | Path, given: str = "") -> str:
    """What a command says."""
    return subprocess.run(command, check=True, input=given, capture_output=True, text=True).stdout


def main() -> None:
    site = Path(sysconfig.get_path("platlib"))
    torch, to = site / "torch" / "lib", next((site / "nvidia").glob("*/lib/libcudart.so*")).parent
    there = {f.name for folder in (torch, to) for f in folder.iterdir()}
    libraries = list(torch.glob("*.so*"))
    needed = {name for library in libraries for name in re.findall(r"NEEDED.*\[(lib(?:cu|nv|nccl).*)\]", run("readelf", "-d", library))}
    versions: dict[str, set[str]] = {name: set() for name in needed - there}  # by library, what its symbols are marked with
    if not versions:
        return
    symbols: dict[str, set[str]] = collections.defaultdict(set)  # by that mark
    plain: set[str] = set()
    defined: set[str] = set()
    for library in libraries:
        for name, marks in re.findall(r"File: (\S+).*((?:\n.*Name: .*)+)", run("readelf", "-VW", library)):
            if name in versions:
                versions[name] |= set(re.findall(r"Name: (\S+)", marks))
        for kind, name, mark in re.findall(r"^\S*\s+(\w) ([^@\s]+)@*(\S*)$", run("nm", "-D", "--with-symbol-versions", library), re.M):
            if kind not in "Uwv":
                defined.add(name)
            elif mark:
                symbols[mark].add(name)
            elif re.match("cu|nccl|nv", name):
                plain.add(name)
    for name, marks in versions.items():
        # Those without a mark may come from any of them: from the first that is loaded.
        own = {mark: symbols[mark] for mark in marks}
        code = "".join(f"void {s}(void) {{}}\n" for s in sorted(set().union(*own.values(), set() if marks else plain - defined)))
        script = to / f"{name}.map"
        script.write_text("".join(f"{mark} {{ {' '.join(f'{s};' for s in sorted(names))} }};\n" for mark, names in own.items()))
        marked = [f"-Wl,--version-script={script}"] if marks else []
        run("gcc", "-shared", "-fPIC", "-w", "-x", "c", "-", f"-Wl,-soname,{name}", "-o", to / name, *marked, given=code or "\n")
        script.unlink()
    print(f"PyTorch without CUDA: {len(versions)} libraries are empty")


if __name__ == "__main__":
    main()
