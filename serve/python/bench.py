"""How fast games step from Python, and peers beside them: test.sh bench [SECONDS [ROUNDS]].

Every contender is measured in turn, several times, on the same two cores, so that whatever else the machine does slows
all of them down: compare figures of one run with each other. Actions are random and legal, chosen in NumPy unless it
says otherwise. Processor time is that of this process and of whatever computes the game for it.

The ceiling is grpc-go at both ends: messages of the same sizes that nobody computes or reads. Peers are
measured if they are installed: EnvPool, pyspiel (a Python loop with tensors and masks) and pgx (jit and vmap).
"""

from __future__ import annotations

import importlib
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import privateer

#: Seconds that NumPy has taken to choose actions: the caller's own.
choosing = 0.0

SIZES, GAMES = (1, 64, 1024), ("doubloons(seats=4)", "leduc")
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 0.5
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 3

#: What steps all rows once, and the process that computes the game, if it is not this one.
Contender = tuple[Callable[[], object], int | None]


def processor_time(pid: int) -> float:
    """Seconds of processor time that a process has used so far."""
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def masked(rng: np.random.Generator, mask: np.ndarray) -> np.ndarray:
    """A random legal action for each row."""
    global choosing
    began = time.perf_counter()
    n, actions = mask.shape
    if n * actions <= 4096:
        choice = (rng.random(mask.shape, np.float32) * mask).argmax(1)
    else:
        # A draw for each row instead of each action.
        legal = np.flatnonzero(mask.astype(np.bool_, copy=False))
        ends = np.searchsorted(legal, np.arange(n + 1) * actions)
        choice = legal[ends[:-1] + (rng.random(n) * np.diff(ends)).astype(np.intp)] % actions
    choosing += time.perf_counter() - began
    return choice


def sampled(session: privateer.Session) -> Callable[[], object]:
    """Steps with actions that are drawn where the game is."""
    session.reset()

    def step() -> None:
        batch = session.step(session.sample_actions())
        batch.observation, batch.reward

    return step


def chosen(session: privateer.Session) -> Callable[[], object]:
    """Steps with actions that NumPy chooses."""
    rng = np.random.default_rng(0)
    session.reset()

    def step() -> None:
        assert session.batch is not None
        batch = session.step(masked(rng, session.batch.action_mask))
        batch.observation, batch.reward

    return step


def in_turn(halves: tuple[privateer.Session, privateer.Session]) -> Callable[[], object]:
    """Steps two sessions by turns: NumPy chooses for one while the other's step is under way."""
    rng = np.random.default_rng(0)
    for session in halves:
        session.send(masked(rng, session.reset().action_mask))

    def step() -> None:
        for session in halves:
            batch = session.recv()
            batch.observation, batch.reward
            session.send(masked(rng, batch.action_mask))

    return step


