"""The Gymnasium vector environment."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import privateer

GAMES = ["leduc", "doubloons(seats=4)", "jolly_roger(seats=10)"]


def sample(infos, rng):
    mask = infos["action_mask"]
    return (rng.random(mask.shape) * mask).argmax(1)


@pytest.fixture
def make(client):
    made = []

    def make(game, n=6, **options):
        made.append(privateer.make_vec(game, n, client=client, **options))
        return made[-1]

    yield make
    for envs in made:
        envs.close()


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_illegal_actions_are_replaced_and_told_or_refused(make, mode):
    """Libraries that draw actions without masks, as skrl and PPO of Stable-Baselines3 do, play with illegal="random" alone."""
    strict, *lenient = (make("leduc", 8, autoreset_mode=mode, illegal=illegal, seed=1) for illegal in ("raise", "random", "random"))
    (a, infos), (b, _) = (envs.reset(seed=2) for envs in lenient)
    strict.reset(seed=2)
    wrong = infos["action_mask"].argmin(1)
    with pytest.raises(privateer.IllegalActionError):
        strict.step(wrong)
    rng, told = np.random.default_rng(0), 0
    for _ in range(60):
        mask, actions = infos["action_mask"], rng.integers(-1, 4, 8)
        legal = (actions >= 0) & (actions < 3)
        legal[legal] = mask[legal, actions[legal]] == 1
        a, *_, infos = lenient[0].step(actions)
        b, *_, others = lenient[1].step(actions)
        np.testing.assert_array_equal(a, b, "the same seed draws the same actions instead")
        assert ("illegal_action" in infos) == (not legal.all())
        if "illegal_action" in infos:
            np.testing.assert_array_equal(infos["_illegal_action"], ~legal)
            np.testing.assert_array_equal(infos["illegal_action"][~legal], actions[~legal])
            told += 1
        assert data_equivalence(infos, others)
    assert told > 20
    infos = lenient[0].reset(seed=2)[1]
    while infos["action_mask"][:, 0].all():
        infos = lenient[0].step(sample(infos, rng))[-1]
    told = lenient[0].step(np.zeros(8, np.bool_))[-1]
    np.testing.assert_array_equal(told["_illegal_action"], infos["action_mask"][:, 0] == 0)
    # Legal actions are played as they are, and seeds in a list are seeds of what is drawn too.
    (a, infos), (b, _), (c, _) = (envs.reset(seed=list(range(5, 13))) for envs in (*lenient, strict))
    for _ in range(20):
        actions = sample(infos, rng)
        a, *_, infos = lenient[0].step(actions)
        np.testing.assert_array_equal(a, strict.step(actions)[0])
        np.testing.assert_array_equal(a, lenient[1].step(actions)[0])
    np.testing.assert_array_equal(*(envs.step(np.full(8, -1))[0] for envs in lenient))


def test_how_illegal_actions_are_met_is_a_word_that_is_known(client):
    with pytest.raises(ValueError, match="illegal 'ignore': want raise or random"):
        privateer.make_vec("leduc", 2, client=client, illegal="ignore")


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize("game", GAMES)
def test_everything_lies_in_its_space(make, game, dtype):
    envs = make(game, dtype=dtype, seed=1)
    assert isinstance(envs, gymnasium.vector.VectorEnv)
    obs, infos = envs.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(60):
        assert envs.observation_space.contains(obs) and obs.dtype == dtype
        assert infos["action_mask"].any(1).all() and infos["_action_mask"].all()
        actions = sample(infos, rng)
        assert envs.action_space.contains(actions)
        obs, reward, terminated, truncated, infos = envs.step(actions)
        assert reward.shape == terminated.shape == truncated.shape == (6,)
        assert terminated.dtype == truncated.dtype == np.bool_


def test_seeds(make):
    """What gymnasium.utils.env_checker checks of single environments, of vectors."""
    a, b, c = (make("doubloons(seats=3)", opponents="heuristic", shuffle_seats=True, seed=s) for s in (1, 2, 2))
    x, y = a.reset(seed=123), b.reset(seed=123)
    assert data_equivalence(x, y)
    rng = np.random.default_rng(0)
    for _ in range(40):
        actions = sample(x[1], rng)
        r, s = a.step(actions), b.step(actions)
        assert data_equivalence(r, s)
        x = r[0], r[-1]
    assert not data_equivalence(a.reset(seed=124)[0], a.reset(seed=123)[0])
    seeds = [7, 8, 9, 10, 11, 12]
    assert data_equivalence(a.reset(seed=seeds)[0], c.reset(seed=np.array(seeds))[0])
    assert not data_equivalence(a.reset(seed=seeds)[0], c.reset(seed=7)[0]), "one seed is not its neighbours'"
    assert not data_equivalence(a.reset()[0], a.reset()[0]), "reset without a seed continues"
    for none in ([None] * 6, (None,) * 6):
        assert not data_equivalence(a.reset(seed=none)[0], a.reset(seed=none)[0])
    for wrong in ([], [1, 2], [None] * 5, [1] * 7):
        with pytest.raises(ValueError, match=f"^{len(wrong)} seeds: want one for each of the 6 rows"):
            a.reset(seed=wrong)


def test_returned_data_is_not_used_again(make):
    envs = make("leduc", seed=1)
    obs, infos = envs.reset()
    kept, copy = (obs, infos), (obs.copy(), {k: v.copy() for k, v in infos.items()})
    envs.step(sample(infos, np.random.default_rng(0)))
    assert data_equivalence(kept, copy)


def test_rewards_of_an_episode_are_its_return(make):
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        envs = make("leduc", 8, autoreset_mode=mode, player=1, seed=5)
        assert envs.metadata["autoreset_mode"] == envs.autoreset_mode == mode
        _, infos = envs.reset()
        rng, sums, ended = np.random.default_rng(0), np.zeros(8), 0
        for _ in range(80):
            assert (infos["current_player"] == 1).all() or mode == AutoresetMode.NEXT_STEP
            _, reward, terminated, truncated, infos = envs.step(sample(infos, rng))
            sums += reward
            done = terminated | truncated
            assert ("episode_return" in infos) == done.any()
            if done.any():
                np.testing.assert_array_equal(infos["_episode_return"], done)
                np.testing.assert_allclose(infos["episode_return"][done], sums[done], atol=1e-6)
                assert ("final_obs" in infos) == (mode == AutoresetMode.SAME_STEP)
                sums[done] = 0
                ended += done.sum()
        assert ended > 20


def test_disabled_resets_by_mask(make):
    envs = make("kuhn", 4, autoreset_mode="DISABLED", seed=1)
    _, infos = envs.reset()
    for _ in range(3):
        _, _, terminated, _, infos = envs.step(np.zeros(4, np.int64))
    assert (infos["action_mask"] == 1).all() and terminated.all(), "what is over stays over"
    _, infos = envs.reset(options={"reset_mask": np.array([True, False, False, True])})
    assert envs.session.batch.episode_step[[0, 3]].max() < envs.session.batch.episode_step[[1, 2]].min()


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_a_limit_of_the_game_truncates(make, mode):
    """A match that max_rounds cuts short does not end by the rules: nobody has won, and it is to be bootstrapped."""
    short, whole = (make(f"doubloons(seats=2,max_rounds={n})", 3, autoreset_mode=mode, player=1, seed=5) for n in (1, 2))
    _, infos = short.reset(seed=5)
    whole.reset(seed=5)
    rng = np.random.default_rng(0)
    for _ in range(200):
        actions = sample(infos, rng)
        obs, reward, terminated, truncated, infos = short.step(actions)
        assert not terminated.any() and not reward.any()
        if truncated.any():
            break
        after = whole.step(actions)[0]
        np.testing.assert_array_equal(obs, after)
    assert truncated.any()
    final = infos["final_obs"] if mode == "SAME_STEP" else obs
    row = int(np.flatnonzero(truncated)[0])
    views = short.session.batch.endings.final_observation[0]
    np.testing.assert_array_equal(final[row], views[1])
    np.testing.assert_array_equal(infos["episode_return"][truncated], 0)


def test_self_play_rewards_who_has_acted(make):
    envs = make("kuhn", 4, opponents=None, autoreset_mode="SAME_STEP")
    _, infos = envs.reset(seed=1)
    for _ in range(10):
        acted = infos["current_player"]
        _, reward, *_, infos = envs.step(np.zeros(4, np.int64))
        np.testing.assert_array_equal(reward, infos["rewards"][np.arange(4), acted])


def test_wrappers_fit(make):
    envs = RecordEpisodeStatistics(make("kuhn", 4, autoreset_mode="NEXT_STEP"))
    _, infos = envs.reset(seed=1)
    rng, seen = np.random.default_rng(0), 0
    for _ in range(20):
        *_, infos = envs.step(sample(infos, rng))
        seen += infos["_episode"].sum() if "_episode" in infos else 0
    assert seen > 0


def test_render(client):
    envs = privateer.make_vec("kuhn", 2, client=client, render_mode="ansi")
    envs.reset(seed=1)
    assert len(envs.render()) == 2 and all(envs.render())
    envs.close()


def test_rows_are_asked_as_those_of_gymnasiums_vectors(make):
    """skrl calls render by row, wrappers ask for attributes."""
    envs, shown = make("kuhn", 2), make("kuhn", 2, render_mode="ansi")
    shown.reset(seed=1)
    assert envs.call("render") == (None, None) and shown.call("render") == shown.render()
    assert shown.get_attr("render_mode") == ("ansi", "ansi") and envs.get_attr("action_space") == (envs.single_action_space,) * 2
    assert envs.call("observation_space") == (envs.single_observation_space,) * 2
    for wrong in (lambda: envs.call("reset"), lambda: envs.get_attr("nothing"), lambda: envs.set_attr("player", 1)):
        with pytest.raises(AttributeError):
            wrong()


def test_what_makes_no_sense_is_refused(client):
    for wrong in ({"opponents": ["random"] * 4}, {"player": 2}, {"dtype": np.int32}, {"autoreset_mode": "LATER"}):
        with pytest.raises(ValueError):
            privateer.make_vec("leduc", 2, client=client, **wrong)


def test_float32_is_the_bytes_scaled(make):
    raw, scaled = (make("doubloons(seats=4)", dtype=dtype, seed=1) for dtype in (np.uint8, np.float32))
    (a, infos), (b, _) = raw.reset(seed=3), scaled.reset(seed=3)
    scales = raw.session.spec.observation.scales()
    for _ in range(20):
        np.testing.assert_array_equal(a * scales, b)
        assert not a.flags.owndata, "bytes are not copied"
        actions = infos["action_mask"].argmax(1)
        (a, *_, infos), (b, *_) = raw.step(actions), scaled.step(actions)


def test_other_dtypes_are_refused_before_anything_is_opened():
    with pytest.raises(ValueError, match="uint8 or float32"):
        privateer.make_vec("leduc", 2, client="nowhere:1", dtype=np.float64)


HIDDEN = ["leduc", "doubloons(seats=3)", "jolly_roger(seats=4,variants=hidden_prizes)"]


@pytest.mark.parametrize("game", HIDDEN)
@pytest.mark.parametrize("player", [0, 1])
def test_an_end_is_shown_as_the_player_sees_it(make, game, player):
    """A value that is bootstrapped at a truncation is that of the player, before a decision of its own."""
    n, most = 8, 2

    def last(mask):
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(1)

    options = {"opponents": "random", "player": player, "seed": 4, "max_decisions": most, "shuffle_seats": True}
    envs, same = (make(game, n, autoreset_mode=mode, **options) for mode in ("NEXT_STEP", "SAME_STEP"))
    (obs, infos), (other, _) = envs.reset(seed=4), same.reset(seed=4)
    finished, cut = np.zeros(n, np.bool_), 0
    for step in range(most):
        np.testing.assert_array_equal(obs[~finished], other[~finished])
        actions = last(infos["action_mask"])
        obs, _, terminated, truncated, infos = envs.step(actions)
        # Rows that have ended play on in one of the two: they are not compared any more.
        other, *_, others = same.step(np.where(finished, last(same.session.batch.action_mask), actions))
        ended = (terminated | truncated) & ~finished
        assert (infos["current_player"] == player).all()
        ends = envs.session.batch.endings
        for row in np.flatnonzero(ended):
            views = envs.session.observe(int(row))
            np.testing.assert_array_equal(obs[row], views[player])
            np.testing.assert_array_equal(others["final_obs"][row], views[player])
            assert infos["episode_length"][row] == step + 1 == others["final_info"]["episode_length"][row]
            k = ends.row.tolist().index(row)
            assert ends.final_player[k] == player
            np.testing.assert_array_equal(ends.final_observation[k], views)
            assert not np.delete(views, player, 0).any(), "what bots see is shown"
        cut += (truncated & ended).sum()
        finished |= ended
    assert finished.all() and cut


def test_hidden_prizes_are_in_no_score_of_a_truncated_match(make):
    game = "jolly_roger(seats=4,variants=hidden_prizes)"
    envs = make(game, 16, max_decisions=30, autoreset_mode="SAME_STEP", seed=2)
    _, infos = envs.reset(seed=2)
    rng, own, cut = np.random.default_rng(0), 0, 0
    for _ in range(120):
        _, _, _, truncated, infos = envs.step(sample(infos, rng))
        ends = envs.session.batch.endings
        if ends is not None and truncated.any():
            scores = ends.score[truncated[ends.row]]
            assert not scores[:, 1:].any()
            own += scores[:, 0].any()
            cut += truncated.sum()
    assert own and cut


def test_session_in_which_others_are_asked_is_no_single_players(client):
    with client.open("leduc", 2) as session:
        with pytest.raises(ValueError, match=r"player 0: this side plays \[0, 1\]"):
            privateer.PrivateerVectorEnv(session)
        privateer.PrivateerVectorEnv(session, player=None).reset(seed=1)


@pytest.mark.parametrize("make", [privateer.make_vec, lambda game, n, **options: gymnasium.make_vec("privateer/Leduc-v1", n, **options)])
def test_a_vector_has_no_render_mode_that_it_cannot_show(make):
    for mode in ("human", "pixels", "rgb_array_list"):
        with pytest.raises(ValueError, match=f"render_mode '{mode}'"):
            make("leduc", 2, render_mode=mode)
    for mode, shows in (("ansi", True), ("rgb_array", True), (None, False)):
        envs = make("leduc", 2, render_mode=mode)
        envs.reset(seed=1)
        assert (envs.render_mode is not None) == (envs.render() is not None) == shows
        envs.close()


def test_infos_are_split_by_row():
    """By Gymnasium's own wrapper: whatever is in them has N entries."""
    from gymnasium.wrappers.vector import DictInfoToList

    envs = DictInfoToList(privateer.make_vec("doubloons(seats=2)", 3, action_rows=True, autoreset_mode="SAME_STEP", max_decisions=4))
    _, infos = envs.reset(seed=1)
    for _ in range(9):
        assert all(len(info["action_rows"]) == info["action_mask"].sum() for info in infos)
        infos = envs.step(np.array([info["action_mask"].argmax() for info in infos]))[4]
    envs.close()
