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

#: Before 2.0 nothing compiles, and a processor computes in half precision in part only.
OLD = not hasattr(torch, "compile")
compiled = nn.DataParallel if OLD else torch.compile


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
    for key, shape in made.shapes(spec.observation.size, row.size if reads else 0, values=True).items():
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


def drawn(name: str, game: str = "leduc", choice: str = "greedy") -> privateer.Policy:
    """A policy that nobody has trained."""
    spec = decisions(game, 1)[3]
    row = spec.action_row if name == "entity" else None
    made = bundles.Bundle(
        game=spec.config, name=spec.name, schema=spec.observation.hash, observation=slices(spec.observation), actions=list(spec.actions),
        choice=choice, row_schema=row.hash if row else "", row=slices(row) if row else [],
        network=bundles.Network(name, [12, 8], [6] if row else [], "silu", "layer", 1e-5),
    )
    draws = np.random.default_rng(1)
    for key, shape in made.shapes(spec.observation.size, row.size if row else 0, values=True).items():
        made.weights.append(bundles.Tensor(key, list(shape), draws.normal(0, 0.3, shape).astype("<f4").tobytes()))
    return privateer.Policy(made)


def asked(policy: privateer.Policy) -> tuple[torch.Tensor, ...]:
    seen, mask, rows, _ = decisions(policy.game, action_rows=policy.reads_actions)
    return tuple(torch.tensor(a) for a in (seen, mask, rows) if a is not None)


@pytest.mark.parametrize("name, game", [("mlp", "leduc"), ("entity", "jolly_roger(seats=3)")])
def test_what_was_loaded_and_trained_on_can_be_saved_again(tmp_path: Path, name: str, game: str) -> None:
    policy = drawn(name, game)
    module, given = policy.torch(), asked(policy)
    again = privateer.save_bundle(module, game, tmp_path / "same.bundle")
    assert {t.name: t.data for t in again.bundle.weights} == {t.name: t.data for t in policy.bundle.weights}
    optimizer = torch.optim.SGD(module.parameters(), 0.1)
    (module.value(given[0]).mean() - module(*given).log_softmax(1)[given[1] != 0].mean()).backward()
    optimizer.step()
    path = privateer.save_bundle(module, game, tmp_path / "on.bundle", about="fine-tuned").path
    assert path is not None
    on = privateer.load_policy(path)
    numpy = [g.numpy() for g in given]
    with torch.no_grad():
        np.testing.assert_allclose(on.logits(*numpy), module(*given).numpy(), rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(on.value(numpy[0]), module.value(given[0]).numpy(), rtol=1e-3, atol=1e-3)
    assert not np.allclose(on.logits(*numpy), policy.logits(*numpy), atol=1e-2)
    assert (on.bundle.choice, on.values, on.bundle.observation) == ("greedy", 1, policy.bundle.observation)
    assert module.training and subprocess.run([find_binary(), "sim", game, "--bots", f"policy:{path},random", "--matches", "2"], capture_output=True).returncode == 0
    with pytest.raises(ValueError, match="leave inputs out"):
        privateer.save_bundle(module, game, tmp_path / "x.bundle", inputs="scaled")
    with pytest.raises(ValueError, match="kuhn"):
        privateer.save_bundle(module, "kuhn", tmp_path / "x.bundle")


def test_wrapped_modules_are_saved_as_what_is_inside(tmp_path: Path) -> None:
    spec = decisions("leduc", 1)[3]
    agent = Agent(spec.observation.size, len(spec.actions), 8)
    want = privateer.save_bundle(agent, "leduc", tmp_path / "want.bundle").data
    for wrap in (compiled, nn.DataParallel, lambda m: nn.DataParallel(compiled(m))):
        assert privateer.save_bundle(wrap(agent), "leduc", tmp_path / "got.bundle").data == want
    agent.body = compiled(agent.body)
    agent.policy = nn.DataParallel(agent.policy)
    assert privateer.save_bundle(agent, "leduc", tmp_path / "got.bundle").data == want
    own = drawn("mlp")
    again = privateer.save_bundle(compiled(own.torch()), "leduc", tmp_path / "own.bundle")
    assert {t.name: t.data for t in again.bundle.weights} == {t.name: t.data for t in own.bundle.weights}


class Noisy(nn.Linear):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x) * 2


