"""Kaggle's own harness and environment, with a scripted model in place of a language model."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import privateer
import privateer.open_spiel
import pytest
from kaggle_environments import core, core_harness, make
from kaggle_environments.envs.open_spiel_env import open_spiel_env

sys.path.append(str(Path(__file__).parents[2] / "examples"))

import kaggle_harness  # noqa: E402

PHRASES = ["Answer: {number}", "I choose {name}.", '{{"move": "{name}"}}', "Hm.\n\n**{shout}**", "> '{name}'", "{number}"]


class Harness:
    """The three functions as the protocol of core_harness has them."""

    get_legal_moves = staticmethod(kaggle_harness.get_legal_moves)
    make_prompt = staticmethod(kaggle_harness.generate_prompt)

    @staticmethod
    def parse_response(response, legal_action_strings, *, observation):
        return kaggle_harness.parse_response(response, legal_action_strings)


class Model:
    """It answers each prompt in words, in another way each time, but first says what wrong has."""

    def __init__(self, wrong=()):
        self.prompts, self.wrong = [], list(wrong)

    def completion(self, messages, **_):
        """A stream of one piece, as litellm's function of this name returns it."""
        yield SimpleNamespace(choices=[SimpleNamespace(delta=SimpleNamespace(content=self.answer(messages[0]["content"])), finish_reason="stop")])

    def answer(self, prompt):
        self.prompts.append(prompt)
        if self.wrong:
            return self.wrong.pop(0)
        choices = re.findall(r"^(\d+) (.+)$", prompt.rpartition("# Your choices")[2].partition("\nEnd your answer")[0], re.MULTILINE)
        number, name = choices[len(self.prompts) % len(choices)]
        phrase = PHRASES[len(self.prompts) % len(PHRASES)]
        return phrase.format(number=number, name=name, shout=name.upper())


@pytest.fixture
def played(monkeypatch):
    """Plays a match, and returns its environment and the model."""

    def play(game, wrong=()):
        model = Model(wrong)
        monkeypatch.setenv("GAME", game)
        kaggle_harness.engine.cache_clear()
        monkeypatch.setattr(core_harness.litellm, "completion", model.completion)
        privateer.open_spiel.register()
        built = open_spiel_env._build_env("privateer_" + game)
        core.register(built["specification"]["name"], built)
        settings = {"includeLegalActions": True, "observationType": "information_state", "seed": 3}
        env = make(built["specification"]["name"], settings, debug=True)
        agents = [core_harness.create_agent_fn(Harness(), max_retries=3, model_override=("scripted", {})) for _ in range(kaggle_harness.engine().seats)]
        env.run(agents)
        return env, model

    return play


@pytest.mark.parametrize("game", ["kuhn", "leduc", "doubloons(seats=2)", "jolly_roger(seats=4)"])
def test_whole_matches(played, game):
    env, model = played(game)
    assert [seat["status"] for seat in env.steps[-1]] == ["DONE"] * len(env.steps[-1])
    rules = privateer.Engine(game).rules(kaggle_harness.RULES)
    assert rules and all(rules in prompt for prompt in model.prompts)
    for step in env.steps:
        for seat in step:  # the state has what is hidden from the seat
            assert not seat["observation"].get("serializedGameAndState")


def test_an_illegal_answer_is_asked_again(played):
    env, model = played("leduc", ["fold", "whatever you say"])  # nothing is to be paid yet
    assert 'Your last answer was "fold", which is not legal now.' in model.prompts[1]
    assert "whatever you say" in model.prompts[2]
    assert [seat["status"] for seat in env.steps[-1]] == ["DONE", "DONE"]


def test_a_model_that_never_names_a_choice_forfeits(played):
    env, model = played("leduc", ["hm"] * 3)
    assert [seat["reward"] for seat in env.steps[-1]] == [-1, 1] and len(model.prompts) == 3
