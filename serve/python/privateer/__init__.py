"""Hidden-information board games from a privateer server.

    import privateer

    with privateer.launch() as server, server.client() as client:
        session = client.open("doubloons(seats=4)", 1024, autoreset="SAME_STEP")
        batch = session.reset(seed=1)

:class:`Client` and :class:`Session` are the thin layer: arrays in, arrays out. :func:`make_vec` makes
a Gymnasium vector environment whose other seats are played by bots on the server, :func:`aec_env`
and :func:`parallel_env` make PettingZoo environments of one match.
"""

from privateer.batch import Batch, Endings, unpack_mask
from privateer.client import Client, Session, Table, Turn
from privateer.errors import ConnectionLost, IllegalActionError, PrivateerError
from privateer.launch import Server, launch
from privateer.spec import GameSpec, Group, Schema
from privateer.vector import PrivateerVectorEnv, make_vec
from privateer.zoo import PrivateerAECEnv, PrivateerParallelEnv, aec_env, parallel_env

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "Client",
    "ConnectionLost",
    "Endings",
    "GameSpec",
    "Group",
    "IllegalActionError",
    "PrivateerAECEnv",
    "PrivateerError",
    "PrivateerParallelEnv",
    "PrivateerVectorEnv",
    "Schema",
    "Server",
    "Session",
    "Table",
    "Turn",
    "aec_env",
    "launch",
    "make_vec",
    "parallel_env",
    "unpack_mask",
]
