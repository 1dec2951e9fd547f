"""Policies as modules of PyTorch, and modules as policies."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

import privateer
from ppo import Agent
from privateer import bundle as bundles
from privateer.launch import find_binary


def decisions(game: str, n: int = 64, **options: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, privateer.GameSpec]:
    with privateer.make(game, n, seed=3, autoreset="SAME_STEP", **options) as session:
        batch = session.reset()
        for _ in range(6):
            batch = session.step(session.sample_actions())
        rows = batch.action_rows
        return batch.observation.copy(), batch.action_mask.copy(), None if rows is None else rows.copy(), session.spec


def slices(schema: privateer.Schema) -> list[bundles.Slice]:
    return [bundles.Slice(g.name, g.offset, int(np.prod(g.shape)), g.scale) for g in schema.groups]


@pytest.mark.parametrize("name", ["mlp", "entity"])
@pytest.mark.parametrize("activation", bundles.ACTIVATIONS)
def test_module_computes_what_numpy_does_scripted_and_exported_too(name: str, activation: str) -> None:
    observation, mask, rows, spec = decisions("jolly_roger(seats=4)", action_rows=name == "entity")
    reads = name == "entity"
    row = spec.action_row
    assert row is not None
    made = bundles.Bundle(
        game=spec.config, name=spec.name, schema=spec.observation.hash, observation=slices(spec.observation), actions=list(spec.actions),
        choice="greedy", row=slices(row) if reads else [],
        network=bundles.Network(name, [24, 16], [12] if reads else [], activation, "layer", 1e-5),
    )
    draws = np.random.default_rng(1)
    for key, shape in made.shapes(spec.observation.size, row.size if reads else 0, np.zeros(2)).items():
        made.weights.append(bundles.Tensor(key, list(shape), draws.normal(0, 0.3, shape).astype("<f4").tobytes()))
    policy = privateer.Policy(made)
    want = policy.logits(observation, mask, rows)
    module = policy.torch().eval()
    inputs = tuple(torch.tensor(a) for a in ((observation, mask, rows) if reads else (observation, mask)))
    forms = {"module": module, "scripted": torch.jit.script(module)}
    if hasattr(torch, "export"):  # from PyTorch 2.1
        n, t = torch.export.Dim("n", min=2, max=1 << 16), torch.export.Dim("t", min=2, max=1 << 20)
        shapes = ({0: n}, {0: n}, {0: t}) if reads else ({0: n}, {0: n})
        few = (inputs[0][:9], inputs[1][:9], *(r[: int(inputs[1][:9].sum())] for r in inputs[2:]))
        forms["exported"] = torch.export.export(module, few, dynamic_shapes=shapes).module()
    with torch.no_grad():
        for form, f in forms.items():
            np.testing.assert_allclose(f(*inputs).numpy(), want, rtol=1e-4, atol=1e-4, err_msg=form)
        np.testing.assert_allclose(module.value(inputs[0]).numpy(), policy.value(observation), rtol=1e-4, atol=1e-4)


class CleanRL(nn.Module):
    """The shape of CleanRL's agents: two networks."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(inputs, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))
        self.actor = nn.Sequential(nn.Linear(inputs, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, actions))


class StableBaselines(nn.Module):
    """The shape of Stable-Baselines3's MlpPolicy."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.features_extractor = nn.Flatten()
        self.mlp_extractor = nn.Module()
        self.mlp_extractor.policy_net = nn.Sequential(nn.Linear(inputs, 12), nn.Tanh(), nn.Linear(12, 12), nn.Tanh())
        self.mlp_extractor.value_net = nn.Sequential(nn.Linear(inputs, 12), nn.Tanh())
        self.action_net, self.value_net = nn.Linear(12, actions), nn.Linear(12, 1)


class Algorithm:
    def __init__(self, policy: nn.Module) -> None:
        self.policy = policy


def networks(inputs: int, actions: int) -> Iterator[tuple[str, Any, int]]:
    def plain(activation: Any, norm: bool) -> nn.Module:
        width = 10
        layers: list[nn.Module] = []
        for size in (inputs, width):
            layers += [nn.Linear(size, width), *([nn.LayerNorm(width)] if norm else []), activation()]
        return nn.Sequential(nn.Flatten(), *layers, nn.Linear(width, actions, bias=False))

    yield "our example", Agent(inputs, actions, 16), 1
    yield "cleanrl", CleanRL(inputs, actions), 0
    yield "sb3 policy", StableBaselines(inputs, actions), 0
    yield "sb3 algorithm", Algorithm(StableBaselines(inputs, actions)), 0
    for activation in (nn.Tanh, nn.ReLU, nn.SiLU):
        for norm in (False, True):
            yield f"{activation.__name__} {norm}", plain(activation, norm), 0


def test_modules_become_bots_of_the_program(tmp_path: Path) -> None:
    observation, mask, _, spec = decisions("leduc")
    x = torch.tensor(observation * spec.observation.scales())
    for name, module, values in networks(spec.observation.size, len(spec.actions)):
        path = tmp_path / (name.replace(" ", "_") + ".bundle")
        policy = privateer.save_bundle(module, "leduc", path)
        assert policy.values == values, name
        again = privateer.load_policy(path)
        if isinstance(module, nn.Sequential):
            with torch.no_grad():
                np.testing.assert_allclose(again.logits(observation, np.ones_like(mask)), module(x).numpy(), rtol=1e-4, atol=1e-4, err_msg=name)
        # The program computes the kept decisions again when it reads the file.
        said = subprocess.run([find_binary(), "eval", path, "--matches", "20"], check=True, capture_output=True, text=True).stdout
        assert "policy against 1" in said, name
    for command in (["rate", "--game", "leduc", f"policy:{path}", "random"], ["sim", "leduc", "--bots", f"policy:{path},random"]):
        subprocess.run([find_binary(), *command, "--matches", "40"], check=True, capture_output=True)
    played = subprocess.run([find_binary(), "play", "leduc", "--bots", f"policy:{path}", "--seed", "3"], input="call\nq\n", capture_output=True, text=True)
    assert played.returncode == 0 and "policy:" in played.stdout
    envs = privateer.make_vec("leduc", 4, opponents=policy)
    envs.reset()
    envs.close()
    with privateer.launch(None, "--policies", str(path)) as server, server.client() as client:
        assert f"policy:{path.stem}" in client.bots("leduc")


def test_modules_that_no_bundle_has_are_refused_by_name(tmp_path: Path) -> None:
    inputs = decisions("leduc", 1)[0].shape[1]
    linear = nn.Linear
    for said, module in {
        "GELU": nn.Sequential(linear(inputs, 4), nn.GELU(), linear(4, 3)),
        "LSTM": nn.Sequential(nn.LSTM(inputs, 4), linear(4, 3)),
        "same in all": nn.Sequential(linear(inputs, 4), nn.Tanh(), linear(4, 4), nn.ReLU(), linear(4, 3)),
        "no hidden": nn.Sequential(linear(inputs, 3)),
        "ends with Tanh": nn.Sequential(linear(inputs, 3), nn.Tanh()),
        "reads 5 numbers": nn.Sequential(linear(5, 4), nn.Tanh(), linear(4, 3)),
        "neither actor nor policy": nn.Bilinear(1, 1, 1),
        "nn.Module": object(),
    }.items():
        with pytest.raises((ValueError, TypeError), match=said):
            privateer.save_bundle(module, "leduc", tmp_path / "x.bundle")
    assert not list(tmp_path.iterdir())
