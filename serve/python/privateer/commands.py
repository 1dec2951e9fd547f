"""The program's commands that measure and explain, from Python: their ``--json`` output, parsed."""

from __future__ import annotations

import functools
import itertools
import json
import re
import subprocess
import tempfile
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import grpc

from privateer.errors import PrivateerError
from privateer.given import seed_of
from privateer.launch import attended, find_binary, how_ended
from privateer.policy import Policy, PolicyBot, label, policy_of, read_policy, written
from privateer.session import check_version


#: Who may play: a bot by name, the path of a bundle, a run or a checkpoint where a command takes one, or a policy.
Player = str | PathLike[str] | Policy | PolicyBot

# What the program ends with that has answered: 0, and what a gate found out (see `privateer eval --help`).
_ANSWERED = (0, 3, 4)


@functools.lru_cache
def _checked(binary: str) -> str:
    """The program, if it is of this package's release: asked once."""
    ended = subprocess.run([binary, "version", "--json"], capture_output=True, encoding="utf-8", errors="replace")
    if ended.returncode < 0:
        raise PrivateerError(f"{binary} version: {how_ended(ended.returncode)}", grpc.StatusCode.ABORTED)
    try:
        version = json.loads(ended.stdout)["version"]
    except (ValueError, TypeError, KeyError):
        version = ""
    check_version(version, binary)
    return binary


def command(*arguments: Player, **flags: Any) -> str:
    """Run a command of the program, and return its parsed output.

    Flags have the names that ``privateer COMMAND --help`` has, with underscores: ``matches=4000``; True stands alone, None and False are left
    out (a flag whose default is not false is denied by "false"), a list is joined by commas. A policy (:func:`privateer.load_policy`) may
    stand for a player.
    """
    lists = [value if isinstance(value, (list, tuple)) else [value] for value in (*arguments, *flags.values())]
    with written(filter(None, map(policy_of, itertools.chain(*lists)))) as folder:

        def text(value: Any) -> str:
            policy = policy_of(value)
            return str(value) if policy is None or folder is None else f"policy:{folder / label(policy)}.bundle"

        line = [_checked(find_binary()), *map(text, arguments)]
        for name, value in flags.items():
            if value is None or value is False:
                continue
            joined = ",".join(map(text, value)) if isinstance(value, (list, tuple)) else text(value)
            line.append(f"--{name.replace('_', '-')}" + ("" if value is True else f"={joined}"))
        ended = subprocess.run(line, capture_output=True, encoding="utf-8", env=attended())
    if ended.returncode not in _ANSWERED:
        said = ended.stderr.strip().removeprefix("privateer: ") or f"{line[1]}: {how_ended(ended.returncode)}"
        raise PrivateerError(said, grpc.StatusCode.INVALID_ARGUMENT)
    return ended.stdout


def _answer(*arguments: Player, **flags: Any) -> Any:
    if flags.get("seed") is not None:
        flags["seed"] = seed_of(flags["seed"])
    return json.loads(command(*arguments, json=True, **flags))


def load_policy(path: str | PathLike[str] | bytes) -> Policy:
    """Read a bundle of ``privateer export`` or :func:`save_bundle`, or a bundled policy by its name: ``captain``.

    Raises:
        BundleError: the file is damaged or foreign.
        FileNotFoundError: there is neither such a file nor such a policy.
    """
    if not isinstance(path, str) or not _NAME.fullmatch(path) or Path(path).exists():
        return read_policy(path)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "policy.bundle")
        try:
            command("export", path, out=file)
        except PrivateerError as error:
            raise FileNotFoundError(f"{path}: there is no such file, nor a policy of that name that comes with the program: {error}") from None
        return read_policy(file.read_bytes())


#: A policy of the program, by its name alone or as a player; it may be pinned to a version.
_NAME = re.compile(r"(policy:)?[\w-]+(@\d+)?")


def rules(game: str, *clauses: str, grep: str | None = None) -> list[dict[str, Any]]:
    """A game's rules by clause: all of them, those named (``"MOV"`` names MOV-1, MOV-2, …), or those that match a regular expression."""
    return _answer("rules", game, *clauses, grep=grep)


def replay(transcript: str | PathLike[str], *, view: int | None = None, positions: bool = False) -> dict[str, Any]:
    """A transcript, step by step, checked; whole or as a seat sees it, with ``positions`` after each step."""
    return _answer("replay", transcript, view=view, positions=positions)


def simulate(game: str, *, bots: Player | Sequence[Player] = ("random",), matches: int = 100, seed: int = 1, record: str | PathLike[str] | None = None) -> dict[str, Any]:
    """Matches between bots, summed up; ``record`` names a folder for their transcripts."""
    return _answer("sim", game, bots=bots, matches=matches, seed=seed, record=record)


def balance(*games: str, bots: Player | Sequence[Player] = ("random",), matches: int = 1000, seed: int = 1, **flags: Any) -> dict[str, Any]:
    """Balance of configurations of a game, by seat and by captain; ``flags`` are those of ``privateer balance``."""
    return _answer("balance", *games, bots=bots, matches=matches, seed=seed, **flags)


def rate(*players: Player, game: str | None = None, matches: int = 400, seed: int = 1, **flags: Any) -> dict[str, Any]:
    """Ratings of players (bots, bundles) against each other; ``flags`` are those of ``privateer rate``."""
    return _answer("rate", *players, game=game, matches=matches, seed=seed, **flags)


def evaluate(player: Player, *, matches: int = 1000, seed: int = 1, **flags: Any) -> Any:
    """A player's results; ``flags`` are those of ``privateer eval``.

    With ``against=`` it is a list of comparisons, with ``gate=`` a dict whose ``"decision"`` is ``"better"``, ``"not better"`` or ``"undecided"``, and of a
    policy with ``bots=``, or neither, a dict with its results under ``"versus"``.
    """
    return _answer("eval", player, matches=matches, seed=seed, **flags)


def exploit(player: Player, *, game: str | None = None, learners: int = 0, matches: int = 1000, seed: int = 1, **flags: Any) -> dict[str, Any]:
    """The exploitability of a player (a bot, a bundle, a run): by searches, by trained ``learners`` if the program can train, and
    exactly (``["exact"]``) if the game is small enough; ``flags`` are those of ``privateer exploit``.

    For a function instead of a player, see :meth:`privateer.Engine.exploitability`.
    """
    return _answer("exploit", player, game=game, learners=learners, matches=matches, seed=seed, **flags)


def benchmark(player: Player | None = None, *, tasks: str | Sequence[str] | None = None, quick: bool = False, out: str | PathLike[str] | None = None, **flags: Any) -> Any:
    """A player's scores by frozen tasks, ``["games"]`` and ``["tasks"]`` (those of a game, or named), or without a player a list of all tasks.

    ``quick`` plays a tenth of the matches; ``out`` names a folder that keeps the result, for the same call to continue. ``flags`` are those of
    ``privateer benchmark``.
    """
    return _answer("benchmark", *() if player is None else (player,), tasks=tasks, quick=quick, out=out, **flags)
