"""Single matches, exact measurement and the program's commands, from Python."""

import copy
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

import numpy as np
import pytest
from conftest import gone

import privateer
from privateer.engine import CHANCE, OVER, _child

ENGINE = pathlib.Path(__file__).parents[3] / "engine"
GAMES = ["kuhn", "leduc", "liars_dice(seats=3)", "doubloons(seats=3)", "jolly_roger(seats=4)"]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_a_value(game):
    engine, rng = privateer.Engine(game), np.random.default_rng(1)
    match = engine.new(seed=4)
    while not match.over:
        seen = match.position(0)
        after = match.sample(rng)
        assert after != match and match.position(0) == seen
        assert (match.seat == CHANCE) == bool(match.probabilities) and match.observation(0).shape == (engine.observation_size,)
        match = after
        if match.seat >= 0 and len(match.names) > 1:
            for other in (copy.deepcopy(match), pickle.loads(pickle.dumps(match))):
                assert other == match and other.apply(match.names[0]) == match.apply(match.actions[0])
            if game.startswith(("doubloons", "jolly")):
                break
    assert match.seat != OVER or len(match.returns) == engine.seats and not match.truncated


def test_positions_are_read_edited_and_written():
    engine = privateer.Engine("leduc")
    match = engine.new().apply("deal=J", "deal=Q", "call")
    position = match.position()
    assert engine.read(position).names == match.names
    position["hands"] = ["K", "Q"]
    other = engine.read(position)
    assert other.position()["hands"] == ["K", "Q"] and other.position(1)["hands"] == ["?", "Q"]
    with pytest.raises(privateer.PrivateerError, match="hands"):
        engine.read(position | {"hands": ["X", "Q"]})
    with pytest.raises(privateer.PrivateerError, match="illegal action"):
        match.apply("deal=K")


def test_what_a_seat_cannot_know_is_dealt_anew():
    match = privateer.Engine("leduc").new().apply("deal=J", "deal=Q", "call")
    dealt = [match.redeal(1, seed).position() for seed in range(20)]
    assert {p["hands"][1] for p in dealt} == {"Q"} and {p["hands"][0] for p in dealt} == {"J", "Q", "K"}


@pytest.mark.parametrize(("game", "player"), [("doubloons(seats=4,advice=foresight)", "captain"), ("jolly_roger(seats=3,advice=reign)", "pirate"), ("leduc", "search(rollouts=50)")])
def test_a_player_thinks_about_any_match(game, player):
    engine, rng, compared, agreed = privateer.Engine(game), np.random.default_rng(2), 0, 0
    match = engine.new(seed=3)
    policy = privateer.load_policy(player) if "(" not in player else None
    while not match.over and compared < 40:
        if match.seat >= 0:
            thought = match.think(player, seed=compared)
            assert thought.account == match.think(player, seed=compared).account
            mask, legal = match.action_mask, match.actions
            assert (mask.dtype, mask.shape) == (np.uint8, (len(engine.actions),)) and list(np.flatnonzero(mask)) == legal
            assert thought.choice in legal and engine.actions[thought.choice] == thought.name
            assert thought.probabilities.shape == mask.shape and thought.probabilities.sum() == pytest.approx(1) and not thought.probabilities[mask == 0].any()
            assert thought.values.shape == (engine.seats,) and thought.account["choice"] == thought.name
            rows = match.action_rows
            assert (rows.dtype, rows.shape) == (np.uint8, (len(legal), engine.row_size))
            if policy is not None and rows.shape[1] == policy.row_size:  # NumPy's floats; the program computes in whole numbers
                agreed += policy.act(match.observation(match.seat)[None], mask[None], rows)[0] == thought.choice
            compared += 1
        match = match.sample(rng)
    assert policy is None or agreed >= compared - 1
    with pytest.raises(privateer.PrivateerError, match="nobody") as refused:
        match.think("nobody")
    assert (refused.value.field, refused.value.reason) == ("player", "UNKNOWN_PLAYER")


