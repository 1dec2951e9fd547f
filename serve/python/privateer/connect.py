"""Sessions and clients, given nothing, the address of a server, or a client.

    session = privateer.make("leduc", 1024, seed=7, autoreset="SAME_STEP")
    batch = session.reset()
    while True:
        batch = session.step(policy(batch.observation, batch.action_mask))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from privateer.client import Client
from privateer.launch import launch
from privateer.link import SUPPORTED
from privateer.policy import Policy, policy_of, written
from privateer.program import Program
from privateer.session import Requests, Session
from privateer.spec import GameSpec
from privateer.tasks import game_of


class LaunchedClient(Client):
    """A server of its own on this machine, which has policies, for systems on which memory cannot be shared, and its client."""

    def __init__(self, *policies: Policy) -> None:
        self._policies = policies
        with written(policies) as folder:
            self._server = launch(None, *(("--policies", str(folder)) if folder else ()))
        super().__init__(self._server.addr)
        self._ended = self._server._how

    def __reduce__(self) -> tuple[Callable[..., Client], tuple[Any, ...]]:
        return LaunchedClient, self._policies

    def close(self) -> None:
        """Close the connection and end the server."""
        super().close()
        self._server.stop()


def connect(client: Requests | str | None, players: Iterable[Any] = (), inprocess: bool = False) -> tuple[Requests, bool]:
    """A client: the one given, one of the server at an address, or a program of its own, in this process or as a child; and whether it was made here.

    A program of its own is given the policies among the players; a server must have them already.
    """
    if isinstance(client, Requests):
        return client, False
    if client is not None:
        return Client(client), True
    policies = [policy for policy in map(policy_of, players) if policy is not None]
    return (Program(policies=policies, inprocess=inprocess) if SUPPORTED or inprocess else LaunchedClient(*policies)), True


def open_session(
    client: Requests | str | None,
    game: str,
    num_envs: int,
    *,
    opponents: Any = None,
    player: int = 0,
    inprocess: bool = False,
    **options: Any,
) -> Session:
    """A session, which closes its client with itself if that was made for it.

    ``opponents``, if given, are who plays instead of the option ``players`` where this side plays one ``player``: one of them for all, or one for each.
    """
    game = game_of(game)
    alone = isinstance(opponents, str) or policy_of(opponents) is not None
    bots = options.get("players", ()) if opponents is None else [opponents] if alone else list(opponents)
    connection, made = connect(client, bots, inprocess)
    try:
        if opponents is not None:
            seats = connection.describe(game).seats
            others = bots * (seats - 1) if alone else bots
            if len(others) != seats - 1 or not 0 <= player < seats:
                raise ValueError(f"{len(others)} opponents of player {player}: {game} has players 0 to {seats - 1}")
            options["players"] = others[:player] + [""] + others[player:]
        session = connection.open(game, num_envs, **options)
    except BaseException:
        if made:
            connection.close()
        raise
    if made:
        session._owned = connection
    return session


def make(
    game: str,
    num_envs: int = 1,
    *,
    seed: int | None = None,
    autoreset: str = "NEXT_STEP",
    max_decisions: int = 0,
    full_view: bool = False,
    shuffle_seats: bool = False,
    players: Sequence[Any] = (),
    action_rows: bool = False,
    inprocess: bool = False,
) -> Session:
    """Open a session of ``num_envs`` matches of ``game`` on this machine: no server is needed.

    The game runs in a child of this process, which ends with the session and puts its batches into memory that
    both have mapped; with ``inprocess`` it runs in this process, as :class:`privateer.Program` says, which is quicker for a
    few matches. A game string may name files of yours (``start=FILE``, ``components=FILE``). The options are those of
    :meth:`privateer.Client.open`.
    """
    return open_session(
        None,
        game,
        num_envs,
        seed=seed,
        autoreset=autoreset,
        max_decisions=max_decisions,
        full_view=full_view,
        shuffle_seats=shuffle_seats,
        players=players,
        action_rows=action_rows,
        inprocess=inprocess,
    )


def describe(game: str) -> GameSpec:
    """The spec of a game string or of the id of a task: seats, actions, layouts of tensors, and players."""
    connection, _ = connect(None)
    try:
        return connection.describe(game_of(game))
    finally:
        connection.close()