def ours(game: str, n: int, client: privateer.Client, library: privateer.Client, server: int) -> Iterator[tuple[str, Contender]]:
    """This package, over shared memory, in this process, and over gRPC, which is read here or by grpcio."""
    for name, way in ((", drawn by the game", sampled), ("", chosen)):
        session = privateer.make(game, n, seed=1, autoreset="SAME_STEP")
        assert isinstance(session.client, privateer.Program)
        yield "shared memory" + name, (way(session), session.client.pid)
        yield "in this process" + name, (way(privateer.make(game, n, seed=1, autoreset="SAME_STEP", inprocess=True)), None)
        yield "gRPC" + name, (way(client.open(game, n, seed=1, autoreset="SAME_STEP")), server)
        yield "gRPC by grpcio" + name, (way(library.open(game, n, seed=1, autoreset="SAME_STEP")), server)
    if n > 1:
        halves = (client.open(game, n // 2, seed=1, autoreset="SAME_STEP"), client.open(game, n // 2, seed=2, autoreset="SAME_STEP"))
        yield "gRPC, two halves by turns", (in_turn(halves), server)


def envpool(n: int) -> Contender:
    """EnvPool's Leduc."""
    envs = importlib.import_module("envpool").make("LeducHoldem-v1", env_type="gymnasium", num_envs=n, seed=1)
    rng = np.random.default_rng(0)
    info = envs.reset()[1]

    def step() -> None:
        nonlocal info
        mask = info.get("legal_action_mask", info.get("action_mask"))
        actions = masked(rng, np.asarray(mask)) if mask is not None else np.zeros(n, np.int32)
        info = envs.step(actions.astype(np.int32))[-1]

    step()
    return step, None


def pyspiel(n: int) -> Contender:
    """OpenSpiel's Leduc, state by state."""
    game = importlib.import_module("pyspiel").load_game("leduc_poker")
    rng = np.random.default_rng(0)

    def dealt() -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(int(rng.choice(state.legal_actions())))
        return state

    states = [dealt() for _ in range(n)]

    def step() -> None:
        draws = rng.random(n)
        for k, state in enumerate(states):
            legal = state.legal_actions()
            state.apply_action(legal[int(draws[k] * len(legal))])
            while state.is_chance_node():
                outcomes = state.legal_actions()
                state.apply_action(outcomes[int(draws[k] * len(outcomes))])
            if state.is_terminal():
                state.returns()
                states[k] = state = dealt()
            state.information_state_tensor(), state.legal_actions_mask()

    return step, None


def pgx(n: int) -> Contender:
    """pgx's Leduc."""
    jax, library = importlib.import_module("jax"), importlib.import_module("pgx")
    env = library.make("leduc_holdem")
    begin = jax.jit(jax.vmap(env.init))
    step_all = jax.jit(jax.vmap(library.auto_reset(env.step, env.init) if hasattr(library, "auto_reset") else env.step))
    if not hasattr(library, "auto_reset"):
        wrappers = importlib.import_module("pgx.experimental.wrappers")
        step_all = jax.jit(jax.vmap(wrappers.auto_reset(env.step, env.init)))
    state = begin(jax.random.split(jax.random.PRNGKey(0), n))
    key, rng = jax.random.PRNGKey(1), np.random.default_rng(0)

    def step() -> None:
        nonlocal state, key
        key, sub = jax.random.split(key)
        actions = masked(rng, np.asarray(state.legal_action_mask)).astype(np.int32)
        state = step_all(state, actions, jax.random.split(sub, n))
        np.asarray(state.observation)

    step()
    return step, None


def measured(contender: Contender, n: int) -> tuple[float, float, float]:
    """Rows stepped a second, nanoseconds of processor time for each, and the share of the time in which NumPy chose."""
    step, other = contender
    pids = [os.getpid()] + ([other] if other is not None else [])
    step()
    chose = choosing
    began, used, steps = time.perf_counter(), sum(map(processor_time, pids)), 0
    while (took := time.perf_counter() - began) < SECONDS:
        step()
        steps += n
    return steps / took, (sum(map(processor_time, pids)) - used) / steps * 1e9, (choosing - chose) / took


def ceiling(binary: str) -> tuple[float, float, float]:
    """The same for messages without a game."""
    command = [binary, "-test.run=^$", "-test.bench=StepStream/.*doubloons.*/ceiling", f"-test.benchtime={SECONDS}s", "-test.cpu=2"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = {unit: float(value) for value, unit in re.findall(r"([\d.e+]+) (envsteps/s|cpu-ns/envstep)", said)}
    return found["envsteps/s"], found["cpu-ns/envstep"], 0.0


def main() -> None:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    binary = sys.argv[1]
    print(f"steps a second (nanoseconds of processor time a step), load {os.getloadavg()[0]:.1f}; medians of {ROUNDS} rounds")
    with privateer.launch() as server, server.client() as client, server.client() as library:
        library._direct = None  # as with TLS or behind a proxy
        for game in GAMES:
            for n in SIZES:
                contenders: dict[str, Contender] = dict(ours(game, n, client, library, server.process.pid))
                for peer in (envpool, pyspiel, pgx) if game == "leduc" else ():
                    try:
                        contenders[peer.__name__] = peer(n)
                    except Exception as why:  # a peer that does not install or run is not compared
                        print(f"{peer.__name__}: not measured: {str(why).splitlines()[0] if str(why) else why!r}")
                rounds: dict[str, list[tuple[float, float, float]]] = {name: [] for name in contenders}
                for _ in range(ROUNDS):
                    for name, contender in contenders.items():
                        rounds[name].append(measured(contender, n))
                    if (game, n) == (GAMES[0], SIZES[-1]):
                        rounds.setdefault("ceiling of gRPC", []).append(ceiling(binary))
                for name, figures in rounds.items():
                    speed, cost, own = (statistics.median(column) for column in zip(*figures, strict=True))
                    more = f"  NumPy chooses in {own:.0%} of the time" if own else ""
                    if "ceiling of gRPC" in rounds and name.startswith("gRPC"):
                        share = statistics.median(mine[0] / most[0] for mine, most in zip(figures, rounds["ceiling of gRPC"], strict=True))
                        more += f"  {share:.2f} of the ceiling"
                    print(f"{game:18} {n:5} rows  {name:34} {speed:12,.0f}  ({cost:,.0f}){more}", flush=True)


if __name__ == "__main__":
    main()
