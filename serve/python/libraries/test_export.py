"""The module of a policy leaves PyTorch by torch.export and TorchScript, and computes on as the program does."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

import privateer
from privateer.launch import find_binary

Tensors = tuple[torch.Tensor, ...]


def mlp(folder: Path) -> Path:
    """A network that reads the observation alone; nobody has trained it."""
    with privateer.make("jolly_roger(seats=6)") as session:
        inputs, actions = session.spec.observation.size, len(session.spec.actions)
    torch.manual_seed(1)
    layers = [nn.Linear(inputs, 64), nn.LayerNorm(64), nn.ReLU(), nn.Linear(64, 32), nn.LayerNorm(32), nn.ReLU(), nn.Linear(32, actions)]
    privateer.save_bundle(nn.Sequential(*layers), "jolly_roger(seats=6)", folder / "mlp.bundle")
    return folder / "mlp.bundle"


def entity(folder: Path) -> Path:
    """The captain that comes with the program, who reads what actions do."""
    subprocess.run([find_binary(), "export", "captain", "--matches", "0", "--out", folder / "entity.bundle"], check=True, capture_output=True)
    return folder / "entity.bundle"


@pytest.fixture(scope="module", params=[mlp, entity], ids=["mlp", "entity"])
def known(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[privateer.Policy, Tensors, list[Any], float]:
    """A policy, what it was asked in 1,000 decisions, what the program made of them, and how near is near enough."""
    folder = tmp_path_factory.mktemp("export")
    path = request.param(folder)
    subprocess.run([find_binary(), "export", path, "--format", "onnx", "--golden", "1000", "--out", folder / "out"], check=True, capture_output=True)
    golden = json.loads((folder / "out.golden.json").read_text())
    policy, decisions = privateer.load_policy(path), golden["decisions"]
    mask = np.zeros((len(decisions), len(policy.actions)), np.uint8)
    for row, decision in zip(mask, decisions, strict=True):
        row[decision["legal"]] = 1
    asked = [np.array([d["observation"] for d in decisions], np.uint8), mask]
    if policy.reads_actions:
        asked.append(np.array([row for d in decisions for row in d["action_rows"]], np.uint8))
    return policy, tuple(torch.from_numpy(a) for a in asked), decisions, golden["tolerance"]


def first(asked: Tensors, n: int) -> Tensors:
    """The first n decisions."""
    return (asked[0][:n], asked[1][:n], *(rows[: int(asked[1][:n].sum())] for rows in asked[2:]))


def exported(module: nn.Module, few: Tensors, folder: Path) -> Callable[..., torch.Tensor]:
    """By torch.export, of any number of decisions, written and read again."""
    n, t = torch.export.Dim("n", min=2), torch.export.Dim("t", min=2)
    shapes = tuple({0: size} for size in (n, n, t)[: len(few)])
    torch.export.save(torch.export.export(module, few, dynamic_shapes=shapes), folder / "policy.pt2")
    return torch.export.load(folder / "policy.pt2").module()


def scripted(module: nn.Module, few: Tensors, folder: Path) -> Callable[..., torch.Tensor]:
    torch.jit.script(module).save(folder / "scripted.pt")
    return torch.jit.load(folder / "scripted.pt")


def traced(module: nn.Module, few: Tensors, folder: Path) -> Callable[..., torch.Tensor]:
    torch.jit.trace(module, few).save(folder / "traced.pt")
    return torch.jit.load(folder / "traced.pt")


@pytest.mark.parametrize("form", [exported, scripted, traced])
@pytest.mark.filterwarnings("ignore:.*torch.jit:FutureWarning")
def test_module_computes_elsewhere_what_the_program_does(known, form, tmp_path) -> None:
    policy, asked, decisions, tolerance = known
    run = form(policy.torch().eval(), first(asked, 9), tmp_path)
    with torch.no_grad():
        logits = run(*asked).numpy()
        np.testing.assert_array_equal(run(*first(asked, 100)).argmax(1), logits[:100].argmax(1))
    legal = asked[1].numpy() != 0
    assert (logits[~legal] == np.finfo(np.float32).min).all()
    numpy = policy.logits(*(a.numpy() for a in asked))
    apart = {"the program": 0.0, "NumPy": 0.0}
    for row, alone, allowed, decision in zip(logits, numpy, legal, decisions, strict=True):
        for name, want in (("the program", np.array(decision["logits"])), ("NumPy", alone[allowed])):
            apart[name] = max(apart[name], np.abs(row[allowed] - want).max() / max(1, np.abs(want).max()))
    print(f"{form.__name__}: {apart}")
    assert max(apart.values()) <= tolerance, apart
