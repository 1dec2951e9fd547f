"""The tasks of ``privateer benchmark`` by the ids under which environments are made: train on the game that is scored.

    env = gymnasium.make("privateer/Doubloons4-v1", opponents="heuristic")
    env = privateer.aec_env("privateer/Doubloons4-v1")
"""

from __future__ import annotations

#: Tasks, ``doubloons-4@1`` and so on, and their game strings. A version never changes; a game that changes gets the next one.
TASKS = {
    "doubloons-2@1": "doubloons(seats=2)",
    "doubloons-4@1": "doubloons(seats=4)",
    "doubloons-6@1": "doubloons(seats=6)",
    "doubloons-island@1": "doubloons(seats=4,modules=alternate_island)",
    "doubloons-modules@1": "doubloons(seats=4,modules=advanced_scoring+black_jewel+compass+legendary_ghost_ship+steal_ship)",
    "jolly-3@1": "jolly_roger(seats=3)",
    "jolly-6@1": "jolly_roger(seats=6)",
    "jolly-10@1": "jolly_roger(seats=10)",
    "jolly-gifts@1": "jolly_roger(seats=6,bribes=gifts)",
    "kuhn@1": "kuhn",
    "leduc@1": "leduc",
    "liars-dice@1": "liars_dice",
    "liars-dice-2@1": "liars_dice",
    "liars-dice-6@1": "liars_dice(seats=6,dice=5)",
}


def id_of(task: str) -> str:
    """The id of a task: ``privateer/DoubloonsIsland-v1`` of ``doubloons-island@1``."""
    name, version = task.split("@")
    return f"privateer/{''.join(part.capitalize() for part in name.split('-'))}-v{version}"


def game_of(name: str) -> str:
    """The game string of the id of a task, of a task, or of a game string itself."""
    return TASKS.get(name) or {id_of(task): game for task, game in TASKS.items()}.get(name, name)
