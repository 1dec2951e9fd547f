"""Whose a reward is."""

import numpy as np
import pytest

import privateer


def rollout(game, n, steps, seed=1, **options):
    envs = privateer.make_vec(game, n, opponents=None, autoreset_mode="SAME_STEP", seed=seed, **options)
    _, infos = envs.reset()
    rng = np.random.default_rng(0)
    rewards, players, ended = [], [], []
    for _ in range(steps):
        players.append(infos["current_player"])
        mask = infos["action_mask"]
        _, _, terminated, truncated, infos = envs.step((rng.random(mask.shape) * mask).argmax(1))
        rewards.append(infos["rewards"])
        ended.append(terminated | truncated)
    envs.close()
    return np.array(rewards), np.array(players), np.array(ended)


@pytest.mark.parametrize("game", ["kuhn", "leduc", "doubloons(seats=3,rewards=running)"])
def test_a_decision_earns_what_its_player_is_paid_until_its_next_one(game):
    """Against the definition, decision by decision."""
    n, steps, gamma, decay = 5, 60, 0.9, 0.8
    rewards, players, ended = rollout(game, n, steps)
    values = np.random.default_rng(1).normal(size=(steps, n)).astype(np.float32)
    final = np.random.default_rng(2).normal(size=rewards.shape).astype(np.float32) * ended[:, :, None]
    got = privateer.credit(rewards, players, values, ended, final_values=final, gamma=gamma, gae_lambda=decay)

    def advantage(t, row):
        """None if it is open."""
        player, paid = players[t, row], 0.0
        for k in range(t, steps):
            if k > t and players[k, row] == player:
                after = advantage(k, row)
                return paid + gamma * values[k, row] - values[t, row] + gamma * decay * (after or 0.0)
            paid += rewards[k, row, player]
            if ended[k, row]:
                return paid + gamma * final[k, row, player] - values[t, row]
        return None

    for t in range(steps):
        for row in range(n):
            expected = advantage(t, row)
            assert got.closed[t, row] == (expected is not None)
            assert got.advantage[t, row] == pytest.approx(expected or 0.0, abs=1e-4)
    assert got.closed.any() and not got.closed.all()
    np.testing.assert_allclose(got.target, got.advantage + values, rtol=1e-6)


def test_all_that_is_paid_is_somebodys():
    """With no discount, an episode's first decisions of all players earn the episode's returns: zero-sum in Kuhn."""
    rewards, players, ended = rollout("kuhn", 400, 12)
    zero = np.zeros(players.shape, np.float32)
    got = privateer.credit(rewards, players, zero, ended, gae_lambda=1.0)
    # In Kuhn the first two decisions of a match are of the two players.
    begins = np.vstack([np.ones((1, 400), bool), ended[:-1]])[:-1]
    both = got.closed[:-1] & got.closed[1:] & begins & ~ended[:-1]
    np.testing.assert_allclose((got.advantage[:-1] + got.advantage[1:])[both], 0, atol=1e-6)
    assert both.sum() > 500


def test_shapes_are_checked():
    with pytest.raises(ValueError, match=r"players \(2, 4\): want \(2, 3\)"):
        privateer.credit(np.zeros((2, 3, 2)), np.zeros((2, 4), int), np.zeros((2, 3)), np.zeros((2, 3)))
    with pytest.raises(ValueError, match=r"rewards \(2, 3\): want \[T, N, P\]"):
        privateer.credit(*(np.zeros((2, 3), int) for _ in range(4)))
