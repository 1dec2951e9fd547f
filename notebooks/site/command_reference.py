"""The page of the commands, as each of them describes itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

HEAD = """# Commands

What `privateer COMMAND --help` prints, command by command. Where flags are entries of a configuration, as those of `train` and `serve`, a YAML file has the same
names with underscores. Exit codes are 0 for success, 1 if something failed, 2 for a command line that makes no sense, 3 and 4 for the gates of `eval`.
"""


def page(program: Path) -> str:
    """Markdown: a section for each command, those of a command after it."""
    return "\n".join([HEAD, *described(program)])


def described(program: Path, *words: str) -> list[str]:
    """A command's help, and that of its own commands."""
    said = subprocess.run([program, *words, "--help"], check=True, capture_output=True, text=True).stdout
    listed = re.search(r"^Available Commands:\n((?:  .*\n)+)", said, re.MULTILINE)
    below = [line.split()[0] for line in listed[1].splitlines()] if listed else []
    if not words:
        below.append("players")  # a topic, which is no command
    text = [f"{'#' * (len(words) + 1)} privateer {' '.join(words)}\n"] if words else []
    text.append(f"````text\n{said.rstrip()}\n````\n")
    for name in below:
        if name != "help":
            text += described(program, *words, name)
    return text
