"""A bot plays all seats of a match: play.py LIBRARY GAME BOT SEED. Prints each decision with a digest of what a network would read, then the
returns. Needs nothing but Python."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

OVER, HANDLE, SHORT, SEATS = -2, -10, -14, 0


def load(path: str) -> ctypes.CDLL:
    """The library. Numbers are 64 bits wide, so what is not an ``int`` of C says so."""
    library = ctypes.CDLL(path)
    handle, seed, size = ctypes.c_int64, ctypes.c_uint64, ctypes.POINTER(ctypes.c_int64)
    for name, arguments in {
        "free": [handle],
        "game": [ctypes.c_char_p],
        "size": [handle, ctypes.c_int32],
        "action_name": [handle, ctypes.c_int32, ctypes.c_char_p, size],
        "match": [handle, seed],
        "seat": [handle],
        "apply": [handle, ctypes.c_int32],
        "mask": [handle, ctypes.c_void_p, size],
        "observation": [handle, ctypes.c_int32, ctypes.c_void_p, size],
        "rows": [handle, ctypes.c_void_p, size],
        "returns": [handle, ctypes.c_void_p, size],
        "bot": [handle, ctypes.c_char_p],
        "think": [handle, handle, seed, ctypes.c_void_p, size, ctypes.c_void_p, size],
    }.items():
        function = getattr(library, f"privateer_{name}")
        function.argtypes, function.restype = arguments, ctypes.c_int64
    library.privateer_error.restype = ctypes.c_char_p
    return library


def digest(data: bytes) -> int:
    """FNV-1a."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def main(path: str, name: str, player: str, seed: int) -> None:
    privateer = load(path)

    def must(n: int) -> int:
        """The result of a call, unless that is an error."""
        if n <= HANDLE:
            sys.exit(f"play.py: {privateer.privateer_error().decode()}")
        return n

    def filled(call: Callable[..., int], *arguments: int, kind: Any = ctypes.c_char) -> Any:
        """What a call fills a buffer with, whose size it says itself."""
        size = ctypes.c_int64(0)
        to = (kind * 0)()
        n = call(*arguments, None, size)
        if n == SHORT:
            to = (kind * size.value)()
            n = call(*arguments, to, size)
        must(n)
        return to

    game = must(privateer.privateer_game(name.encode()))
    bot, match = must(privateer.privateer_bot(game, player.encode())), must(privateer.privateer_match(game, seed))
    while (seat := must(privateer.privateer_seat(match))) != OVER:
        seen = bytes(filled(privateer.privateer_observation, match, seat))
        seen += bytes(filled(privateer.privateer_mask, match)) + bytes(filled(privateer.privateer_rows, match))
        seed += 1
        action = must(privateer.privateer_think(bot, match, seed, None, None, None, None))
        print(seat, filled(privateer.privateer_action_name, game, action).value.decode(), f"{digest(seen):016x}")
        must(privateer.privateer_apply(match, action))
    for x in filled(privateer.privateer_returns, match, kind=ctypes.c_float):
        print(f"returns {x:.6f}")
    for handle in (match, bot, game):
        must(privateer.privateer_free(handle))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("usage: play.py LIBRARY GAME BOT SEED")
    main(*sys.argv[1:4], int(sys.argv[4]))
