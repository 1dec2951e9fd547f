"""Shards of `privateer dataset` or `privateer eval` on all machines of a Ray cluster, put into one folder here.

    python examples/ray_shards.py --shards 64 --out data -- dataset "doubloons(seats=4)" --players search-10ms --matches 16384 --part 256
    python examples/ray_shards.py --shards 16 --out played -- eval search-10ms --against heuristic --game "doubloons(seats=4)" --matches 4000

No folder is shared: a shard is made in a temporary one where there is room, and its file comes back. A shard whose machine goes away, or whose
program fails, is made again somewhere else; if it fails for good, the others are still made, and the error names it. Shards that are in the folder
already are not made again, so that the same command continues after anything. The result is the same whatever the number of shards and machines:
`privateer.dataset("data")` and `privateer eval --merge played` read it. A shard is one file: a data set has `--matches` divided by `--part` of them.

Files that a command names, such as bundles, must be on every machine: Ray carries a folder there with
`ray job submit --working-dir`, or by a runtime_env.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import ray

import privateer


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shards", type=int, required=True, help="in how many parts; more than there are machines, so that the last to end are short")
    parser.add_argument("--out", type=Path, required=True, help="folder that gets the shards")
    parser.add_argument("--cores", type=int, default=1, help="of each shard")
    parser.add_argument("--retries", type=int, default=4, help="of each shard")
    parser.add_argument("command", nargs="+", help="dataset or eval, with its flags, after --")
    return parser.parse_args(argv)


@ray.remote(retry_exceptions=True)
def shard(command: list[str], k: int, n: int, cores: int) -> tuple[str, bytes]:
    """One shard: the name of its file, and what is in it."""
    with tempfile.TemporaryDirectory() as folder:
        privateer.command(*command, shard=f"{k}/{n}", out=folder, workers=cores)
        [made] = Path(folder).iterdir()
        return made.name, made.read_bytes()


def missing(folder: Path, shards: int) -> list[int]:
    """The numbers of the shards that are not in the folder."""
    return [k for k in range(1, shards + 1) if not list(folder.glob(f"*-{k:05}-of-{shards:05}.*"))]


def keep(folder: Path, name: str, data: bytes) -> None:
    """Write a file, whole or not at all."""
    part = folder / f".{name}.part"
    part.write_bytes(data)
    os.replace(part, folder / name)


def make(args: argparse.Namespace) -> list[str]:
    """Make what is missing, and say what could not be made and why."""
    args.out.mkdir(parents=True, exist_ok=True)
    remote = shard.options(num_cpus=args.cores, max_retries=args.retries)
    asked = {remote.remote(args.command, k, args.shards, args.cores): k for k in missing(args.out, args.shards)}
    print(f"{len(asked)} of {args.shards} shards to make", flush=True)
    failed = []
    while asked:
        [first], _ = ray.wait(list(asked))
        k = asked.pop(first)
        try:
            name, data = ray.get(first)
        except ray.exceptions.RayError as error:
            failed.append(f"shard {k}/{args.shards}: {error}")
            continue
        keep(args.out, name, data)
        print(f"{name}: {len(data):,} bytes, {len(asked)} to go", flush=True)
    return failed


def main() -> None:
    args = parse()
    ray.init(log_to_driver=False, logging_level="WARNING")
    if failed := make(args):
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
