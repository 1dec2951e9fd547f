"""What callers give, checked once for all environments and commands: seeds and actions.

What is none is a TypeError or a ValueError that names it, and is never rounded or cut off to one. An action that is one, and
not legal, is for the game to refuse.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_SEEDS = 1 << 64


def seed_of(seed: Any) -> int:
    """A seed, which may be NumPy's.

    Raises:
        TypeError, ValueError: it is no integer, such as True or 1.0, or not from 0 to 2**64 - 1.
    """
    try:
        if isinstance(seed, (bool, np.bool_)):
            raise TypeError
        number = operator.index(seed)
    except TypeError:
        raise TypeError(f"seed {seed!r}: want an integer from 0 to 2**64 - 1") from None
    if not 0 <= number < _SEEDS:
        raise ValueError(f"seed {seed!r}: want an integer from 0 to 2**64 - 1")
    return number


def seeds_of(seeds: int | Sequence[int | None] | None, rows: int) -> int | list[int | None] | None:
    """One seed, none, or one or none for each row: a list of nothing but None is none."""
    if seeds is None:
        return None
    if not isinstance(seeds, (list, tuple, range, np.ndarray)) or np.ndim(seeds) == 0:
        return seed_of(seeds)
    each = [None if seed is None else seed_of(seed) for seed in seeds]
    if len(each) != rows:
        raise ValueError(f"{len(each)} seeds: want one for each of the {rows} rows, or one for all")
    return each if any(seed is not None for seed in each) else None


def actions_of(actions: npt.ArrayLike) -> np.ndarray:
    """Actions as an array of integers; booleans count as 0 and 1."""
    try:
        a = np.asarray(actions)
    except (TypeError, ValueError, RuntimeError) as error:  # a list of lists of many lengths, a tensor that has a gradient
        raise TypeError(f"actions {actions!r}: want an array of integers: {error}") from None
    kind = a.dtype.kind
    if kind == "i":
        return a
    if kind == "b":
        return a.view(np.uint8)
    if kind != "u":
        raise TypeError(f"actions of {a.dtype}: want integers, and not {actions!r}")
    # What is sent has signs; numbers beyond are no actions, and may not become some.
    return np.minimum(a, np.iinfo(np.int64).max).astype(np.int64) if a.dtype == np.uint64 else a


def action_of(action: Any) -> int:
    """One action: an integer, or an array of one."""
    try:
        a = actions_of(action)
    except TypeError:
        raise TypeError(f"action {action!r}: want an integer") from None
    if a.size != 1:
        raise ValueError(f"action {action!r}: want one integer, and not {a.size}")
    return int(a.reshape(()))
