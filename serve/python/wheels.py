"""Wheels that contain the program: test.sh wheels FOLDER [PLATFORM…], for all platforms or those named.

The package is the same for all of them; the program, which is static, is built for each, and pip puts it
beside the interpreter. Those for Linux with glibc contain libprivateer too, which lies in the package.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

#: The wheels of a platform, which has Go's name: the tags that pip knows, and what Zig calls the target that libprivateer is compiled for, if they have it.
#: The program needs no C library, and libprivateer that of the tags. Go 1.26 wants macOS 12.
PLATFORMS = {
    "linux/amd64": {"manylinux_2_17_x86_64.manylinux2014_x86_64": "x86_64-linux-gnu.2.17", "musllinux_1_1_x86_64": ""},
    "linux/arm64": {"manylinux_2_17_aarch64.manylinux2014_aarch64": "aarch64-linux-gnu.2.17", "musllinux_1_1_aarch64": ""},
    "darwin/arm64": {"macosx_12_0_arm64": ""},
    "darwin/amd64": {"macosx_12_0_x86_64": ""},
    "windows/amd64": {"win_amd64": ""},
    "windows/arm64": {"win_arm64": ""},
}


def go_build(package: str, platform: str, version: str, to: Path, *options: str, **env: str) -> Path:
    """What Go makes of a package for a platform. It says that it is of the version given, so that it and the Python package can refuse each other's others."""
    system, machine = platform.split("/")
    flags = f"-s -w -buildid= -X github.com/privateer-rl/privateer/serve/version.release=v{version}"
    command = [os.environ.get("GO", "go"), "build", *options, "-trimpath", "-ldflags", flags, "-o", str(to), package]
    subprocess.run(command, check=True, cwd=HERE.parents[1], env=os.environ | {"GOOS": system, "GOARCH": machine} | env)
    return to


def program(platform: str, version: str, folder: Path) -> Path:
    """The program for a platform."""
    built = folder / ("privateer.exe" if platform.startswith("windows/") else "privateer")
    return go_build("./cmd/privateer", platform, version, built, CGO_ENABLED="0")


def library(platform: str, version: str, target: str, folder: Path) -> Path:
    """libprivateer as make library compiles it, by Zig, which has the C libraries of its targets; without debugging information, which has paths."""
    compiler = f"{shlex.quote(sys.executable)} -m ziglang cc -target {target}"
    options = ("-buildmode=c-shared", "-tags", "grpcnotrace")
    return go_build("./serve/library", platform, version, folder / "libprivateer.so", *options, CGO_ENABLED="1", CGO_CFLAGS="-O2 -g0", CC=compiler)


def wheel(pure: Path, tags: str, parts: dict[str, tuple[bytes, int]], to: Path) -> Path:
    """A wheel like the pure one with parts, contents and modes by path, for the platforms of the tags."""
    name, version = pure.name.split("-")[:2]
    about, made = f"{name}-{version}.dist-info", to / f"{name}-{version}-py3-none-{tags}.whl"
    record = []
    with zipfile.ZipFile(pure) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:

        def add(path: str, data: bytes, mode: int) -> None:
            info = zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0))
            info.external_attr, info.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
            new.writestr(info, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}")

        for path in old.namelist():
            data = old.read(path)
            # The program itself is there, and not what looks for it.
            if path in (f"{about}/RECORD", f"{about}/entry_points.txt"):
                continue
            if path == f"{about}/METADATA":
                data = data.replace(b"\nLicense-Expression:", b"\nLicense-File: LICENSE\nLicense-Expression:", 1)
            if path == f"{about}/WHEEL":
                lines = "".join(f"Tag: py3-none-{one}\n" for one in tags.split("."))
                text = re.sub(r"^Tag: .*\n", "", data.decode(), flags=re.M).replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
                data = (text.rstrip("\n") + "\n" + lines).encode()
            add(path, data, 0o644)
        add(f"{about}/licenses/LICENSE", (HERE.parents[1] / "LICENSE").read_bytes(), 0o644)
        for path, (data, mode) in parts.items():
            add(path, data, mode)
        record.append(f"{about}/RECORD,,\n")
        new.writestr(zipfile.ZipInfo(f"{about}/RECORD", (2026, 1, 1, 0, 0, 0)), "\n".join(record))
    return made


def main() -> None:
    to = Path(sys.argv[1])
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, str(HERE)], check=True)
        pure = next(Path(folder).glob("*.whl"))
        name, version = pure.name.split("-")[:2]
        for platform in sys.argv[2:] or PLATFORMS:
            built = program(platform, version, Path(folder))
            parts = {f"{name}-{version}.data/scripts/{built.name}": (built.read_bytes(), 0o755)}
            for tags, target in PLATFORMS[platform].items():
                carried = {}
                if target:
                    built = library(platform, version, target, Path(folder))
                    carried[f"{name}/{built.name}"] = (built.read_bytes(), 0o755)
                made = wheel(pure, tags, parts | carried, to)
                print(f"{made} ({made.stat().st_size / 1e6:.1f} MB)", flush=True)


if __name__ == "__main__":
    main()