def test_exploitability_of_any_policy():
    engine = privateer.Engine("kuhn")
    uniform = engine.exploitability(lambda observations, masks: masks / masks.sum(1, keepdims=True))
    assert uniform.nash_conv == pytest.approx(11 / 12) and uniform.exploitability == pytest.approx(11 / 24)
    solved = engine.exploitability(engine.solve(400))
    assert solved.nash_conv < 0.02 and solved.values[0] == pytest.approx(-1 / 18, abs=2e-3)
    with pytest.raises(ValueError, match="a row for each information set"):
        engine.exploitability(np.ones(3))


@pytest.mark.parametrize(
    ("game", "sets", "uniform", "solved", "value"),
    [
        ("leduc", 288, 2.37361, 0.35, -0.09),
        (f"doubloons(seats=2,start={ENGINE}/games/doubloons/testdata/examples/duel.json)", 7216, 0.93885, 0.01, 0.22),
        (f"jolly_roger(seats=3,start={ENGINE}/games/jollyroger/testdata/examples/three_cards.json)", 2544, 0.05, 5e-4, 0),
    ],
    ids=["leduc", "duel", "three cards"],
)
def test_small_games_are_measured_as_the_program_does(tmp_path, game, sets, uniform, solved, value):
    engine = privateer.Engine(game)
    at_random = engine.exploitability(lambda observations, masks: masks / masks.sum(1, keepdims=True))
    assert len(engine.information_sets()) == sets and at_random.exploitability == pytest.approx(uniform, abs=1e-5)
    measured = engine.exploitability(engine.solve(20))
    assert measured.exploitability < solved and measured.values[0] == pytest.approx(value, abs=0.02)
    if game == "leduc":
        exact = privateer.exploit("random", game=game, rollouts=0, out=tmp_path)["exact"]
        assert (exact["exploitability"], exact["information_sets"]) == (pytest.approx(at_random.exploitability), sets)
        assert exact["best_responses"] == pytest.approx(at_random.best_response)


def test_a_decision_is_a_prompt_and_its_answer_is_read():
    leduc = privateer.Engine("leduc")
    before = leduc.new().apply("deal=K", "deal=J")
    after = before.apply("raise")
    prompt = before.prompt("raise")
    assert "You are player 1" in prompt and "Seat 0 raises" in prompt and "SET-1 " in prompt and "card K" not in prompt
    assert "SET-1 " not in after.prompt(rules=0) and "not taken: why" in after.prompt(refused="why")
    assert "SET-1" in leduc.rules(200) and leduc.rules(0) == ""
    assert leduc.read_answer("I choose **RAISE**.", ["call", 2]) == 2
    with pytest.raises(privateer.PrivateerError, match="not legal now"):
        leduc.read_answer("raise", ["fold", 1])
    assert after.read_answer("I am strong.\n\n**Answer:** Raise") == 2 == after.actions[-1]
    with pytest.raises(privateer.PrivateerError, match=r"may mean 1 \(call\), 2 \(raise\)"):
        after.read_answer("call or raise")


def test_transcripts_are_written_and_replayed(tmp_path):
    engine = privateer.Engine("leduc")
    actions = ["deal=J", "deal=Q", "call", "call", "public=K", "call", "call"]
    text = engine.transcript(actions)
    matches = privateer.Engine.replay(text)
    assert [m.over for m in matches] == [False] * 7 + [True] and matches[-1].returns == engine.new().apply(*actions).returns
    assert matches[3] == engine.new().apply(*actions[:3]) and matches[0].engine.config == engine.config
    (tmp_path / "mine.txt").write_text(text)
    assert len(privateer.replay(tmp_path / "mine.txt")["steps"]) == 7
    with pytest.raises(privateer.PrivateerError, match="step 4"):
        privateer.Engine.replay(text.replace("public=K", "raise"))
    with pytest.raises(privateer.PrivateerError, match="illegal action"):
        engine.transcript(["deal=J", "call"])
    assert engine.transcript(actions[:2]).endswith("end: unfinished\n")


