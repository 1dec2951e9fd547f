"""OpenSpiel on our games: its own tests, and its algorithms beside ours."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.integration_tests import api_test  # noqa: E402
from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts  # noqa: E402

import privateer  # noqa: E402
import privateer.open_spiel  # noqa: E402

ALL = ["kuhn", "leduc", "doubloons(seats=3)", "jolly_roger(seats=4)"]


def played(game, rng, most=10_000):
    state = game.new_initial_state()
    for _ in range(most):
        if state.is_terminal():
            break
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("game", ALL)
def test_simulation(game):
    small = game in ("kuhn", "leduc")
    pyspiel.random_sim_test(privateer.open_spiel.load(game), num_sims=5 if small else 1, serialize=small, verbose=False)


# Its tests of the API: over the whole tree of a game, and over some states.
for name, nodes, sets in (("kuhn", (4, 24, 30), 12), ("leduc", (49, 774, 1116), 288)):
    api_test.TOTAL_NUM_STATES[name], api_test.PERFECT_RECALL_NUM_STATES[name] = nodes, sets


def of(base, game):
    return type(base)(f"{base.__name__}_{game}", (base,), {"game_name": game, "game": privateer.open_spiel.load(game)})


TestWholeKuhn, TestWholeLeduc = (of(api_test.EnforceAPIOnFullTreeBase, game) for game in ALL[:2])
TestSomeKuhn, TestSomeLeduc, TestSomeDoubloons, TestSomeJollyRoger = (of(api_test.EnforceAPIOnPartialTreeBase, game) for game in ALL)


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_exploitability_is_ours(game):
    theirs, ours = privateer.open_spiel.load(game), privateer.Engine(game)
    uniform = ours.exploitability(lambda observations, masks: masks / masks.sum(1, keepdims=True))
    assert exploitability.nash_conv(theirs, policy.UniformRandomPolicy(theirs)) == pytest.approx(uniform.nash_conv, abs=1e-6)  # ours reckons chips as float32


def test_cfr_solves_our_kuhn():
    game = privateer.open_spiel.load("kuhn")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.nash_conv(game, average) < 0.01
    theirs = {state.information_state_string(): average.action_probabilities(state) for state in states(game.new_initial_state())}
    # The same policy, measured by our own best response.
    ours = privateer.Engine("kuhn")
    table = np.zeros((len(ours.information_sets()), len(ours.actions)))
    for i, s in enumerate(ours.information_sets()):
        now = f"player {s.seat}: {s.observation.tobytes().hex()}"
        found = next(p for key, p in theirs.items() if key.split(";")[0] == now)
        for action, p in found.items():
            table[i, action] = p
    assert ours.exploitability(table).nash_conv == pytest.approx(exploitability.nash_conv(game, average), abs=1e-9)


def states(state):
    """All states in which a player decides."""
    if state.is_terminal():
        return
    if not state.is_chance_node():
        yield state
    for action in state.legal_actions():
        yield from states(state.child(action))


def test_information_set_search_plays_our_doubloons():
    game, rng = privateer.open_spiel.load("doubloons(seats=2)"), np.random.RandomState(3)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), uct_c=2.0, max_simulations=4, random_state=rng)
    state, decisions = game.new_initial_state(), 0
    while decisions < 3:
        if state.is_chance_node() or len(state.legal_actions()) == 1:
            state.apply_action(int(rng.choice(state.legal_actions())))
            continue
        state.apply_action(int(bot.step(state)))
        decisions += 1


def test_a_player_cannot_tell_a_resampled_state():
    game, rng = privateer.open_spiel.load("doubloons(seats=3)"), np.random.default_rng(1)
    state = played(game, rng, 40)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    player = state.current_player()
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    others = [state.resample_from_infostate(player, sampler) for _ in range(4)]
    for other in others:
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.legal_actions() == state.legal_actions()
    views = {other.observation_string((player + 1) % 3) for other in others}
    assert len(views) > 1, "what the others hold was dealt anew"


def test_a_resampled_state_has_nothing_of_the_true_match():
    """Whatever the other player holds, it is the same state, in all that can be asked of it, kept or sent of it."""
    game, tellers = privateer.open_spiel.load("leduc"), []
    for theirs in "QK":
        state = game.new_initial_state()
        for action in ("deal=J", f"deal={theirs}", "call", "raise", "call", "public=J"):
            state.apply_action(state.string_to_action(action))
        one = state.resample_from_infostate(0, lambda: 0.25)
        after = one.child(one.legal_actions()[0])
        told = [(s.history(), s.history_str(), s.move_number(), str(s), vars(s)["_way"]) for s in (one, one.clone(), copy.deepcopy(one), after)]
        tellers.append((told, one.serialize(), pickle.dumps(one)))
        assert (one.history(), after.history()) == ([], [one.legal_actions()[0]])
    assert tellers[0] == tellers[1]


@pytest.mark.parametrize("name", ["doubloons(seats=3)", "jolly_roger(seats=4)"])
def test_a_resampled_state_goes_on_and_does_not_know_how_it_was_come_to(name):
    game, rng = privateer.open_spiel.load(name), np.random.default_rng(3)
    state = played(game, rng, 60)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    other = state.resample_from_infostate(state.current_player(), lambda: 0.5)
    begun = other.clone()
    for _ in range(20):
        other.apply_action(int(rng.choice(other.legal_actions())))
    assert len(other.history()) == 20 and other.history() != state.history()[:20]
    again = pickle.loads(pickle.dumps(other))
    assert (str(again), again.history()) == (str(other), other.history())
    for action in other.history():
        begun.apply_action(action)
    assert str(begun) == str(other)


def test_states_are_copied_as_values():
    game, rng = privateer.open_spiel.load("leduc"), np.random.default_rng(5)
    state = played(game, rng, 3)
    before = str(state), state.history()
    for other in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert (str(other), other.history()) == before
        other.apply_action(other.legal_actions()[-1])
    assert (str(state), state.history()) == before


def test_returns_are_in_the_games_own_unit():
    game, rng = privateer.open_spiel.load("leduc"), np.random.default_rng(2)
    assert (game.min_utility(), game.max_utility()) == (-13, 13)
    won = {played(game, rng).returns()[0] for _ in range(30)}
    assert won <= set(np.arange(-13.0, 14.0)) and len(won) > 2


def test_parameters_are_those_of_our_game_strings():
    game = privateer.open_spiel.load("doubloons(seats=5)")
    assert game.num_players() == 5
    again = pyspiel.load_game(str(game))
    assert again.num_players() == 5 and str(again) == str(game)
    with pytest.raises(privateer.PrivateerError, match="seats"):
        privateer.open_spiel.load("doubloons(seats=50)")
    assert privateer.open_spiel.load("leduc(chance=explicit)").engine.config == "leduc(chance=explicit)"
    with pytest.raises(ValueError, match="chance=sampled: .* explicit"):
        privateer.open_spiel.load("leduc(chance=sampled)")


def test_who_plays_for_a_lead_does_not_play_for_a_sum():
    game = privateer.open_spiel.load("doubloons(seats=3,objective=margin)")
    about = game.get_type()
    assert about.utility == pyspiel.GameType.Utility.GENERAL_SUM and game.utility_sum() is None
    assert about.short_name == "privateer_doubloons" and about.provides_information_state_tensor
    state = played(game, np.random.default_rng(4))
    assert all(game.min_utility() <= r <= game.max_utility() for r in state.returns())


@pytest.mark.parametrize("game", ["leduc", "doubloons(seats=3,edition=v2.0)"])
def test_games_and_states_are_pickled_for_processes_that_do_not_know_them(game, tmp_path):
    """As those of OpenSpiel are: by multiprocessing's spawn, for one."""
    game = privateer.open_spiel.load(game)
    assert str(copy.deepcopy(game)) == str(game)
    state = played(game, np.random.default_rng(6), 3)
    file = tmp_path / "state"
    for one in (state, state.resample_from_infostate(0, lambda: 0.5)):
        file.write_bytes(pickle.dumps((game, one)))
        code = "import pickle, sys; game, state = pickle.load(open(sys.argv[1], 'rb')); print(game, state.history(), state, sep='; ', end='')"
        there = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, timeout=300)
        assert there.stdout == f"{game}; {one.history()}; {one}", there.stderr[-500:]


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_actions_that_make_no_sense_are_refused_and_change_nothing(game):
    """In words of ours, and at chance, at a decision and at the end alike."""
    rng = np.random.default_rng(0)
    state = privateer.open_spiel.load(game).new_initial_state()
    for _ in range(100):
        before = str(state), state.history()
        for wrong in (99, -1, 2**40):
            with pytest.raises((ValueError, pyspiel.SpielError, TypeError)) as e:
                state.apply_action(wrong)
            assert not isinstance(e.value, (KeyError, IndexError))
            assert (str(state), state.history()) == before
        if state.is_terminal():
            break
        state.apply_action(int(rng.choice(state.legal_actions())))
    for action in (99, -1):
        with pytest.raises(ValueError, match=f"action {action}: want one from 0 to"):
            state.action_to_string(0, action)
