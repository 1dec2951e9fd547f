"""Credit assignment when one learner plays all seats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Credit:
    """Advantages and value targets of a rollout's decisions, each for the player that took it."""

    advantage: np.ndarray  #: ``[T, N]`` float32; 0 at an open decision
    target: np.ndarray  #: ``[T, N]`` float32: what its value should have been
    closed: np.ndarray  #: ``[T, N]`` bool: train on these only


def credit(
    rewards: npt.ArrayLike,
    players: npt.ArrayLike,
    values: npt.ArrayLike,
    ended: npt.ArrayLike,
    *,
    final_values: npt.ArrayLike | None = None,
    gamma: float = 1.0,
    gae_lambda: float = 0.95,
) -> Credit:
    """Generalised advantage estimation by seat, for self-play: ``make_vec(game, n, opponents=None, autoreset_mode="SAME_STEP")``.

    In step t, row n decided as ``players[t, n]`` (``current_player`` before the step) with the value ``values[t, n]``, and every
    player earned ``rewards[t, n, :]`` (``infos["rewards"]`` after it); ``ended[t, n]`` says whether the episode ended then. A
    decision earns all of its player's rewards until that player's next decision, or to the end: the
    others' actions in between count, but not their rewards.

    Where the rollout is cut, each player's last decision in a row is still open, because its result is unknown. It is not
    ``closed``: leave it out. Decisions before it are bootstrapped with its value.

    ``gamma`` discounts by the player's own decisions, not by steps, and ``gae_lambda`` weighs longer advantages.

    ``final_values`` ``[T, N, P]`` are the players' values of the views in ``session.batch.endings.final_observation`` of episodes
    that were truncated; 0 elsewhere.
    """
    rewards, players, values, ended = np.asarray(rewards, np.float32), np.asarray(players), np.asarray(values, np.float32), np.asarray(ended, np.bool_)
    if rewards.ndim != 3:
        raise ValueError(f"rewards {rewards.shape}: want [T, N, P], what every player earned in each step")
    steps, n, seats = rewards.shape
    for name, a in (("players", players), ("values", values), ("ended", ended)):
        if a.shape != (steps, n):
            raise ValueError(f"{name} {a.shape}: want {(steps, n)}, as of rewards {rewards.shape}")
    final = np.zeros((steps, n, seats), np.float32) if final_values is None else np.asarray(final_values, np.float32)
    advantage, closed = np.zeros((steps, n), np.float32), np.zeros((steps, n), np.bool_)
    # By row and player, of what comes after the step at hand: what it has been paid up to its next decision, that
    # decision's value and advantage, and whether there is one, or an end.
    earned, following, running = (np.zeros((n, seats), np.float32) for _ in range(3))
    known = np.zeros((n, seats), np.bool_)
    rows = np.arange(n)
    for t in reversed(range(steps)):
        over = ended[t]
        earned[over], running[over], known[over] = 0, 0, True
        following[over] = final[t][over]
        earned += rewards[t]
        at = rows, players[t]
        delta = earned[at] + gamma * following[at] - values[t]
        closed[t] = known[at]
        advantage[t] = np.where(closed[t], delta + gamma * gae_lambda * running[at], 0)
        following[at], running[at], earned[at], known[at] = values[t], advantage[t], 0, True
    return Credit(advantage, advantage + values, closed)
