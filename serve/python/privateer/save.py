"""The way back: a network that was trained in PyTorch becomes a bundle.

    privateer.save_bundle(agent, "leduc", "mine.bundle")
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from privateer.bundle import Bundle, Golden, Provenance, Slice, Tensor
from privateer.connect import open_session
from privateer.policy import Policy
from privateer.spec import GameSpec
from privateer.version import __version__


def save_bundle(
    module: Any,
    game: str,
    path: str | os.PathLike[str],
    *,
    inputs: str | None = None,
    choice: str | None = None,
    about: str = "",
    client: Any = None,
) -> Policy:
    """Write a network of PyTorch as a bundle, which ``privateer eval``, ``play``, ``rate`` and ``serve --policies`` take.

    ``module`` is an ``nn.Sequential`` that ends with a layer of one logit for each action, or a module that contains one:

    - an agent in the manner of CleanRL: ``actor``, after ``network`` or ``body`` if it has such a trunk (``policy`` is another name
      for ``actor``); a linear ``critic`` on the same trunk becomes the bundle's value
    - an algorithm of Stable-Baselines3 or its policy (``MlpPolicy``): ``mlp_extractor.policy_net`` and ``action_net``
    - a result of :meth:`Policy.torch`, trained further or not

    or one of these behind ``torch.compile``, ``DataParallel`` or TorchRL's ``TensorDictModule``. Its layers are Linear, LayerNorm after each
    Linear but the last or after none, and ReLU, SiLU or Tanh, the same everywhere.

    ``inputs`` names its training inputs: ``scaled`` (float32, ``make_vec(dtype=np.float32)``, the default) or ``bytes`` (unscaled). Algorithms of
    Stable-Baselines3 state it by their spaces, and transformations of observations are folded into the first layer if possible: the statistics of
    ``VecNormalize``, for example. ``choice`` is ``sample`` (the default) or ``greedy``.
    ``game`` names one of the configurations of the game; every other one can be played too.

    Raises:
        ValueError: no bundle can compute the module, or the written bundle would differ from it in real decisions.
    """
    from privateer.torch_policy import source_of

    source = source_of(module)
    if inputs not in (None, "scaled", "bytes"):
        raise ValueError(f"inputs {inputs!r}: want scaled or bytes")
    if source.own is not None and inputs == "scaled":
        raise ValueError("inputs 'scaled': the module reads bytes, and scales them itself: leave inputs out")
    own, reads_actions = source.own or Bundle(choice="sample"), source.network.name == "entity"
    with open_session(client, game, _ROWS, seed=1, autoreset="SAME_STEP", action_rows=reads_actions) as session:
        spec, batch = session.spec, session.reset()
        first, last = source.weights["trunk.0.linear.weight"], source.weights.get("policy.weight")
        actions = len(spec.actions) if last is None else last.shape[0]
        if (first.shape[1], actions) != (spec.observation.size, len(spec.actions)):
            raise ValueError(f"the module reads {first.shape[1]} numbers and has {actions} actions: {game} has {spec.observation.size} and {len(spec.actions)} (a bundle reads one observation: no stack of them, and no mask)")
        if source.own is not None and own.schema != spec.observation.hash:
            raise ValueError(f"the module is of a policy of {own.game}, whose observations or actions are not those of {game}")
        moments = []
        for _ in range(_MOMENTS):
            rows = np.zeros((int(batch.action_mask.sum()), 0), np.uint8) if batch.action_rows is None else batch.action_rows.copy()
            moments.append((batch.observation.copy(), batch.action_mask.copy(), rows))
            for _ in range(5):
                batch = session.step(session.sample_actions())
    observation, mask, rows = (np.concatenate(part) for part in zip(*moments, strict=True))
    groups, read = (own.observation, observation) if source.own is not None else _inputs(source, spec, inputs, observation)
    policy = Policy(
        Bundle(
            game=spec.config, name=spec.name, schema=spec.observation.hash, observation=groups, actions=list(spec.actions), choice=choice or own.choice,
            row_schema=own.row_schema, row=own.row, network=source.network,
            weights=[Tensor(name, list(w.shape), np.ascontiguousarray(w, "<f4").tobytes()) for name, w in source.weights.items()],
            provenance=Provenance(program=f"privateer {__version__} of Python", checkpoint=about, config=f"game: {spec.config}\n"),
        )
    )
    # What is compared are all logits, unless only legal actions have one.
    asked = mask if reads_actions else np.ones_like(mask)
    logits = policy.logits(observation, asked, rows)
    values = policy.value(observation) if policy.values else np.zeros((len(observation), 0), np.float32)
    said, told = source.computed(read, asked, rows)
    for theirs in said:
        _same("logits", source.tolerance, np.where(asked, _relative(logits, asked), 0), np.where(asked, _relative(theirs, asked), 0))
    if told is not None:
        _same("values", source.tolerance, values, told)
    few = slice(0, None, _ROWS)  # of the first match
    counts = asked.sum(1, dtype=np.int64)
    ends = np.cumsum(counts)
    policy.bundle.golden = Golden(observation=observation[few].tobytes(), logits=logits[few][asked[few] != 0].tolist(), values=values[few].ravel().tolist())
    if reads_actions:
        policy.bundle.golden.rows = b"".join(rows[end - n : end].tobytes() for end, n in zip(ends[few], counts[few], strict=True))
        policy.bundle.golden.counts = counts[few].tolist()
    policy.check_golden()
    return policy.save(path)


#: Matches, and moments of each, in whose decisions :func:`save_bundle` compares; it keeps those of the first match.
_ROWS, _MOMENTS = 32, 8


def _relative(logits: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Logits less the logarithm of the sum of their exponentials, in which those of one policy agree; of probabilities, which some modules say, their own."""
    wide = np.where(mask, logits.astype(np.float64), -np.inf)
    if (logits >= 0).all() and np.allclose(logits.sum(1), 1, atol=1e-3):
        wide = np.log(np.maximum(wide, 1e-30))
    most = wide.max(1, keepdims=True)
    return wide - most - np.log(np.exp(wide - most).sum(1, keepdims=True))


