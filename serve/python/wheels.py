"""Wheels that contain the program: test.sh wheels FOLDER [PLATFORM…], one for each platform or those named.

The package is the same for all of them; the program, which is static, is built for each, and pip puts it
beside the interpreter.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

#: What pip calls a platform, by what Go does. The program needs no C library. Go 1.26 wants macOS 12.
PLATFORMS = {
    "linux/amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin/arm64": "macosx_12_0_arm64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}


def program(platform: str, version: str, folder: Path) -> Path:
    """The program for a platform. It says that it is of the package's version, so that each can refuse another."""
    system, machine = platform.split("/")
    built = folder / ("privateer.exe" if system == "windows" else "privateer")
    flags = f"-s -w -X github.com/privateer-rl/privateer/serve/version.release=v{version}"
    command = [os.environ.get("GO", "go"), "build", "-trimpath", "-ldflags", flags, "-o", str(built), "./cmd/privateer"]
    subprocess.run(command, check=True, cwd=HERE.parents[1], env=os.environ | {"GOOS": system, "GOARCH": machine, "CGO_ENABLED": "0"})
    return built


def wheel(pure: Path, platform: str, to: Path) -> Path:
    """A wheel like the one without the program, with it."""
    name, version = pure.name.split("-")[:2]
    tag = f"py3-none-{PLATFORMS[platform]}"
    about, made = f"{name}-{version}.dist-info", to / f"{name}-{version}-{tag}.whl"
    record = []
    with tempfile.TemporaryDirectory() as folder:
        binary = program(platform, version, Path(folder))
        script, built = binary.name, binary.read_bytes()  # before there is a wheel, which without it must not be left behind
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
                tags = "".join(f"Tag: py3-none-{one}\n" for one in PLATFORMS[platform].split("."))
                text = re.sub(r"^Tag: .*\n", "", data.decode(), flags=re.M).replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
                data = (text.rstrip("\n") + "\n" + tags).encode()
            add(path, data, 0o644)
        add(f"{about}/licenses/LICENSE", (HERE.parents[1] / "LICENSE").read_bytes(), 0o644)
        add(f"{name}-{version}.data/scripts/{script}", built, 0o755)
        record.append(f"{about}/RECORD,,\n")
        new.writestr(zipfile.ZipInfo(f"{about}/RECORD", (2026, 1, 1, 0, 0, 0)), "\n".join(record))
    return made


def main() -> None:
    to = Path(sys.argv[1])
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, str(HERE)], check=True)
        pure = next(Path(folder).glob("*.whl"))
        for platform in sys.argv[2:] or PLATFORMS:
            made = wheel(pure, platform, to)
            print(f"{made} ({made.stat().st_size / 1e6:.1f} MB)", flush=True)


if __name__ == "__main__":
    main()
