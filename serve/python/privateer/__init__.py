"""Hidden-information board games.

    import privateer

    with privateer.make("doubloons(seats=4)", 1024, autoreset="SAME_STEP") as session:
        batch = session.reset(seed=1)

:class:`Session` is the thin layer: arrays in, arrays out. :func:`make` (another name is ``open``) opens one on this
machine, in a child of this process over shared memory; :meth:`Client.open` one on a server. :func:`make_vec` makes
a Gymnasium vector environment whose other seats are played by bots, :func:`aec_env` and :func:`parallel_env`
make PettingZoo environments of one match: on this machine too, unless they are given a client. :func:`load_policy` reads
what ``privateer export`` wrote, and :func:`save_bundle` writes what was trained in PyTorch.
"""

from privateer.batch import Batch, Endings, unpack_mask
from privateer.bundle import BundleError
from privateer.client import Client, addresses
from privateer.errors import ConnectionLost, IllegalActionError, PrivateerError
from privateer.launch import Server, launch
from privateer.policy import Policy, PolicyBot, load_policy, save_bundle
from privateer.program import Program, make
from privateer.session import Session, Table, Turn
from privateer.spec import GameSpec, Group, Schema
from privateer.vector import PrivateerVectorEnv, make_vec
from privateer.version import __version__
from privateer.zoo import PrivateerAECEnv, PrivateerParallelEnv, aec_env, parallel_env

open = make

__all__ = [
    "Batch",
    "BundleError",
    "Client",
    "ConnectionLost",
    "Endings",
    "GameSpec",
    "Group",
    "IllegalActionError",
    "Policy",
    "PolicyBot",
    "PrivateerAECEnv",
    "PrivateerError",
    "PrivateerParallelEnv",
    "PrivateerVectorEnv",
    "Program",
    "Schema",
    "Server",
    "Session",
    "Table",
    "Turn",
    "addresses",
    "aec_env",
    "__version__",
    "launch",
    "load_policy",
    "make",
    "make_vec",
    "open",
    "parallel_env",
    "save_bundle",
    "unpack_mask",
]
