"""What :mod:`privateer.policy` needs PyTorch for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import torch
from torch import nn

from privateer.bundle import Network

if TYPE_CHECKING:
    from privateer.policy import Policy

_ACTIVATIONS = {"relu": nn.ReLU, "silu": nn.SiLU, "tanh": nn.Tanh}


class TorchPolicy(nn.Module):
    """A bundle's network. Its parameters have the names of FORMAT.md, with underscores for dots within a layer's name.

    ``forward(observation, action_mask)``, or ``forward(observation, action_mask, action_rows)`` if the policy reads what actions do: uint8
    tensors as a session has them; logits ``[N, A]``, the lowest float32 where the mask is 0.
    """

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        n, w = policy.bundle.network, policy._weights
        self.actions = len(policy.actions)
        self.reads_actions = policy.reads_actions
        self.values = policy.values
        self.register_buffer("observation_scale", torch.tensor(policy._scales))
        self.register_buffer("row_scale", torch.tensor(policy._row_scales))

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
        x = self.trunk(observation.to(torch.float32) * self.observation_scale)
        legal = action_mask != 0
        if not self.reads_actions:
            scores = self.policy(x)
        else:
            if action_rows is None:
                raise ValueError("the network reads what actions do: give it action_rows")
            scores = self.scores(x, legal, action_rows)
        return scores.masked_fill(~legal, -3.4028234663852886e38)

    def scores(self, x: torch.Tensor, legal: torch.Tensor, action_rows: torch.Tensor) -> torch.Tensor:
        """Scores of all actions, 0 for those without a row."""
        e = self.rows(action_rows.to(torch.float32) * self.row_scale)
        total, width = e.shape[0], e.shape[1]
        # Row k is of the k-th legal action: where the mask's running sum reaches k + 1.
        place = torch.searchsorted(legal.reshape(-1).long().cumsum(0), torch.arange(1, total + 1, device=e.device))
        decision = torch.div(place, legal.shape[1], rounding_mode="floor")
        count = legal.sum(1, keepdim=True).clamp(min=1).to(e.dtype)
        mean = torch.zeros(x.shape[0], width, dtype=e.dtype, device=e.device).index_add(0, decision, e) / count
        lowest = torch.full((x.shape[0], width), -3.4028234663852886e38, dtype=e.dtype, device=e.device)
        largest = lowest.scatter_reduce(0, decision[:, None].expand(-1, width), e, "amax", include_self=True)
        query = self.query(x) + self.context(torch.cat([mean, largest], 1))
        met = self.activation(self.embed(e) + query[decision])
        scored = self.score(met)[:, 0] + (e * self.direct(x)[decision]).sum(1)
        flat = torch.zeros(legal.shape[0] * legal.shape[1], dtype=e.dtype, device=e.device)
        return flat.index_add(0, place, scored).reshape(legal.shape)

    def value(self, observation: torch.Tensor) -> torch.Tensor:
        """Values, ``[N, V]``, of policies that tell them."""
        if self.values == 0:
            raise ValueError("this policy tells no values")
        return self.value_head(self.trunk(observation.to(torch.float32) * self.observation_scale))


def layers_of(module: Any) -> tuple[Network, dict[str, np.ndarray], Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]]:
    """The network of a module, its weights by the names of bundles, and what it computes: logits and values of scaled observations."""
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

    def compute(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        with torch.no_grad():
            y = torch.tensor(x, dtype=leaves[0].weight.dtype, device=leaves[0].weight.device)
            features = nn.Sequential(*leaves[:-1]).eval()(y)
            values = critic(features) if critic is not None else features[:, :0]
            return leaves[-1](features).float().cpu().numpy(), values.float().cpu().numpy()

    return network, weights, compute


def _parts(module: Any) -> tuple[nn.Module | None, nn.Module, nn.Linear | None]:
    """The trunk, the actor on it, and the critic on the same trunk, if they are there."""
    inner = getattr(module, "policy", None)
    if inner is not None and hasattr(inner, "mlp_extractor"):
        module = inner  # an algorithm of Stable-Baselines3
    if hasattr(module, "mlp_extractor") and hasattr(module, "action_net"):
        extractor = getattr(module, "features_extractor", None)
        if extractor is not None and any(True for _ in extractor.parameters()):
            raise ValueError(f"its features_extractor {type(extractor).__name__} has weights of its own: want one that only flattens")
        return module.mlp_extractor.policy_net, module.action_net, None
    if not isinstance(module, nn.Module):
        raise TypeError(f"a {type(module).__name__}: want an nn.Module, or an algorithm of Stable-Baselines3")
    if isinstance(module, nn.Sequential):
        return None, module, None
    actor = getattr(module, "actor", None) or getattr(module, "policy", None)
    if not isinstance(actor, nn.Module):
        raise ValueError(f"{type(module).__name__} has neither actor nor policy: give its layers as an nn.Sequential")
    trunk = getattr(module, "network", None) or getattr(module, "body", None)
    critic = getattr(module, "critic", None)
    if isinstance(critic, nn.Sequential) and len(critic) == 1:
        critic = critic[0]
    return trunk, actor, critic if trunk is not None and isinstance(critic, nn.Linear) else None


def _leaves(module: nn.Module | None) -> list[Any]:
    """The layers in their order, without those that change nothing."""
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


def _put(weights: dict[str, np.ndarray], name: str, layer: Any) -> None:
    weights[name + ".weight"] = layer.weight.detach().float().cpu().numpy()
    bias = layer.bias
    weights[name + ".bias"] = np.zeros(layer.weight.shape[0], np.float32) if bias is None else bias.detach().float().cpu().numpy()