def test_recorded_matches_are_replayed_with_what_chance_brought(tmp_path):
    privateer.simulate("doubloons(seats=2)", matches=1, record=tmp_path)
    matches = privateer.Engine.replay(next(tmp_path.iterdir()))
    assert matches[-1].over and all(match.seat >= 0 for match in matches[:-1])
    assert matches[0].engine.read(matches[5].position()).names == matches[5].names


def test_pictures(client):
    match = privateer.Engine("leduc").new().apply("deal=J", "deal=Q")
    for picture in (match.draw(), match.draw(0), privateer.Picture(match._repr_svg_())):
        assert xml.etree.ElementTree.fromstring(picture).tag.endswith("svg") and picture._repr_html_() == picture
    assert match.draw(0) != match.draw(1)


def test_killed_or_interrupted_it_starts_again():
    engine = privateer.Engine("kuhn")
    match = engine.new()
    os.kill(_child._process.pid, signal.SIGKILL)
    with pytest.raises(privateer.ConnectionLost, match="ended with -9"):
        match.apply(match.actions[0])
    assert match.apply(match.actions[0]).seat == CHANCE


def test_after_fork_a_process_has_a_program_of_its_own():
    match = privateer.Engine("kuhn").new()
    mine = _child._process.pid
    child = os.fork()
    if child == 0:
        other = match.apply(match.actions[0])
        os._exit(0 if other.seat == CHANCE and _child._process.pid != mine else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert match.apply(match.actions[0]).seat == CHANCE and _child._process.pid == mine


def test_forking_is_nothing_to_complain_of():
    """A question of another thread's may be under way; its locks are nobody's in the new process."""
    code = """
import os, signal, threading, privateer
engine = privateer.Engine("leduc")
over = False
def ask():
    while not over:
        engine.new()
asking = threading.Thread(target=ask)
asking.start()
for _ in range(5):
    child = os.fork()
    if child == 0:
        signal.alarm(300)
        engine.new().apply("deal=J")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
over = True
asking.join()
engine.new()
"""
    # That threads and fork() go ill together is Python's own warning, of 3.12 and later.
    flags = ["-X", "dev", "-W", "error", "-W", "ignore::DeprecationWarning"]
    done = subprocess.run([sys.executable, *flags, "-c", code], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")


def test_program_ends_with_its_parent_whatever_it_computes():
    code = """
import privateer
from privateer.engine import _child
engine = privateer.Engine("leduc")
print(_child._process.pid, flush=True)
engine.solve(10**6)
"""
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pid = int(parent.stdout.readline())
    time.sleep(0.3)  # until it computes
    assert b"engine" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    parent.kill()
    parent.communicate()
    assert gone(pid), "the program has outlived its parent"


def test_what_makes_no_sense_is_named_and_harms_nothing():
    engine = privateer.Engine("kuhn")
    match, pid = engine.new(), _child._process.pid
    for ask, why in (
        (lambda: engine.new(-1), "seed -1: want an integer from 0 to"),
        (lambda: engine.new(2**64), "seed 18446744073709551616: want"),
        (lambda: match.redeal(0, -1), "seed -1: want an integer"),
        (lambda: match.apply(1.5), "action 1.5: want an integer"),
        (lambda: engine.new(b"1"), "seed b'1': want an integer"),
        (lambda: engine.new(float("inf")), "seed inf: "),
        (lambda: engine.read(""), "the text of a position is no JSON"),
        (lambda: engine.read(None), "position None: want what Match.position gives"),
        (lambda: engine.read("[1]"), r"position \[1\]: want what Match.position gives"),
        (lambda: engine.replay(""), "there is nothing in it"),
        (lambda: engine.replay("nowhere.txt"), "nowhere.txt"),
        (lambda: engine.name_of(-1), "action -1: kuhn.* has 0 to 5"),
        (lambda: engine.solve(0), "steps 0: want at least 1"),
        (lambda: match.observation(match.seat), "seat -1: want one from 0 to 1"),
        (lambda: engine.replay(engine.transcript(["deal=J", "deal=Q", "pass", "pass"]))[-1].sample(np.random.default_rng()), "the match is over"),
        (lambda: engine.exploitability(np.full((12, 2), np.nan)), "information set 0 are not all numbers"),
    ):
        with pytest.raises((TypeError, ValueError, IndexError, OSError, privateer.PrivateerError), match=why):
            ask()
    assert match.apply(match.actions[0]).seat == CHANCE and _child._process.pid == pid


def test_records_of_matches_are_json(tmp_path):
    """As a program without ours writes and reads them."""
    steps = [{"seat": -1, "action": "deal=J"}, {"seat": -1, "action": "deal=Q"}, {"seat": 0, "action": "pass", "comment": "why not"}, {"seat": 1, "action": "pass"}]
    record = {
        "transcript": 1, "game": "kuhn(chance=explicit)", "seed": str(2**63), "players": [{"name": "ann"}, {"name": "ben", "faults": 2}],
        "tags": {"event": "club night"}, "steps": steps, "returns": [-0.5, 0.5],
    }  # fmt: skip
    (tmp_path / "match.json").write_text(json.dumps(record, indent=2))
    matches = privateer.Engine.replay(record)
    assert len(matches) == 5 and matches[-1].over and matches == privateer.Engine.replay(json.dumps(record)) == privateer.Engine.replay(tmp_path / "match.json")
    assert [step["action"] for step in privateer.replay(tmp_path / "match.json")["steps"]] == [step["action"] for step in steps]
    with pytest.raises(privateer.PrivateerError, match="returns"):
        privateer.Engine.replay({**record, "returns": [0.5, -0.5]})
    with pytest.raises(privateer.PrivateerError, match='"seed" is missing'):
        privateer.Engine.replay({name: value for name, value in record.items() if name != "seed"})


def test_numpys_numbers_are_numbers(tmp_path):
    engine, rng = privateer.Engine("leduc(chance=sampled)"), np.random.default_rng(1)
    match = engine.new(rng.integers(2**63, dtype=np.uint64))
    seat = np.int64(match.seat)
    again = match.redeal(seat, rng.integers(1 << 40))
    assert again.render(seat) == match.render(seat) and (again.observation(seat) == match.observation(seat)).all()
    assert engine.solve(np.int32(2)).shape == (len(engine.information_sets()), len(engine.actions))
    text = engine.transcript(match.actions[:1], seed=np.int64(3))
    (tmp_path / "match").write_text(text)
    assert engine.replay(text) == engine.replay(tmp_path / "match") == engine.replay(str(tmp_path / "match"))


def test_program_of_another_release_is_refused(monkeypatch):
    privateer.Engine("kuhn")
    monkeypatch.setattr(_child, "ask", lambda question, ask=_child.ask: ask(question) | {"version": "v9.9.9"})
    with pytest.raises(privateer.PrivateerError, match="privateer.* is privateer v9.9.9 and this package .*: install the same version"):
        privateer.Engine("kuhn")


def test_commands_of_another_release_are_refused(monkeypatch, tmp_path):
    program, ran = tmp_path / "privateer", tmp_path / "ran"
    monkeypatch.setenv("PRIVATEER", str(program))
    for version, why in (('{"version": "v9.9.9"}', "privateer is privateer v9.9.9 and this package .*: install the same version"), ("", "does not say its version")):
        program.write_text(f"#!/bin/sh\n[ $1 = version ] || touch '{ran}'\necho '{version}'\n")
        program.chmod(0o755)
        with pytest.raises(privateer.PrivateerError, match=why):
            privateer.simulate("leduc", matches=1)
    assert not ran.exists()


def test_killed_commands_say_what_ended_them(monkeypatch, tmp_path):
    for asked, program in ("version", "kill -9 $$"), ("sim", "[ $1 = sim ] && kill -9 $$; echo '{\"version\": \"(devel)\"}'"):
        path = tmp_path / asked
        path.write_text(f"#!/bin/sh\n{program}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PRIVATEER", str(path))
        with pytest.raises(privateer.PrivateerError, match=f"{asked}: signal 9 ended it"):
            privateer.simulate("leduc", matches=1)


def test_words_of_the_program_are_read_in_any_locale(tmp_path):
    """They are UTF-8, whatever Python would take them for."""
    code = "import privateer; assert any(not clause['text'].isascii() for clause in privateer.rules('doubloons'))"
    plain = os.environ | {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_commands_end_with_the_process_that_waits_for_them():
    code = """
import glob, threading, time, privateer
privateer.rules("kuhn")  # the program has been asked its version
threading.Thread(target=lambda: privateer.simulate("doubloons", matches=10**9), daemon=True).start()
started = ""
while not started:
    started = "".join(open(task).read() for task in glob.glob("/proc/self/task/*/children"))
time.sleep(0.5)  # until it has begun
print(started, flush=True)
time.sleep(60)
"""
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pid = int(parent.stdout.readline())
    assert b"sim" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    parent.kill()
    parent.communicate()
    assert gone(pid), "the program has outlived its parent"


def test_commands_of_the_program(tmp_path):
    found = privateer.rules("leduc", grep="raise")
    assert found and all("id" in clause or "ID" in clause for clause in found)
    summed = privateer.simulate("leduc", matches=4, seed=2, record=tmp_path)
    assert privateer.simulate("leduc", bots="random", matches=4, seed=2) == privateer.simulate("leduc", bots=["random"], matches=4, seed=2)
    assert len(summed["seats"]) == 2
    shown = privateer.replay(sorted(tmp_path.iterdir())[0], view=0)
    assert "steps" in shown
    assert privateer.balance("leduc", matches=4)
    assert privateer.rate("random", "search(rollouts=2)", game="leduc", matches=8)
    assert privateer.evaluate("random", against=["search(rollouts=2)"], game="leduc", matches=4)
    for matches, decision in (20_000, "not better"), (60, "undecided"):  # the program says so by its exit code, too
        assert privateer.evaluate("random", against="random", game="leduc", gate=2, max_matches=matches)["decision"] == decision
    with pytest.raises(privateer.PrivateerError, match="chess"):
        privateer.rules("chess")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_texts_are_read_however_an_editor_has_saved_them(tmp_path, encoding):
    engine = privateer.Engine("leduc")
    (tmp_path / "match.txt").write_bytes(engine.transcript([engine.new().actions[0]]).encode(encoding))
    assert len(privateer.Engine.replay(tmp_path / "match.txt")) == 2
    assert privateer.replay(tmp_path / "match.txt")["steps"]
    position = json.dumps(engine.new().position())
    (tmp_path / "p.json").write_bytes(position.encode(encoding))
    privateer.command("position", "print", tmp_path / "p.json", game="leduc")
    assert engine.read("\ufeff" + position) == engine.new()
    (tmp_path / "latin.txt").write_bytes("privateer transcript 1\n# M\xf6we\n".encode("latin-1"))
    with pytest.raises(ValueError, match="latin.txt.*save it as UTF-8"):
        privateer.Engine.replay(tmp_path / "latin.txt")
    with pytest.raises(privateer.PrivateerError, match="line 2: the byte 0xf6.*UTF-8"):
        privateer.replay(tmp_path / "latin.txt")


def test_numbers_that_have_no_double_pass_unharmed(tmp_path):
    """Positions and answers through a reader that has only doubles; what it has changed is refused."""
    engine = privateer.Engine("leduc(chance=sampled)")
    for seed in (7, 2**53 + 1, 2**60, 2**64 - 1):
        match = engine.new(seed)
        doubles = json.loads(json.dumps(match.position()), parse_int=float)
        assert engine.read(json.loads(json.dumps(doubles), parse_float=lambda digits: int(float(digits)))) == match
        transcript = tmp_path / f"{seed}.txt"
        transcript.write_text(engine.transcript([], seed))
        assert int(privateer.replay(transcript)["seed"]) == seed
    position = engine.new(7).position()
    assert isinstance(position["generator"]["key"], str)
    changed = position | {"generator": {"key": float(position["generator"]["key"]), "counter": 2}}
    for text in (json.dumps(changed), json.dumps(position | {"generator": {"key": 0, "counter": 2}}).replace('"key": 0', f'"key": {int(float(position["generator"]["key"]))}')):
        with pytest.raises(privateer.PrivateerError, match="key"):
            engine.read(json.loads(text) if "e+" in text else text)
