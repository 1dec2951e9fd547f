"""Pictures as pixels, and films of them by Gymnasium's and Stable-Baselines3's own recorders."""

import functools
import sys

import gymnasium
import numpy as np
import pytest
import resvg_py
from gymnasium.wrappers import RecordVideo
from gymnasium.wrappers.vector import RecordVideo as RecordVectorVideo
from moviepy import VideoFileClip

import privateer
from privateer.picture import Film, rasterise


def sheet(height, words=""):
    text = f'<text x="20" y="40" font-size="30" font-family="system-ui, \'DejaVu Sans\', sans-serif">{words}</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}"><rect width="720" height="{height}" fill="#fbfaf7"/>{text}</svg>'


def films(folder):
    """Of each film its size and its number of frames."""
    made = []
    for path in sorted(folder.glob("*.mp4")):
        with VideoFileClip(str(path)) as clip:
            made.append((tuple(clip.size), clip.n_frames))
    return made


@pytest.mark.parametrize(("game", "options"), [("Kuhn", {"seats": 3}), ("Doubloons", {"seats": 4, "opponents": "heuristic", "max_decisions": 9})])
def test_record_video_films_a_match(game, options, tmp_path):
    env = RecordVideo(gymnasium.make(f"privateer/{game}-v1", render_mode="rgb_array", **options), str(tmp_path), episode_trigger=lambda _: True)
    frames = []
    for seed in range(2):
        _, info = env.reset(seed=seed)
        frames.append(1)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
            over = terminated or truncated
            frames[-1] += 1
    last = env.render()
    env.close()
    assert last.dtype == np.uint8 and last.shape[1:] == (720, 3) and last.shape[0] % 2 == 0
    assert films(tmp_path) == [((720, last.shape[0]), n) for n in frames]


def test_record_video_films_a_vector(tmp_path):
    envs = privateer.make_vec("leduc", 3, seed=1, render_mode="rgb_array")
    frames = envs.reset()[0] is not None and envs.render()
    assert len(frames) == 3 and len({frame.shape for frame in frames}) == 1 and frames[0].dtype == np.uint8
    assert not np.array_equal(frames[0], frames[1])
    films_of = RecordVectorVideo(envs, str(tmp_path), step_trigger=lambda step: step == 0, video_length=5)
    _, infos = films_of.reset(seed=1)
    for _ in range(8):
        _, _, _, _, infos = films_of.step(infos["action_mask"].argmax(1))
    films_of.close()
    [((wide, high), length)] = films(tmp_path)
    # Gymnasium's recorder ends with the first frame that is too many.
    assert length == 6 and wide % 720 == 0 and high % frames[0].shape[0] == 0


def test_agents_of_pettingzoo_are_drawn():
    for make in (privateer.aec_env, privateer.parallel_env):
        env = make("leduc", seed=1, render_mode="rgb_array")
        env.reset()
        frame = env.render()
        assert frame.shape[1:] == (720, 3) and frame.dtype == np.uint8 and len(np.unique(frame)) > 20
        env.close()


def test_frames_are_the_picture_that_the_player_sees():
    env = privateer.PrivateerEnv("leduc", seed=1, player=1, render_mode="rgb_array")
    env.reset()
    drawn = rasterise(env._session.draw(view=1), 720)
    frame = env.render()
    np.testing.assert_array_equal(frame[: len(drawn)], drawn)
    assert (frame[len(drawn) :] == drawn[0, 0]).all() and len(frame) > len(drawn)
    env.close()


def test_frames_have_one_size_however_high_pictures_are():
    film = Film()
    shapes = {film.frame(sheet(height)).shape for height in (401, 300, 450, 900, 500, 5000, 401)}
    assert shapes == {(2 * round(401 * 1.25 / 2), 720, 3)}


@pytest.mark.parametrize("fonts", [True, False], ids=["with fonts", "without fonts"])
def test_text_is_drawn_also_where_no_font_is_installed(fonts, monkeypatch):
    if not fonts:
        monkeypatch.setattr(resvg_py, "svg_to_bytes", functools.partial(resvg_py.svg_to_bytes, skip_system_fonts=True))
    empty, full, more = (rasterise(sheet(60, words), 720) for words in ("", "Hunt", "Hunt Pillage"))
    assert 100 < (full != empty).sum() < (more != empty).sum()


@pytest.mark.parametrize("missing", ["resvg_py", "PIL"])
def test_what_is_missing_is_named(missing, monkeypatch):
    env = privateer.PrivateerEnv("kuhn", seed=1, render_mode="rgb_array")
    env.reset()
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=r"pip install 'privateer\[video\]'"):
        env.render()
    env.close()
