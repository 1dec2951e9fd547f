"""Whole matches by the official client of the Model Context Protocol, over standard input and output and over HTTP."""

import asyncio
import random
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from privateer.launch import find_binary

GAMES = ["kuhn", "leduc", "liars_dice", "doubloons(seats=3)", "jolly_roger(seats=3)"]


async def play(session: Client, game: str) -> None:
    """A match at random, each action by its number, its name or in words."""
    draw = random.Random(1)
    assert {tool.name for tool in (await session.list_tools()).tools} == {"games", "rules", "open", "observe", "act", "ask"}

    async def call(tool: str, **arguments: object) -> dict[str, Any]:
        result = await session.call_tool(tool, arguments)
        assert not result.is_error, result.content[0].text
        return result.structured_content

    assert game.partition("(")[0] in [one["name"] for one in (await call("games"))["games"]]
    assert (await call("rules", game=game))["sections"]
    key = (await call("open", game=game))["seats"][0]["key"]
    now = await call("observe", key=key)
    for _ in range(5000):
        if now["turn"] == "over":
            break
        if now["turn"] == "wait":
            now = await call("observe", key=key)
            continue
        chosen = draw.choice(now["legal"])
        said = [chosen["action"], chosen["name"], f"I think.\nAnswer: {chosen['action']}"]
        now = await call("act", key=key, action=draw.choice(said), decision=now["decision"])
    assert now["end"]["verdict"] and now["end"]["seed"].isdigit()
    late = await session.call_tool("act", {"key": key, "action": 0})
    assert late.is_error and "over" in late.content[0].text
    other = await session.call_tool("observe", {"key": key[:-1] + "x"})
    assert other.is_error and "key" in other.content[0].text


async def over(server: StdioServerParameters | str, *games: str) -> None:
    """A match of each game, at a time, each by a client of its own."""

    async def one(game: str) -> None:
        async with Client(server) as session:
            await play(session, game)

    await asyncio.gather(*map(one, games))


@pytest.mark.parametrize("game", GAMES)
def test_a_match_over_standard_input_and_output(game: str) -> None:
    asyncio.run(over(StdioServerParameters(command=find_binary(), args=["mcp"]), game))


@pytest.fixture
def address() -> Iterator[str]:
    with subprocess.Popen([find_binary(), "mcp", "--http", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True) as program:
        said = program.stderr.readline()
        yield re.search(r"at (http://\S+/mcp)", said)[1]
        program.terminate()
        assert program.wait(60) == 0


def test_matches_over_http_at_a_time(address: str) -> None:
    asyncio.run(over(address, *GAMES))


def test_a_person_has_a_seat_on_the_page(address: str) -> None:
    async def seats() -> list[dict[str, Any]]:
        async with Client(address) as session:
            return (await session.call_tool("open", {"game": "leduc", "seats": ["person", "person"]})).structured_content["seats"]

    first, second = asyncio.run(seats())
    page, _, keys = second["page"].partition("#")
    assert page == address.removesuffix("mcp") and keys != first["page"].partition("#")[2]
    with urllib.request.urlopen(page) as answer:
        assert b"<html" in answer.read()
