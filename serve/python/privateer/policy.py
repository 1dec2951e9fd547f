"""Trained policies without a server: bundles computed by NumPy, as modules of PyTorch, and the way back.

    policy = privateer.load_policy("pirate.bundle")
    actions = policy.act(session.reset())        # or policy.act(observation, action_mask)
    module = policy.torch()                      # an nn.Module
    privateer.make_vec("doubloons(seats=4)", 64, opponents=policy.bot())

    privateer.save_bundle(agent, "leduc", "mine.bundle")   # a network that was trained in PyTorch
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privateer import bundle as bundles
from privateer.batch import Batch
from privateer.bundle import Bundle, BundleError
from privateer.version import __version__

if TYPE_CHECKING:
    import torch

    from privateer.spec import GameSpec

#: The logit of an action that is not legal.
MASKED = np.finfo(np.float32).min


def load_policy(path: str | os.PathLike[str] | bytes) -> Policy:
    """Read a bundle that ``privateer export`` or :func:`save_bundle` wrote; a damaged or foreign one is a :class:`BundleError`."""
    data, of = (path, None) if isinstance(path, bytes) else (Path(path).read_bytes(), Path(path))
    policy = Policy(bundles.read(data, of), of, data)
    policy.check_golden()
    return policy


def _bytes(what: str, a: np.ndarray) -> np.ndarray:
    if a.dtype.kind not in "iub":
        raise ValueError(f"{what} of {a.dtype}: want the bytes as they come (dtype=np.uint8), which the policy scales itself")
    return a


class Policy:
    """A policy that NumPy computes.

    Decisions are rows: ``observation`` ``[N, D]`` uint8, ``action_mask`` ``[N, A]``. A policy with
    ``reads_actions`` also needs ``action_rows`` ``[T, F]`` uint8: a row for each legal action, in ascending order of
    actions, decision after decision (``action_rows=True`` when a session or an environment is opened);
    ``action_offsets`` ``[N + 1]`` says where those of each decision begin, and may be left out if no row is finished.
    """

    def __init__(self, bundle: Bundle, path: Path | None = None, data: bytes | None = None) -> None:
        try:
            weights = bundle.check()
        except BundleError as error:
            raise BundleError(f"{path or 'the bundle'}: {error}") from None
        self.bundle = bundle
        self.path = path  #: of the file that it was read from or written to, if there is one; what is there now may be another policy
        self._content = (data, copy.deepcopy(bundle)) if data is not None else None
        self.game = bundle.game  #: game string that it was trained on
        self.name = bundle.name  #: of that game: every configuration can be played
        self.actions = tuple(bundle.actions)
        self.reads_actions = bundle.network.name == "entity"
        self.observation_size = sum(g.size for g in bundle.observation)
        self.row_size = sum(g.size for g in bundle.row)
        self._weights = weights
        self._scales, self._row_scales = bundles.scales(bundle.observation), bundles.scales(bundle.row)

    def __repr__(self) -> str:
        n = self.bundle.network
        return f"<Policy of {self.game}: {n.name} {n.hidden}, plays by {self.bundle.choice}>"

    def __reduce__(self) -> tuple[Any, tuple[bytes, Path | None]]:
        return _again, (self.data, self.path)

    @property
    def data(self) -> bytes:
        """The content of a file of it: what was read, or, of a bundle that is not as it was read, what would be written."""
        if self._content is None or self._content[1] != self.bundle:
            self._content = bundles.encode(self.bundle), copy.deepcopy(self.bundle)
        return self._content[0]

    @property
    def digest(self) -> str:
        """Twelve digits that tell it from all other policies; those that ``privateer`` says of its file too."""
        return hashlib.sha256(self.data).hexdigest()[:12]

    def scale(self, observation: npt.ArrayLike) -> np.ndarray:
        """Observations as what the network reads, float32."""
        seen = np.asarray(observation)
        if seen.ndim != 2 or seen.shape[1] != self.observation_size:
            raise ValueError(f"observations of shape {seen.shape}: {self.name} has [N, {self.observation_size}]")
        return _bytes("observations", seen).astype(np.float32) * self._scales

    def _linear(self, x: np.ndarray, name: str) -> np.ndarray:
        bias = self._weights.get(name + ".bias")
        out = x @ self._weights[name + ".weight"].T
        return out if bias is None else out + bias

    def _activation(self, x: np.ndarray) -> np.ndarray:
        kind = self.bundle.network.activation
        if kind == "relu":
            return np.maximum(x, 0)
        if kind == "tanh":
            return np.tanh(x)
        with np.errstate(over="ignore"):  # e to a large power is infinite, and x over it 0
            return x / (1 + np.exp(-x))

    def _trunk(self, observation: npt.ArrayLike) -> np.ndarray:
        x, n = self.scale(observation), self.bundle.network
        for i in range(len(n.hidden)):
            x = self._linear(x, f"trunk.{i}.linear")
            if n.norm == "layer":
                wide = x.astype(np.float64)
                centred = wide - wide.mean(1, keepdims=True)
                deviation = np.sqrt((centred * centred).mean(1, keepdims=True) + n.norm_eps)
                x = (centred / deviation).astype(np.float32)
                x = x * self._weights[f"trunk.{i}.norm.weight"] + self._weights[f"trunk.{i}.norm.bias"]
            x = self._activation(x)
        return x

    def logits(
        self,
        observation: npt.ArrayLike,
        action_mask: npt.ArrayLike,
        action_rows: npt.ArrayLike | None = None,
        action_offsets: npt.ArrayLike | None = None,
    ) -> np.ndarray:
        """``[N, A]`` float32, :data:`MASKED` where an action is not legal."""
        x = self._trunk(observation)
        legal = np.asarray(action_mask) != 0
        if legal.shape != (len(x), len(self.actions)):
            raise ValueError(f"a mask of shape {legal.shape}: want [{len(x)}, {len(self.actions)}]")
        if not self.reads_actions:
            return np.where(legal, self._linear(x, "policy"), MASKED)
        rows, legal = self._described(legal, action_rows, action_offsets)
        out = np.full(legal.shape, MASKED, np.float32)
        if len(rows):
            out[legal] = self._scores(x, rows, legal.sum(1))
        return out

    def _described(self, legal: np.ndarray, rows: npt.ArrayLike | None, offsets: npt.ArrayLike | None) -> tuple[np.ndarray, np.ndarray]:
        """The rows of the legal actions, and the mask of those that have one: finished decisions have none."""
        if rows is None:
            raise ValueError(
                f"the network {self.bundle.network.name} reads what actions do: give it action_rows [T, {self.row_size}] "
                "(sessions and environments have them if they are opened with action_rows=True)"
            )
        described = np.asarray(rows)
        if offsets is not None:
            legal = legal & (np.diff(np.asarray(offsets)) > 0)[:, None]
        if described.shape != (int(legal.sum()), self.row_size):
            raise ValueError(f"action rows of shape {described.shape}: want [{int(legal.sum())}, {self.row_size}], one for each legal action")
        return described, legal

    def _scores(self, x: np.ndarray, rows: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """A score for each row."""
        e = _bytes("action rows", rows).astype(np.float32) * self._row_scales
        for i in range(len(self.bundle.network.row_hidden)):
            e = self._activation(self._linear(e, f"rows.{i}"))
        asked = np.flatnonzero(counts)
        first = np.concatenate([[0], np.cumsum(counts[asked])[:-1]])
        common = np.zeros((len(x), 2 * e.shape[1]), np.float32)
        common[asked, : e.shape[1]] = np.add.reduceat(e, first, 0) / counts[asked, None].astype(np.float32)
        common[asked, e.shape[1] :] = np.maximum.reduceat(e, first, 0)
        decision = np.repeat(np.arange(len(x)), counts)
        query = self._linear(x, "query") + self._linear(common, "context")
        met = self._activation(self._linear(e, "embed") + query[decision])
        return self._linear(met, "score")[:, 0] + (e * self._linear(x, "direct")[decision]).sum(1)

    def probabilities(
        self,
        observation: npt.ArrayLike,
        action_mask: npt.ArrayLike,
        action_rows: npt.ArrayLike | None = None,
        action_offsets: npt.ArrayLike | None = None,
    ) -> np.ndarray:
        """``[N, A]`` float32: the softmax of the legal logits, exactly 0 elsewhere."""
        logits = self.logits(observation, action_mask, action_rows, action_offsets)
        e = np.where(logits > MASKED, np.exp(logits - logits.max(1, keepdims=True)), 0)
        return e / np.maximum(e.sum(1, keepdims=True), np.finfo(np.float32).tiny)

    @property
    def values(self) -> int:
        """How many values it tells of a decision; 0: none."""
        return int(self._weights["value.bias"].size) if "value.bias" in self._weights else 0

    @property
    def tells(self) -> list[str]:
        """The kinds of its values, of each as many: ``return``, ``win`` (a chance), ``margin`` (in points)."""
        return list(self.bundle.tells) or (["return"] if self.values else [])

    def value(self, observation: npt.ArrayLike) -> np.ndarray:
        """``[N, V]``: what seats can still expect to earn, in the rewards of the training, from the one that decides on; of several kinds (:attr:`tells`) one after another."""
        if not self.values:
            raise ValueError(f"{self!r} tells no values: its critic saw more than its seat, or was not exported")
        return self._linear(self._trunk(observation), "value")

    def act(
        self,
        observation: Batch | Mapping[str, Any] | npt.ArrayLike,
        action_mask: npt.ArrayLike | None = None,
        action_rows: npt.ArrayLike | None = None,
        action_offsets: npt.ArrayLike | None = None,
        *,
        rng: np.random.Generator | None = None,
    ) -> np.ndarray:
        """An action for each row, ``[N]`` int32, chosen as the bundle says: by the probabilities, or the likeliest.

        Instead of arrays it takes a batch of a session, or what a player of a PettingZoo environment observes. What it
        says of a finished row means nothing.
        """
        if isinstance(observation, Batch):
            batch = observation
            return self.act(batch.observation, batch.action_mask, batch.action_rows, batch.action_offsets, rng=rng)
        if isinstance(observation, Mapping):
            seen = observation
            mask = np.asarray(seen["action_mask"])[None]
            rows = seen.get("action_rows")
            if rows is not None and len(rows) == mask.shape[1]:
                rows = np.asarray(rows)[mask[0] != 0]  # [A, F], at the places of their actions
            return self.act(np.asarray(seen["observation"])[None], mask, rows, rng=rng)
        if action_mask is None:
            raise TypeError("act without an action_mask: the policy would choose what is not legal")
        logits = self.logits(observation, action_mask, action_rows, action_offsets)
        if self.bundle.choice == "sample":
            # The largest of logits with Gumbel noise is a draw from their softmax.
            noise = (rng or np.random.default_rng()).gumbel(size=logits.shape).astype(np.float32)
            logits = np.where(logits > MASKED, logits + noise, MASKED)
        return logits.argmax(1).astype(np.int32)

    def check_golden(self, tolerance: float = 1e-3) -> None:
        """Compute the golden decisions again; a :class:`BundleError` if they come out otherwise."""
        g, d, a = self.bundle.golden, self.observation_size, len(self.actions)
        n = len(g.observation) // d
        if any(not 1 <= count <= a for count in g.counts):
            raise BundleError(f"{self.path or 'the bundle'}: a golden decision has {max(g.counts)} legal actions: want 1 to {a}")
        counts = np.array(g.counts if self.reads_actions else [a] * n, np.int64)
        if n == 0 and not g.logits:
            return
        total = int(counts.sum())
        if (
            len(g.observation) != n * d or len(counts) != n or len(g.logits) != total
            or len(g.rows) != total * self.row_size or len(g.values) != n * self.values
        ):
            raise BundleError(f"{self.path or 'the bundle'}: its golden decisions are of other sizes than its network's")
        obs = np.frombuffer(g.observation, np.uint8).reshape(n, d)
        rows = np.frombuffer(g.rows, np.uint8).reshape(total, self.row_size) if self.reads_actions else None
        mask = np.arange(a) < counts[:, None]  # which actions they are makes no difference
        got = self.logits(obs, mask, rows)[mask]
        want = np.array(g.logits, np.float32)
        if self.values:
            got, want = np.append(got, self.value(obs)), np.append(want, np.array(g.values, np.float32))
        if not np.allclose(got, want, rtol=tolerance, atol=tolerance):
            raise BundleError(f"{self.path or 'the bundle'}: its golden decisions come out otherwise: the weights were altered")

    def bot(self, *, seed: int | None = None) -> PolicyBot:
        """The policy as a player with draws of its own, for the environments of this package."""
        return PolicyBot(self, seed)

    def torch(self) -> torch.nn.Module:
        """The policy as an ``nn.Module``: ``module(observation, action_mask[, action_rows])`` gives masked logits ``[N, A]``, and
        ``module.value(observation)`` values. It can be scripted, exported and trained on."""
        from privateer.torch_policy import TorchPolicy

        return TorchPolicy(self)

    def save(self, path: str | os.PathLike[str]) -> Policy:
        """Write the bundle, and return the policy of that file."""
        target = Path(path)
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        part.write_bytes(self.data)
        os.replace(part, target)
        return Policy(copy.deepcopy(self.bundle), target, self.data)


def _again(data: bytes, path: Path | None) -> Policy:
    return Policy(bundles.read(data, path), path, data)


class PolicyBot:
    """A policy as a player.

    It is called with what there is to decide, a batch or what a PettingZoo agent observes, and returns actions. Environments
    and sessions take it where they take the name of a bot: the program plays what was read then, at its own speed.
    """

    def __init__(self, policy: Policy, seed: int | None = None) -> None:
        self.policy = policy
        self._draws = np.random.default_rng(seed)

    def __call__(self, seen: Batch | Mapping[str, Any]) -> Any:
        chosen = self.policy.act(seen, rng=self._draws)
        return chosen if isinstance(seen, Batch) else int(chosen[0])

    def __repr__(self) -> str:
        return f"<bot of {self.policy!r}>"


def policy_of(player: Any) -> Policy | None:
    """The policy that is given as a player; None if it is the name of a bot."""
    player = player.policy if isinstance(player, PolicyBot) else player
    return player if isinstance(player, Policy) else None


def named(player: Any) -> Any:
    """A player by the name that a program or a server knows it by: a policy's says by its digest what is to play, whatever lies in a file now."""
    policy = policy_of(player)
    return player if policy is None else f"policy:{label(policy)}"