def _same(what: str, tolerance: float, ours: np.ndarray, theirs: np.ndarray) -> None:
    """Refuse a bundle that computes something else than its module in real decisions."""
    apart = np.abs(ours - theirs)
    if theirs.shape != ours.shape or not (apart <= tolerance * (1 + np.abs(theirs))).all():
        raise ValueError(
            f"the {what} that a bundle of these layers computes in real decisions are up to {apart.max():.3g} away from the module's own: the module does "
            "something besides its layers, which no bundle computes: before them (want observations scaled, or as bytes), among them, or after them"
        )


def _inputs(source: Any, spec: GameSpec, inputs: str | None, observation: np.ndarray) -> tuple[list[Slice], np.ndarray]:
    """The bytes of a bundle with their scales, and observations as the module reads them. What else is done to a byte goes into the weights of the first layer."""
    scales = spec.observation.scales()
    forms: dict[str, Callable[[np.ndarray], np.ndarray]] = {"scaled": lambda x: x * scales, "bytes": lambda x: x.astype(np.float32)}
    read, what = forms[inputs or "scaled"], "what it reads"
    if source.algorithm is not None:
        from privateer.sb3 import reads

        read, what = reads(source.algorithm, spec, forms, inputs)
    most = spec.observation.maxima()
    table = read(np.minimum(np.arange(int(most.max()) + 1)[:, None], most).astype(np.uint8)).astype(np.float64)  # of each byte, by its value
    start, slope = table[0], table[1] - table[0]
    line = start + np.minimum(np.arange(len(table))[:, None], most) * slope
    if (bent := np.flatnonzero((np.abs(line - table) > 1e-4 * (1 + np.abs(table))).any(0))).size:
        group = next(g.name for g in spec.observation.groups if g.offset <= bent[0] < g.offset + int(np.prod(g.shape)))
        raise ValueError(
            f"{what} is no multiple of the bytes of {group} plus a constant (a clip, perhaps), and bundles compute nothing else before the first layer: "
            "train on the observations as they come or as float32, or with a clip that is never reached"
        )
    of = {name: np.asarray(form(np.ones_like(most)), np.float64) for name, form in forms.items()}
    plain = next((name for name in of if not start.any() and np.array_equal(slope[most > 0], of[name][most > 0])), None)
    if plain is None:
        first = source.weights["trunk.0.linear.weight"].astype(np.float64)
        source.weights["trunk.0.linear.bias"] = (source.weights["trunk.0.linear.bias"] + first @ start).astype(np.float32)
        source.weights["trunk.0.linear.weight"] = (first * (np.where(most > 0, slope, 0) / scales)).astype(np.float32)
    unit = plain == "bytes"
    groups = [Slice(g.name, g.offset, int(np.prod(g.shape)), 1.0 if unit else float(g.scale)) for g in spec.observation.groups]
    return groups, read(observation)
