"""What :mod:`privateer.policy` needs PyTorch for."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import torch
from torch import nn

from privateer.bundle import Bundle, Golden, Network, scales

_ACTIVATIONS = {"relu": nn.ReLU, "silu": nn.SiLU, "tanh": nn.Tanh}


class TorchPolicy(nn.Module):
    """A bundle's network. Its parameters have the names of FORMAT.md, with underscores for dots within a layer's name.

    ``forward(observation, action_mask)``, or ``forward(observation, action_mask, action_rows)`` if the policy reads what actions do: uint8
    tensors as a session has them; logits ``[N, A]``, the lowest of their type where the mask is 0. It computes with the precision of its
    weights (``module.half()``), or that of ``torch.autocast``. Observations of float are refused: they would be scaled twice.
    """

    def __init__(self, bundle: Bundle, w: dict[str, np.ndarray]) -> None:
        super().__init__()
        n = bundle.network
        self.about = copy.deepcopy(dataclasses.replace(bundle, weights=[], golden=Golden(), evaluation=[]))  # for save_bundle
        self.actions = len(bundle.actions)
        self.reads_actions = n.name == "entity"
        self.values = int("value.bias" in w)
        self.register_buffer("observation_scale", torch.tensor(scales(bundle.observation)))
        self.register_buffer("row_scale", torch.tensor(scales(bundle.row)))

        def linear(name: str) -> nn.Linear:
            weight, bias = w[name + ".weight"], w.get(name + ".bias")
            layer = nn.Linear(weight.shape[1], weight.shape[0], bias is not None)
            with torch.no_grad():
                layer.weight.copy_(torch.tensor(weight))
                if bias is not None:
                    layer.bias.copy_(torch.tensor(bias))
            return layer

        trunk: list[nn.Module] = []
        for i, h in enumerate(n.hidden):
            trunk.append(linear(f"trunk.{i}.linear"))
            if n.norm == "layer":
                norm = nn.LayerNorm(h, n.norm_eps)
                with torch.no_grad():
                    norm.weight.copy_(torch.tensor(w[f"trunk.{i}.norm.weight"]))
                    norm.bias.copy_(torch.tensor(w[f"trunk.{i}.norm.bias"]))
                trunk.append(norm)
            trunk.append(_ACTIVATIONS[n.activation]())
        self.trunk = nn.Sequential(*trunk)
        self.activation = _ACTIVATIONS[n.activation]()
        self.value_head = linear("value") if self.values else nn.Identity()
        rows: list[nn.Module] = []
        for i in range(len(n.row_hidden)):
            rows += [linear(f"rows.{i}"), _ACTIVATIONS[n.activation]()]
        self.rows = nn.Sequential(*rows)
        for name in ("policy",) if not self.reads_actions else ("context", "query", "direct", "embed", "score"):
            setattr(self, name, linear(name))
        # The other network's are not there.
        for name in ("context", "query", "direct", "embed", "score") if not self.reads_actions else ("policy",):
            setattr(self, name, nn.Identity())

    # An Optional, because older scripting compilers know no other word for it.
    def forward(self, observation: torch.Tensor, action_mask: torch.Tensor, action_rows: Optional[torch.Tensor] = None) -> torch.Tensor:
        x = self.trunk(scaled(observation, self.observation_scale))
        legal = action_mask != 0
        if not self.reads_actions:
            scores = self.policy(x)
        else:
            if action_rows is None:
                raise ValueError("the network reads what actions do: give it action_rows")
            scores = self.scores(x, legal, action_rows)
        return scores.masked_fill(~legal, least(scores.dtype))

    def scores(self, x: torch.Tensor, legal: torch.Tensor, action_rows: torch.Tensor) -> torch.Tensor:
        """Scores of all actions, 0 for those without a row."""
        e = self.rows(scaled(action_rows, self.row_scale))
        total, width = e.shape[0], e.shape[1]
        # Row k is of the k-th legal action: where the mask's running sum reaches k + 1.
        place = torch.searchsorted(legal.reshape(-1).long().cumsum(0), torch.arange(1, total + 1, device=e.device))
        decision = torch.div(place, legal.shape[1], rounding_mode="floor")
        count = legal.sum(1, keepdim=True).clamp(min=1).to(e.dtype)
        mean = torch.zeros(x.shape[0], width, dtype=e.dtype, device=e.device).index_add(0, decision, e) / count
        lowest = torch.full((x.shape[0], width), least(e.dtype), dtype=e.dtype, device=e.device)
        largest = lowest.scatter_reduce(0, decision[:, None].expand(-1, width), e, "amax", include_self=True)
        query = self.query(x) + self.context(torch.cat([mean, largest], 1))
        met = self.activation(self.embed(e) + query[decision])
        scored = self.score(met)[:, 0] + (e * self.direct(x)[decision]).sum(1)
        flat = torch.zeros(legal.shape[0] * legal.shape[1], dtype=scored.dtype, device=e.device)
        return flat.index_add(0, place, scored).reshape(legal.shape)

    def value(self, observation: torch.Tensor) -> torch.Tensor:
        """Values, ``[N, 1]``, of policies with a value head."""
        if self.values == 0:
            raise ValueError("this policy has no value head")
        return self.value_head(self.trunk(scaled(observation, self.observation_scale)))


def scaled(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """Bytes as what the network reads, in its precision."""
    if x.is_floating_point():
        raise ValueError("observations and rows of float: want the bytes as they come (uint8), which the module scales itself")
    return x.to(scale.dtype) * scale


def least(dtype: torch.dtype) -> float:
    """The least number of a type. (Scripting compilers do not know torch.finfo.)"""
    if dtype == torch.float16:
        return -65504.0
    if dtype == torch.bfloat16:
        return -3.3895313892515355e38
    if dtype == torch.float64:
        return -1.7976931348623157e308
    return -3.4028234663852886e38


@dataclass
class Source:
    """A network as a bundle has it, and what it computes itself, with which the bundle is compared."""

    module: nn.Module
    network: Network
    weights: dict[str, np.ndarray]  # by the names of bundles
    parameter: torch.Tensor  # one of its weights: it reads numbers of that type, on that device
    logits: Callable[..., list[torch.Tensor]]  # of what it reads, and of masks and rows if it is `own`: up to a constant for each decision, by each way to ask for them
    values: Callable[[torch.Tensor], torch.Tensor] | None = None
    own: Bundle | None = None  # whose module it is, by Policy.torch: it reads bytes
    algorithm: Any = None  # of Stable-Baselines3, or its policy

    @property
    def tolerance(self) -> float:
        """The largest difference, absolute or relative, from the results of NumPy with the same weights in float32."""
        return 1e-3 if self.parameter.dtype in (torch.float32, torch.float64) else 5e-2

    def computed(self, read: np.ndarray, mask: np.ndarray, rows: np.ndarray) -> tuple[list[np.ndarray], np.ndarray | None]:
        """Logits ``[N, A]``, by each way to ask for them, and values ``[N, V]`` of decisions as it reads them; nothing is dropped out, and it stays in its mode."""
        at = self.parameter.device
        x = torch.as_tensor(read, dtype=None if self.own else self.parameter.dtype, device=at)
        more = [] if self.own is None else [torch.as_tensor(mask, device=at)] + ([torch.as_tensor(rows, device=at)] if self.network.name == "entity" else [])
        modes = [(module, module.training) for module in self.module.modules()]
        try:
            self.module.eval()
            with torch.no_grad():
                logits = [out.float().cpu().numpy() for out in self.logits(x, *more)]
                return logits, None if self.values is None else self.values(x).float().cpu().numpy()
        finally:
            for module, training in modes:
                module.training = training


def source_of(module: Any) -> Source:
    """The network of a module; a ValueError says why no bundle has it."""
    given, module = module, _inside(module)
    if hasattr(policy := _inside(getattr(module, "policy", None)), "mlp_extractor"):
        module = policy  # an algorithm of Stable-Baselines3
    if isinstance(module, TorchPolicy):
        return _of_policy(module)
    trunk, actor, critic = _parts(module)
    leaves = [*_leaves(trunk), *_leaves(actor)]
    if not leaves or not isinstance(leaves[-1], nn.Linear):
        raise ValueError(f"the module ends with {type(leaves[-1]).__name__ if leaves else 'nothing'}: want a Linear with a logit for each action")
    weights: dict[str, np.ndarray] = {}
    network = Network("mlp", norm="none")
    at = 0
    while at < len(leaves) - 1:
        linear, norm = leaves[at], None
        if not isinstance(linear, nn.Linear):
            raise ValueError(f"layer {at} is {type(linear).__name__}: want Linear, LayerNorm and then ReLU, SiLU or Tanh, again and again")
        at += 1
        if isinstance(leaves[at], nn.LayerNorm):
            norm = leaves[at]
            at += 1
        activation = next((name for name, kind in _ACTIVATIONS.items() if isinstance(leaves[at], kind)), None)
        if activation is None or at == len(leaves) - 1:
            raise ValueError(f"{type(leaves[at]).__name__} follows layer {at - 1}: want one of ReLU, SiLU and Tanh")
        at += 1
        _add(network, weights, linear, norm, activation)
    _put(weights, "policy", leaves[-1])
    if not network.hidden:
        raise ValueError("the module has no hidden layer: want one at least")
    if critic is not None and critic.in_features == network.hidden[-1] and not _leaves(actor)[:-1]:
        _put(weights, "value", critic)
    else:
        critic = None

    def features(x: torch.Tensor) -> torch.Tensor:
        return x if trunk is None else trunk(x)

    source = Source(module, network, weights, leaves[0].weight, lambda x: [actor(features(x)), *_said(module, x, leaves[-1].out_features)])
    if critic is not None:
        source.values = lambda x: critic(features(x))
    if hasattr(module, "get_distribution"):  # of Stable-Baselines3, and no class of the same shape
        source.algorithm = given
        source.logits = lambda x: [module.get_distribution(x).distribution.logits]
    return source


def _of_policy(module: TorchPolicy) -> Source:
    layers: dict[str, nn.Module] = {"value": module.value_head}
    layers |= {name: getattr(module, name) for name in ("policy", "context", "query", "direct", "embed", "score")}
    for name, of, kind in (("rows.{}", module.rows, nn.Linear), ("trunk.{}.linear", module.trunk, nn.Linear), ("trunk.{}.norm", module.trunk, nn.LayerNorm)):
        layers |= {name.format(i): layer for i, layer in enumerate(layer for layer in of if isinstance(layer, kind))}
    weights: dict[str, np.ndarray] = {}
    for name, layer in layers.items():
        if not isinstance(layer, nn.Identity):
            _put(weights, name, layer, name not in ("context", "direct", "embed", "score"))
    return Source(
        module, module.about.network, weights, module.observation_scale, lambda *x: [module(*x)], module.value if module.values else None, module.about
    )


def _said(module: Any, x: torch.Tensor, actions: int) -> list[torch.Tensor]:
    """The logits that a module says itself, if it can be asked for them: by a forward, or as CleanRL's agents say them, action by action."""
    said = []
    with contextlib.suppress(Exception):  # it wants more than observations
        out = module(x)
        if out.shape == (len(x), actions):
            said.append(out)
    ask = getattr(module, "get_action_and_value", None)
    wanted = [] if ask is None else [p.name for p in inspect.signature(ask).parameters.values() if p.default is p.empty][1:]
    if ask is not None and set(wanted) <= {"action"}:
        with contextlib.suppress(Exception):
            said.append(torch.stack([ask(x, action=torch.full((len(x),), a, device=x.device))[1] for a in range(actions)], 1))
    return said