def label(policy: Policy) -> str:
    """What a policy is called where there are many: for people what its file was called, and the digest."""
    return f"{re.sub(r'[^A-Za-z0-9_.-]', '_', policy.path.name.removesuffix('.bundle')) if policy.path else ''}#{policy.digest}"


@contextlib.contextmanager
def written(policies: Iterable[Policy]) -> Iterator[Path | None]:
    """A folder with the files of policies for a program that begins meanwhile, by their names; None if there are none."""
    each = {label(policy): policy.data for policy in policies}
    if not each:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="privateer-") as folder:
        for name, data in each.items():
            Path(folder, f"{name}.bundle").write_bytes(data)
        yield Path(folder)


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

    ``module`` is an ``nn.Sequential`` that ends with a layer of one logit for each action, or what is known to have one:

    - an agent in the manner of CleanRL: ``actor``, after ``network`` or ``body`` if it has such a trunk (``policy`` is another name
      for ``actor``); a linear ``critic`` on the same trunk becomes the bundle's value
    - an algorithm of Stable-Baselines3 or its policy (``MlpPolicy``): ``mlp_extractor.policy_net`` and ``action_net``
    - what :meth:`Policy.torch` gave, trained on or not

    or one of these behind ``torch.compile``, ``DataParallel`` or TorchRL's ``TensorDictModule``. Its layers are Linear, LayerNorm after each
    Linear but the last or after none, and ReLU, SiLU or Tanh, the same everywhere.

    ``inputs`` says what it was trained on: ``scaled`` (float32, ``make_vec(dtype=np.float32)``, the default) or ``bytes`` (as they come). Algorithms of
    Stable-Baselines3 say it by their spaces, and what their environments do to observations is taken into the first layer if it can be: the statistics of
    ``VecNormalize``, for example. ``choice`` is ``sample`` (the default) or ``greedy``.
    ``game`` names one of the configurations of the game; every other one can be played too.

    Raises:
        ValueError: no bundle computes what the module does, or the written bundle would compute something else in real decisions.
    """
    from privateer.program import open_session
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
            row_schema=own.row_schema, row=own.row, tells=own.tells, network=source.network,
            weights=[bundles.Tensor(name, list(w.shape), np.ascontiguousarray(w, "<f4").tobytes()) for name, w in source.weights.items()],
            provenance=bundles.Provenance(program=f"privateer {__version__} of Python", checkpoint=about, config=f"game: {spec.config}\n"),
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
    policy.bundle.golden = bundles.Golden(observation=observation[few].tobytes(), logits=logits[few][asked[few] != 0].tolist(), values=values[few].ravel().tolist())
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


def _inputs(source: Any, spec: GameSpec, inputs: str | None, observation: np.ndarray) -> tuple[list[bundles.Slice], np.ndarray]:
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
    groups = [bundles.Slice(g.name, g.offset, int(np.prod(g.shape)), 1.0 if unit else float(g.scale)) for g in spec.observation.groups]
    return groups, read(observation)
