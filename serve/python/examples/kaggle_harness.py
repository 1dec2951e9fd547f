"""A language model at a game of Kaggle's arena: the three functions that its harness calls in a match of one of our games.

The match is that of a pyspiel game (``privateer.open_spiel.register``), with ``includeLegalActions`` and ``observationType:
"information_state"``, so that an observation has what its seat has seen, in words. The game is that of the variable GAME, such as
"jolly_roger(seats=4)"; matches of a harness are all of one game.

Agents that are code see more than these prompts say: Kaggle shows each its configuration, so leave ``seed`` out of it, and the true
``currentPlayer``, which tells every seat of Jolly Roger who is asked in secret (KNOW-2).
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from typing import Any

import privateer
from kaggle_environments.core_harness import ParseResult, render_rethink_suffix

RULES = 1030  # tokens of rules in a prompt

ILLEGAL = '\nYour last answer was "{previous_action}", which is not legal now. Answer again.\n'
UNREADABLE = "\nYour last answer named no choice, or several. It ended with:\n{previous_response}\nAnswer again.\n"


@functools.cache
def engine() -> privateer.Engine:
    return privateer.Engine(os.environ.get("GAME", "leduc"))


def get_legal_moves(observation: Mapping[str, Any]) -> dict[int, str]:
    """The legal actions of the seat that is to act, by number; none before the match begins."""
    return dict(zip(observation.get("legalActions", []), observation.get("legalActionStrings", []), strict=True))


def generate_prompt(
    observation: Mapping[str, Any], move_history: list[str], previous_response: str | None = None, previous_action: str | None = None
) -> str:
    """The rules in brief, what the seat has seen since the match began, its choices, and how to answer. ``move_history``, which has the
    moves of this seat only, is told there too."""
    choices = "".join(f"{number} {name}\n" for number, name in get_legal_moves(observation).items())
    return (
        f"You are player {observation['playerId']} of a match of {engine().title}.\n\n{engine().rules(RULES)}"
        f"# What you have seen\n\n{observation['observationString']}\n\n# Your choices, by number and name\n\n{choices}\n"
        "End your answer with a line of its own: Answer: and the number or the name of one choice.\n"
        + render_rethink_suffix(ILLEGAL, UNREADABLE, previous_response, previous_action)
    )


def parse_response(response: str, legal_action_strings: Sequence[str]) -> ParseResult:
    """The choice that an answer in free words names. Without one, ``raw_action`` is the action of the game that it names, if it does."""
    for choices in (legal_action_strings, engine().actions):
        try:
            name = engine().actions[engine().read_answer(response, choices)]
        except privateer.PrivateerError:
            continue
        return ParseResult(legal_action=name if name in legal_action_strings else None, raw_action=name)
    return ParseResult()