def _inside(module: Any) -> Any:
    """The module that is compiled, shared out among devices, or behind TorchRL's names of what it reads and writes."""
    while isinstance(module, nn.Module):
        if isinstance(module, (nn.DataParallel, nn.parallel.DistributedDataParallel)):
            module = module.module
        elif (compiled := module._modules.get("_orig_mod")) is not None:
            module = compiled
        elif hasattr(module, "in_keys") and isinstance(getattr(module, "module", None), nn.Module):
            module = module.module[0] if isinstance(module.module, nn.ModuleList) else module.module
        else:
            break
    return module


def _parts(module: Any) -> tuple[nn.Module | None, nn.Module, nn.Linear | None]:
    """The trunk, the actor on it, and the critic on the same trunk, if they are there."""
    if hasattr(module, "mlp_extractor") and hasattr(module, "action_net"):
        extractor = getattr(module, "pi_features_extractor", None) or getattr(module, "features_extractor", None)
        if extractor is not None and type(extractor).__name__ not in ("FlattenExtractor", "Flatten", "Identity"):
            raise ValueError(f"its features_extractor is {type(extractor).__name__}, which a bundle does not compute: want one that only flattens (FlattenExtractor)")
        return module.mlp_extractor.policy_net, module.action_net, None
    if not isinstance(module, nn.Module):
        raise TypeError(f"a {type(module).__name__}: want an nn.Module, or an algorithm of Stable-Baselines3")
    if isinstance(module, nn.Sequential):
        return None, module, None
    actor = _inside(getattr(module, "actor", None) or getattr(module, "policy", None))
    if not isinstance(actor, nn.Module):
        raise ValueError(f"{type(module).__name__} has neither actor nor policy: give its layers as an nn.Sequential")
    trunk = _inside(getattr(module, "network", None) or getattr(module, "body", None))
    critic = _inside(getattr(module, "critic", None))
    if isinstance(critic, nn.Sequential) and len(critic) == 1:
        critic = critic[0]
    return trunk, actor, critic if trunk is not None and isinstance(critic, nn.Linear) else None


