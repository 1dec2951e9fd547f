"""OpenSpiel on our games: its own tests, and its algorithms beside ours."""

import copy
import json
import os
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
    theirs = {(s.current_player(), tuple(s.observation_tensor())): average.action_probabilities(s) for s in states(game.new_initial_state())}
    # The same policy, measured by our own best response.
    ours = privateer.Engine("kuhn")
    table = np.zeros((len(ours.information_sets()), len(ours.actions)))
    for i, s in enumerate(ours.information_sets()):
        for action, p in theirs[s.seat, tuple(s.observation * ours.scales)].items():
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


def decisions(game, rng, matches, most):
    """States of random matches, those of chance among them."""
    for _ in range(matches):
        state = game.new_initial_state()
        for _ in range(most):
            if state.is_terminal():
                break
            yield state
            state = state.child(int(rng.choice(state.legal_actions())))


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_information_states_are_what_was_seen_and_done(name):
    """Over the whole tree: two strings of a player are the same where all that it has observed and done is the same, and nowhere else."""
    strings, memories = {}, {}

    def visit(state, memory):
        seen = [tuple(state.observation_tensor(p)) for p in range(2)]
        now = tuple(m if m and m[-1] == s else (*m, s) for m, s in zip(memory, seen, strict=True))
        if not state.is_chance_node() and not state.is_terminal():
            player = state.current_player()
            said = state.information_state_string(player)
            assert strings.setdefault(said, now[player]) == now[player] and memories.setdefault(now[player], said) == said
        for action in state.legal_actions():
            after = tuple((*m, action) if p == state.current_player() else m for p, m in enumerate(now))
            visit(state.child(action), after)

    visit(privateer.open_spiel.load(name).new_initial_state(), ((), ()))
    assert len(strings) == {"kuhn": 12, "leduc": 288}[name]


@pytest.mark.parametrize("name", ["doubloons(seats=3)", "doubloons(seats=2,modules=alternate_island)", "jolly_roger(seats=4)"])
def test_a_player_remembers_what_it_has_seen_and_done(name):
    """Where one action or another makes a difference to a player, it never forgets which it was."""
    game, rng = privateer.open_spiel.load(name), np.random.default_rng(8)
    told = kept = 0
    for state in decisions(game, rng, 1, 400):
        if rng.random() < 0.85 or len(state.legal_actions()) < 2:
            continue
        pair = [state.child(int(a)) for a in rng.choice(state.legal_actions(), 2, replace=False)]
        for player in range(game.num_players()):
            views, strings = ([f(player) for f in fs] for fs in ([s.observation_string for s in pair], [s.information_state_string for s in pair]))
            differ = views[0] != views[1] or player == state.current_player()
            assert not differ or strings[0] != strings[1], (state.history(), player)
            told += differ
        ahead = [s.clone() for s in pair]
        for _ in range(4):
            common = sorted(set(ahead[0].legal_actions()) & set(ahead[1].legal_actions()))
            if ahead[0].current_player() != ahead[1].current_player() or not common:
                break
            action = int(rng.choice(common))
            for s in ahead:
                s.apply_action(action)
            for player in range(game.num_players()):
                if pair[0].observation_string(player) != pair[1].observation_string(player):
                    assert ahead[0].information_state_string(player) != ahead[1].information_state_string(player)
                    kept += 1
    assert told > 20 and kept > 20


@pytest.mark.parametrize("name", ALL + ["doubloons(seats=2,modules=alternate_island)"])
def test_what_a_player_is_given_has_nothing_that_is_hidden_from_it(name):
    """Twins, which differ in what is hidden from a player, give it the same strings, structs and serialised states."""
    game, rng = privateer.open_spiel.load(name), np.random.default_rng(9)
    twins = 0
    for state in decisions(game, rng, 2, 300):
        if len(state.history()) > 10 and rng.random() < 0.9:
            continue
        for player in range(game.num_players()):
            one, other = (state.resample_from_infostate(player, lambda r=r: r) for r in rng.random(2))
            twins += one.to_json() != other.to_json()
            for ask in ("information_state_string", "observation_string", "observation_tensor", "serialize_for"):
                assert getattr(one, ask)(player) == getattr(other, ask)(player) == getattr(state, ask)(player), (ask, state.history(), player)
            assert one.to_observation_struct(player).to_dict() == other.to_observation_struct(player).to_dict()
    assert twins > 10


@pytest.mark.parametrize("name", ALL)
def test_structs_are_json_and_are_read_again(name):
    game, rng = privateer.open_spiel.load(name), np.random.default_rng(10)
    for state in decisions(game, rng, 1, 60):
        whole = state.to_dict()
        assert json.loads(state.to_json()) == json.loads(state.to_struct().to_json()) == whole == state._node.match.position()
        if not state.is_chance_node():
            player = state.current_player()
            seen = state.to_observation_struct(player).to_dict()
            assert seen == json.loads(state.observation_string(player)) == state.to_observation_struct().to_dict()
            assert seen.pop("observing_player") == player and seen == state._node.match.position(player)
            again = game.new_initial_state(whole)
            assert again.to_dict() == whole and (again.current_player(), again.legal_actions()) == (player, state.legal_actions())
            assert game.new_initial_state(state.to_json()).to_dict() == whole
        for action in state.legal_actions():
            struct = state.action_to_struct(action)
            assert struct.to_dict() == {"action": state.action_to_string(action)} and state.struct_to_actions(struct) == [action]
        parsed = game.ActionStruct(struct.to_json())
        assert state.validate_action_struct(parsed).ok()
        one, other = state.clone(), state.child(action)
        one.apply_action_struct(parsed)
        assert str(one) == str(other)
    spec, example = game.action_struct_spec()
    assert "action" in spec and game.ActionStruct(example).to_json() == json.dumps(json.loads(example), separators=(",", ":"))
    for wrong in ('{"action":"swim"}', "[]", '{"move":"pass"}'):
        with pytest.raises(ValueError, match="no such action; a struct is like"):
            game.ActionStruct(wrong)


