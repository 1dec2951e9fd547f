"""Hidden-information board games.

    import privateer

    with privateer.make("doubloons(seats=4)", 1024, autoreset="SAME_STEP") as session:
        batch = session.reset(seed=1)

:class:`Session` is the thin layer: arrays in, arrays out. :func:`make` (another name is ``open``) opens one on this
machine, in a child of this process over shared memory, or in this process (``inprocess=True``); :meth:`Client.open` one on a server. :func:`make_vec` makes
a Gymnasium vector environment whose other seats are played by bots, :func:`aec_env` and :func:`parallel_env`
make PettingZoo environments of one match: on this machine too, unless they are given a client. Gymnasium knows
the ids ``privateer/Kuhn-v1``, ``Leduc``, ``Doubloons`` and ``JollyRoger``. :class:`Engine` has single matches for search and
analysis, ``privateer.open_spiel`` the games as OpenSpiel's, ``privateer.sb3`` and ``privateer.torchrl`` vectors for those libraries,
``privateer.rllib`` matches for RLlib. :func:`load_policy` reads exported policies, and :func:`save_bundle` writes networks of PyTorch as such.
"""

import importlib
from types import ModuleType

from privateer.batch import Batch, Endings, unpack_mask
from privateer.bundle import BundleError
from privateer.client import Client, addresses
from privateer.commands import balance, benchmark, command, evaluate, exploit, load_policy, rate, replay, rules, simulate
from privateer.connect import describe, make
from privateer.credit import Credit, credit
from privateer.dataset import Dataset, dataset
from privateer.engine import Engine, Exploitability, InformationSet, Match
from privateer.errors import ConnectionLost, IllegalActionError, PrivateerError
from privateer.launch import Server, launch
from privateer.picture import Picture
from privateer.policy import Policy, PolicyBot
from privateer.program import Program
from privateer.save import save_bundle
from privateer.session import Session, Table, Thought, Turn
from privateer.single import PrivateerEnv
from privateer.single import register as _register
from privateer.spec import Feature, GameSpec, Group, Schema
from privateer.vector import PrivateerVectorEnv, make_vec
from privateer.version import __version__
from privateer.zoo import PrivateerAECEnv, PrivateerParallelEnv, aec_env, parallel_env

open = make

_register()


# What to install for each module that needs an optional library.
_OPTIONAL = {"open_spiel": "open_spiel", "rllib": "'ray[rllib]' torch", "sb3": "sb3-contrib", "torchrl": "torchrl"}


def __getattr__(name: str) -> ModuleType:
    """Modules that need optional libraries are imported on first use."""
    if name in _OPTIONAL:
        try:
            return importlib.import_module(f"privateer.{name}")
        except ModuleNotFoundError as error:
            message = f"privateer.{name} needs {error.name}: pip install {_OPTIONAL[name]}"
            raise ModuleNotFoundError(message, name=error.name) from error
    raise AttributeError(f"module 'privateer' has no attribute {name!r}")

__all__ = [
    "Batch",
    "BundleError",
    "Client",
    "ConnectionLost",
    "Credit",
    "Dataset",
    "Endings",
    "Engine",
    "Exploitability",
    "Feature",
    "GameSpec",
    "Group",
    "IllegalActionError",
    "InformationSet",
    "Match",
    "Picture",
    "Policy",
    "PolicyBot",
    "PrivateerAECEnv",
    "PrivateerEnv",
    "PrivateerError",
    "PrivateerParallelEnv",
    "PrivateerVectorEnv",
    "Program",
    "Schema",
    "Server",
    "Session",
    "Table",
    "Thought",
    "Turn",
    "__version__",
    "addresses",
    "aec_env",
    "balance",
    "benchmark",
    "command",
    "credit",
    "dataset",
    "describe",
    "evaluate",
    "exploit",
    "launch",
    "load_policy",
    "make",
    "make_vec",
    "open",
    "parallel_env",
    "rate",
    "replay",
    "rules",
    "save_bundle",
    "simulate",
    "unpack_mask",
]