def _leaves(module: nn.Module | None) -> list[Any]:
    """The layers in their order, without those that change nothing."""
    module = _inside(module)
    if module is None or isinstance(module, (nn.Flatten, nn.Identity, nn.Dropout)):
        return []
    if isinstance(module, nn.Sequential):
        return [leaf for part in module for leaf in _leaves(part)]
    return [module]


def _add(network: Network, weights: dict[str, np.ndarray], linear: nn.Linear, norm: nn.LayerNorm | None, activation: str) -> None:
    i = len(network.hidden)
    kind = "none" if norm is None else "layer"
    if i > 0 and (network.norm, network.activation) != (kind, activation):
        raise ValueError(f"layer {i} has norm {kind} and {activation}, and the one before it {network.norm} and {network.activation}: want the same in all")
    if norm is not None:
        if norm.weight is None or tuple(norm.normalized_shape) != (linear.out_features,):
            raise ValueError(f"the LayerNorm of layer {i} has no weights, or is not of the {linear.out_features} numbers before it")
        if i > 0 and norm.eps != network.norm_eps:
            raise ValueError(f"the LayerNorms have eps {network.norm_eps} and {norm.eps}: want the same in all")
        network.norm_eps = float(norm.eps)
    network.norm, network.activation = kind, activation
    network.hidden.append(linear.out_features)
    _put(weights, f"trunk.{i}.linear", linear)
    if norm is not None:
        _put(weights, f"trunk.{i}.norm", norm)


def _put(weights: dict[str, np.ndarray], name: str, layer: Any, biased: bool = True) -> None:
    weights[name + ".weight"] = layer.weight.detach().float().cpu().numpy()
    bias = layer.bias
    if biased:
        weights[name + ".bias"] = np.zeros(layer.weight.shape[0], np.float32) if bias is None else bias.detach().float().cpu().numpy()