class Dividing(CleanRL):
    """Reads bytes, and makes other numbers of them itself."""

    def get_action_and_value(self, x: torch.Tensor, action: torch.Tensor | None = None) -> tuple[torch.Tensor, ...]:
        dist = torch.distributions.Categorical(logits=self.actor(x / 255))
        action = dist.sample() if action is None else action
        return action, dist.log_prob(action), dist.entropy(), self.critic(x / 255)


class Forward(CleanRL):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.actor(x.sqrt())


def test_a_module_that_does_more_than_its_layers_is_refused(tmp_path: Path) -> None:
    inputs = decisions("leduc", 1)[0].shape[1]
    for module in (nn.Sequential(nn.Linear(inputs, 8), nn.Tanh(), Noisy(8, 3)), Dividing(inputs, 3), Forward(inputs, 3)):
        for layer in module.modules():
            if isinstance(layer, nn.Linear):
                nn.init.normal_(layer.weight)
        with pytest.raises(ValueError, match="the logits .* besides its layers"):
            privateer.save_bundle(module, "leduc", tmp_path / "x.bundle", inputs="bytes")
        assert module.training
    plain = CleanRL(inputs, 3)
    with_drop_out = nn.Sequential(nn.Linear(inputs, 8), nn.Tanh(), nn.Dropout(0.5), nn.Linear(8, 3))
    for module in (plain, with_drop_out, plain.double(), nn.Sequential(nn.Linear(inputs, 8), nn.Tanh(), nn.Linear(8, 3)).bfloat16()):
        privateer.save_bundle(module, "leduc", tmp_path / "x.bundle", inputs="bytes")


@pytest.mark.parametrize("name, game", [("mlp", "leduc"), ("entity", "jolly_roger(seats=3)")])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("auto", [False, True])
def test_module_computes_with_any_precision(name: str, game: str, dtype: torch.dtype, auto: bool) -> None:
    if OLD and (auto or dtype == torch.float16):
        pytest.skip("this PyTorch does not compute so on a processor")
    policy = drawn(name, game)
    module, given = policy.torch(), asked(policy)
    legal = given[1] != 0
    want = torch.tensor(policy.probabilities(*(g.numpy() for g in given)))
    if auto and dtype != torch.float64:
        with torch.autocast("cpu", dtype=dtype):
            logits = module(*given)
    else:
        module = module.to(dtype)
        logits = module(*given)
        assert logits.dtype == dtype and module.value(given[0]).dtype == dtype
    assert (logits[~legal] == torch.finfo(logits.dtype).min).all() and logits.isfinite().all()
    chances = logits.float().softmax(1)
    assert (chances[~legal] == 0).all()
    np.testing.assert_allclose(chances.detach().numpy(), want.numpy(), atol=0.05)
    logits.float().log_softmax(1)[legal].sum().backward()


def test_observations_that_are_scaled_already_are_refused() -> None:
    policy = drawn("mlp")
    seen, mask = asked(policy)
    for module in (policy.torch(), torch.jit.script(policy.torch())):
        with pytest.raises((ValueError, torch.jit.Error), match="bytes"):
            module(seen.float(), mask)
    with pytest.raises(ValueError, match="bytes"):
        policy.torch().value(seen.float())
    for call in (lambda x: policy.logits(x, mask.numpy()), policy.value, lambda x: policy.act(x, mask.numpy())):
        with pytest.raises(ValueError, match="float32.*bytes"):
            call(seen.numpy().astype(np.float32))
