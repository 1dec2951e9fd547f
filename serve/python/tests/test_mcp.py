"""Whole matches by the official client of the Model Context Protocol, over standard input and output and over HTTP."""

import asyncio
import random
import re
import subprocess
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from privateer.launch import find_binary

GAMES = ["kuhn", "leduc", "doubloons(seats=3)", "jolly_roger(seats=3)"]


async def play(session: ClientSession, game: str) -> None:
    """A match at random, each action by its number, its name or in words."""
    draw = random.Random(1)
    await session.initialize()
    assert {tool.name for tool in (await session.list_tools()).tools} == {"games", "rules", "open", "observe", "act", "ask"}

    async def call(tool: str, **arguments: object) -> dict[str, Any]:
        result = await session.call_tool(tool, arguments)
        assert not result.isError, result.content[0].text
        return result.structuredContent

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
        chosen = draw.choice(now["actions"])
        said = [chosen["action"], chosen["name"], f"I think.\nAnswer: {chosen['action']}"]
        now = await call("act", key=key, action=draw.choice(said), decision=now["decision"])
    assert now["end"]["verdict"] and now["end"]["seed"].isdigit()
    late = await session.call_tool("act", {"key": key, "action": 0})
    assert late.isError and "over" in late.content[0].text
    other = await session.call_tool("observe", {"key": key[:-1] + "x"})
    assert other.isError and "key" in other.content[0].text


async def over_stdio(game: str) -> None:
    program = StdioServerParameters(command=str(find_binary()), args=["mcp"])
    async with stdio_client(program) as (read, write), ClientSession(read, write) as session:
        await play(session, game)


async def over_http(address: str, game: str) -> None:
    async with streamable_http_client(address) as (read, write, _), ClientSession(read, write) as session:
        await play(session, game)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_over_standard_input_and_output(game: str) -> None:
    asyncio.run(over_stdio(game))


@pytest.fixture
def address():
    with subprocess.Popen([str(find_binary()), "mcp", "--http", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True) as program:
        said = program.stderr.readline()
        yield re.search(r"at (http://\S+/mcp)", said)[1]
        program.terminate()
        assert program.wait(60) == 0


def test_matches_over_http_at_a_time(address: str) -> None:
    async def all_games() -> None:
        await asyncio.gather(*(over_http(address, game) for game in GAMES))

    asyncio.run(all_games())
