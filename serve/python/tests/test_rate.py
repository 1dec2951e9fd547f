"""Ratings beside choix, which has the same model and other code."""

import itertools
import json
import os
import pathlib
import subprocess

import choix
import numpy as np
import pytest

PRIVATEER = os.environ.get("PRIVATEER", "privateer")
COPIES = 6  # of each ranking, so that the orders of a tie can share them


def rate(results: pathlib.Path, *args: str) -> dict:
    command = [PRIVATEER, "rate", "--results", str(results), "--json", *args]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def rankings(results: pathlib.Path, index: dict[str, int]) -> list[list[int]]:
    """All matches of the results, the best first, each COPIES times; the orders of a tie share these."""
    data = []
    for line in results.read_text().splitlines():
        deal = json.loads(line).get("mixed")
        for places in deal["places"] if deal else []:
            groups = [[index[name] for name, p in zip(deal["players"], places) if p == place] for place in sorted(set(places))]
            orders = [list(itertools.chain(*order)) for order in itertools.product(*map(itertools.permutations, groups))]
            assert COPIES % len(orders) == 0
            data += orders * (COPIES // len(orders))
    return data


# With four seats, somebody has two of them.
@pytest.mark.parametrize("game", ["doubloons(seats=4)", "doubloons(seats=3)", "jolly_roger(seats=3)"])
def test_ratings_are_those_of_choix(tmp_path: pathlib.Path, game: str) -> None:
    results = tmp_path / "ratings.jsonl"
    table = rate(results, "random", "greedy", "heuristic", "--game", game, "--matches", "24", "--anchor", "random=0")
    names = [r["player"] for r in table["ratings"]]
    index = {name: i for i, name in enumerate(names)}
    data = rankings(results, index)
    phantom = len(names)  # the prior: half a win and half a defeat of each against one more player
    for i in range(len(names)):
        data += [[i, phantom], [phantom, i]] * (COPIES // 2)

    params = choix.mm_rankings(len(names) + 1, data, max_iter=100_000, tol=1e-9)
    strengths = params[:-1] - params[-1]
    assert strengths == pytest.approx([r["log_strength"] for r in table["ratings"]], abs=1e-6)

    # The information is the second derivative of choix's likelihood.
    def likelihood(x: np.ndarray) -> float:
        return choix.log_likelihood_rankings(data, np.append(x, 0.0)) / COPIES

    h, n = 1e-3, len(names)
    step = h * np.eye(n)
    information = np.array([[
        -(likelihood(strengths + a + b) - likelihood(strengths + a - b) - likelihood(strengths - a + b) + likelihood(strengths - a - b)) / (4 * h * h)
        for b in step] for a in step])
    covariance = np.linalg.inv(information)
    anchor = index["random"]
    for i, r in enumerate(table["ratings"]):
        variance = covariance[i, i] + covariance[anchor, anchor] - 2 * covariance[i, anchor]
        assert r["se"] == pytest.approx(400 / np.log(10) * np.sqrt(max(variance, 0)), rel=1e-3, abs=1e-3)
        assert r["rating"] == pytest.approx(400 / np.log(10) * (strengths[i] - strengths[anchor]), abs=1e-3)