def test_the_words_of_an_information_state_are_those_of_a_prompt():
    state = privateer.open_spiel.load("leduc").new_initial_state()
    for action in ("deal=J", "deal=Q", "call"):
        state.apply_action(state.string_to_action(action))
    said = state.information_state_string(1)
    assert said == (
        "You are player 1.\n\n# What has happened\n\nSeat 0 is dealt a card.\nChance: deal=Q\nSeat 1 is dealt Q.\nPlayer 0: call\nSeat 0 checks.\n\n"
        "# What you see\n\n" + said.partition("# What you see\n\n")[2]
    )
    assert said.partition("# What you see\n\n")[2] in state._node.match.prompt() and "card J" not in said


def test_a_state_for_one_player_goes_on_elsewhere():
    game, rng = privateer.open_spiel.load("jolly_roger(seats=4)"), np.random.default_rng(11)
    state = played(game, rng, 60)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    player = state.current_player()
    _, theirs = pyspiel.deserialize_game_and_state(state.serialize_for(player))
    assert theirs.history() == [] and theirs.legal_actions() == state.legal_actions()
    assert theirs.information_state_string(player) == state.information_state_string(player)
    while not theirs.is_terminal():
        theirs.apply_action(int(rng.choice(theirs.legal_actions())))
    assert sum(theirs.returns()) == pytest.approx(0)


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


@pytest.mark.parametrize("bidding", ["reset_face", "reset_quantity"])
@pytest.mark.parametrize(("dice", "faces"), [(1, 6), (2, 4), (5, 6)])
def test_liars_dice_is_theirs_step_for_step(dice, faces, bidding):
    """Matches at random: who acts, what is legal, what it pays, and what a player can tell apart. MATCHES=200000 plays more than the 300 of each."""
    theirs = pyspiel.load_game("liars_dice", {"numdice": dice, "dice_sides": faces, "bidding_rule": bidding.replace("_", "-")})
    bids = 2 * dice * faces

    def number(name):
        """Their number of an action of ours."""
        if name == "liar":
            return bids
        quantity, face = map(int, name.removeprefix("bid=").split("x"))
        return (quantity - 1) * faces + face - 1 if bidding == "reset_face" else (face - 1) * 2 * dice + quantity - 1

    played, known = 0, {}
    with privateer.make(f"liars_dice(dice={dice},faces={faces},bidding={bidding},forced=show)", 64, autoreset="SAME_STEP", full_view=True, seed=1) as session:
        spec = session.spec
        ours = [number(name) if name == "liar" or (int(name[4:].split("x")[0]) <= 2 * dice and int(name[-1]) <= faces) else -1 for name in spec.actions]
        own, hidden = spec.full_observation["self.dice"], spec.full_observation["hidden.dice"]

        def dealt(view):
            """A state of theirs after the rolls that a first view has."""
            state = theirs.new_initial_state()
            for group in (own, hidden):
                counts = view[group.offset : group.offset + 30].reshape(6, 5).sum(1, dtype=int)
                for face in np.repeat(np.arange(6), counts):
                    state.apply_action(int(face))
            return state

        batch = session.reset()
        states = [dealt(view) for view in batch.full_observation]
        while played < int(os.environ.get("MATCHES", "300")):
            masks, seats, views = batch.action_mask.astype(bool), batch.current_player.copy(), batch.observation.copy()
            for row, state in enumerate(states):
                assert state.current_player() == seats[row]
                assert sorted(ours[a] for a in np.flatnonzero(masks[row])) == state.legal_actions()
                view, told = (bidding, views[row].tobytes()), state.information_state_string(seats[row]) + f" {seats[row]}"
                assert known.setdefault(view, told) == told and known.setdefault(told, view) == view
            actions = session.sample_actions().copy()
            batch = session.step(actions)
            over, ends = batch.terminated.astype(bool), batch.reward
            for row, state in enumerate(states):
                state.apply_action(ours[actions[row]])
                assert state.is_terminal() == over[row]
                if over[row]:
                    assert list(ends[row]) == state.returns()
                    states[row], played = dealt(batch.full_observation[row]), played + 1


def test_exploitability_of_liars_dice_is_theirs():
    theirs = pyspiel.load_game("liars_dice", {"dice_sides": 4})
    ours = privateer.Engine("liars_dice(faces=4)").exploitability(lambda observations, masks: masks / masks.sum(1, keepdims=True))
    assert exploitability.nash_conv(theirs, policy.UniformRandomPolicy(theirs)) == pytest.approx(ours.nash_conv, abs=1e-9)
