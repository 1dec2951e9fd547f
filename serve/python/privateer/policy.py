"""Trained policies without a server: bundles computed by NumPy, and as modules of PyTorch.

    policy = privateer.load_policy("pirate.bundle")  # or "pirate", which comes with the program
    actions = policy.act(session.reset())        # or policy.act(observation, action_mask)
    module = policy.torch()                      # an nn.Module
    privateer.make_vec("doubloons(seats=4)", 64, opponents=policy.bot())
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privateer import bundle as bundles
from privateer.batch import Batch
from privateer.bundle import Bundle, BundleError

if TYPE_CHECKING:
    import torch

#: The logit of an action that is not legal.
MASKED = np.finfo(np.float32).min


def read_policy(file: str | os.PathLike[str] | bytes) -> Policy:
    """The policy of a bundle: a file, or its content. A damaged or foreign one is a :class:`BundleError`."""
    data, of = (file, None) if isinstance(file, bytes) else (Path(file).read_bytes(), Path(file))
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
        """How many values a decision has: 1 with a value head, else 0."""
        return int("value.bias" in self._weights)

    def value(self, observation: npt.ArrayLike) -> np.ndarray:
        """``[N, 1]``: the expected future return of the seat to act, in the rewards of the training."""
        if not self.values:
            raise ValueError(f"{self!r} has no value head: its critic saw more than its seat, or was not exported")
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

        Instead of arrays it takes a batch of a session, or a PettingZoo observation. Its
        choice in a finished row has no meaning.
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
        """Compute the golden decisions again; a :class:`BundleError` if the results differ."""
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

        return TorchPolicy(self.bundle, self._weights)

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

    It is called with a batch or a PettingZoo observation, and returns actions. Environments
    and sessions take it in place of the name of a bot: the program then plays it, at its own speed.
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
    """The name by which a program or a server knows a player. A policy's contains its digest, so that a file that changed since is not played instead."""
    policy = policy_of(player)
    return player if policy is None else f"policy:{label(policy)}"


def label(policy: Policy) -> str:
    """The name of a policy among many: the name of its file, for people, and the digest."""
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
