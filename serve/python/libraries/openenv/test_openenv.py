"""OpenEnv's own client at our server: several seats at one match, several matches at a time."""

import asyncio
import re
import socket
import sys
import threading
import time
from pathlib import Path

import pytest
import uvicorn
from openenv.core.env_server import create_fastapi_app
from openenv.core.generic_client import GenericEnvClient

sys.path.append(str(Path(__file__).parents[2] / "examples"))

import openenv_env  # noqa: E402


@pytest.fixture
def url():
    app = create_fastapi_app(lambda: openenv_env.Seat("leduc"), openenv_env.Answer, openenv_env.Decision, max_concurrent_envs=8)
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, args=([s],))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{s.getsockname()[1]}"
        server.should_exit = True
        thread.join()


def answer(prompt):
    """The scripted model: it reads the last choice of a prompt."""
    return "I think so.\n\nAnswer: " + re.findall(r"^(\d+) ", prompt.rpartition("# Your decision")[2], re.MULTILINE)[-1]


async def play(url, name, seat, wrong=0):
    prompts = []
    async with GenericEnvClient(base_url=url) as env:
        result = await env.reset(episode_id=name, seat=seat, seed=5)
        while not result.done:
            seen = result.observation
            assert seen["seat"] == seat
            prompts.append(seen["prompt"])
            text = "hm" if wrong > 0 else answer(seen["prompt"])
            wrong -= 1
            result = await env.step({"text": text})
        return result, prompts


def test_whole_matches_of_several_sessions(url):
    async def all_of_them():
        return await asyncio.gather(*(play(url, f"match {m}", seat, wrong=5 * (m == seat == 1)) for m in range(3) for seat in range(2)))

    ends = asyncio.run(all_of_them())
    for (one, _), (other, _) in zip(ends[::2], ends[1::2], strict=True):
        assert one.reward + other.reward == 0 and one.observation["returns"] == other.observation["returns"] == [one.reward, other.reward]
    assert [end.observation["faults"] for end, _ in ends] == [0, 0, 0, 5, 0, 0]
    for i, (_, prompts) in enumerate(ends):
        assert prompts and all(f"You are player {i % 2} " in p for p in prompts)
        assert any("Your last answer was not taken: " in p for p in prompts) == (i == 3)
        # Its own card is shown to a seat, and no other's before the end.
        views = [p.partition("# What you see")[2].partition("# ")[0] for p in prompts]
        assert all(re.search(rf"seat {i % 2}  card [JQK]", v) and f"seat {1 - i % 2}  card ?" in v for v in views)


def test_a_seat_is_for_one_session_and_a_table_that_is_left_ends(url):
    async def both():
        async with GenericEnvClient(base_url=url) as other:
            waits = asyncio.create_task(other.reset(episode_id="left", seat=1))
            async with GenericEnvClient(base_url=url) as env:
                assert not (await env.reset(episode_id="left", seat=0)).done
                async with GenericEnvClient(base_url=url) as third:
                    with pytest.raises(RuntimeError, match="free are none"):
                        await third.reset(episode_id="left", seat=0)
            return await asyncio.wait_for(waits, 60)

    end = asyncio.run(both())
    assert end.done and end.reward is None and end.observation["returns"] is None
