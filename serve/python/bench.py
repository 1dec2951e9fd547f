"""How fast the Python client steps, and the ceiling beside it: test.sh bench.

The ceiling is grpc-go at both ends: messages of the same sizes that nobody computes or reads. Both are
measured in turn, several times, on the same two cores, so that whatever else the machine does slows
both down. Wall time counts; processor time, of both ends, says what it would be on an idle
machine.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time

import privateer

GAME, N, ROUNDS, SECONDS = "doubloons(seats=4)", 1024, 5, 2.0


def processor_time(pid: int) -> float:
    """Seconds of processor time that a process has used so far."""
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def client(session: privateer.Session, server: int) -> tuple[float, float]:
    """Environment steps a second, and nanoseconds of processor time for each, at both ends."""
    batch = session.batch or session.reset()
    pids = (os.getpid(), server)
    began, used, steps = time.perf_counter(), sum(map(processor_time, pids)), 0
    while (took := time.perf_counter() - began) < SECONDS:
        # The first legal action of each row: choosing is up to the user, and cheap here.
        batch = session.step(batch.action_mask.argmax(1))
        assert len(batch.observation) == len(batch.reward) == N
        steps += N
    return steps / took, (sum(map(processor_time, pids)) - used) / steps * 1e9


def ceiling(binary: str) -> tuple[float, float]:
    """The same for messages without a game."""
    command = [binary, "-test.run=^$", "-test.bench=StepStream/.*doubloons.*/ceiling", f"-test.benchtime={SECONDS}s", "-test.cpu=2"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = {unit: float(value) for value, unit in re.findall(r"([\d.e+]+) (envsteps/s|cpu-ns/envstep)", said)}
    return found["envsteps/s"], found["cpu-ns/envstep"]


def main() -> None:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    rounds = []
    with privateer.launch() as server, server.client() as connection:
        session = connection.open(GAME, N, seed=1, autoreset="SAME_STEP")
        client(session, server.process.pid)
        for _ in range(ROUNDS):
            rounds.append((*ceiling(sys.argv[1]), *client(session, server.process.pid)))
            print(f"ceiling {rounds[-1][0]:9,.0f}   client {rounds[-1][2]:9,.0f} steps/s   {rounds[-1][2] / rounds[-1][0]:.0%}", flush=True)
    top, top_cpu, got, got_cpu = (statistics.median(column) for column in zip(*rounds, strict=True))
    print(f"{GAME}, {N} matches, server and Python client on the same two cores, load {os.getloadavg()[0]:.1f}; medians of {ROUNDS}:")
    print(f"{got:,.0f} steps/s of a ceiling of {top:,.0f}: {got / top:.0%} by wall time, {top_cpu / got_cpu:.0%} by processor time")


if __name__ == "__main__":
    main()
