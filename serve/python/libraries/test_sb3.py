"""Stable-Baselines3 and its masked PPO learn on our vectors."""

import gymnasium
import numpy as np
import pytest
import torch

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3 import A2C, PPO  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402
from stable_baselines3.common.policies import ActorCriticPolicy  # noqa: E402
from stable_baselines3.common.torch_layers import FlattenExtractor  # noqa: E402
from stable_baselines3.common.vec_env import SubprocVecEnv, VecFrameStack, VecNormalize  # noqa: E402

import privateer.sb3  # noqa: E402


@pytest.fixture
def envs():
    made = privateer.sb3.vec_env("leduc", 64, opponents="random", seed=3)
    yield made
    made.close()


def test_masks_are_where_sb3_contrib_looks(envs):
    envs.seed(5)
    seen = envs.reset()
    assert is_masking_supported(envs) and seen.shape == (64, *envs.observation_space.shape) and seen.dtype == np.float32
    returns = []
    for _ in range(40):
        masks = get_action_masks(envs)
        np.testing.assert_array_equal(masks, envs.envs.session.batch.action_mask)
        seen, rewards, dones, infos = envs.step(masks.argmax(1))
        for row in np.flatnonzero(dones):
            assert envs.observation_space.contains(infos[row]["terminal_observation"]) and not infos[row]["TimeLimit.truncated"]
            returns.append(infos[row]["episode"]["r"])
        assert all(not infos[row] for row in np.flatnonzero(~dones))
    assert len(returns) > 100 and len(set(returns)) > 2


def test_ppo_without_masks_plays_legal_actions_that_are_drawn():
    envs = privateer.sb3.vec_env("leduc", 8, opponents="random", illegal="random", seed=1)
    PPO("MlpPolicy", envs, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu").learn(256)
    envs.reset()
    wrong = envs.action_masks().argmin(1)
    assert [info["illegal_action"] for info in envs.step(wrong)[3]] == wrong.tolist()
    envs.close()


def test_pictures_of_all_matches_are_one():
    envs = privateer.sb3.vec_env("leduc", 3, seed=3, render_mode="rgb_array")
    envs.reset()
    images = envs.get_images()
    assert len(images) == 3 and all(image.shape == images[0].shape and image.dtype == np.uint8 for image in images)
    high, wide, _ = images[0].shape
    assert envs.render().shape == (2 * high, 2 * wide, 3)
    envs.close()


def test_seed_repeats(envs):
    envs.seed(5)
    first = envs.reset()
    envs.reset()
    envs.seed(5)
    np.testing.assert_array_equal(envs.reset(), first)


def test_masked_ppo_learns(envs):
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=512, n_epochs=4, seed=1, device="cpu")
    model.learn(30_000)
    judge = privateer.sb3.vec_env("leduc", 512, opponents="random", seed=9)
    seen, returns = judge.reset(), []
    for _ in range(12):
        actions, _ = model.predict(seen, action_masks=get_action_masks(judge))
        seen, _, dones, infos = judge.step(actions)
        returns += [infos[row]["episode"]["r"] for row in np.flatnonzero(dones)]
    judge.close()
    # Random play is worth nothing against random play; this is six standard errors and more.
    assert np.mean(returns) > 0.04, np.mean(returns)


def test_single_matches_train_in_processes_of_their_own():
    options = {"opponents": "random", "illegal": "raise"}
    envs = make_vec_env("privateer/Leduc-v1", 2, seed=1, env_kwargs=options, vec_env_cls=SubprocVecEnv, vec_env_kwargs={"start_method": "fork"})
    MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=32, device="cpu").learn(128)
    envs.close()


def test_what_it_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="SAME_STEP"):
        privateer.sb3.PrivateerVecEnv(privateer.make_vec("kuhn", 2))
    with pytest.raises(ValueError, match="opponents=None"):
        privateer.sb3.vec_env("kuhn", 2, opponents=None)


def test_masks_that_were_handed_out_are_the_learners():
    envs = privateer.sb3.vec_env("leduc", 4, opponents="random", seed=1)
    envs.reset()
    before = envs.action_masks()
    envs.action_masks()[:] = False
    envs.env_method("action_masks")[0][:] = False
    assert (envs.action_masks() == before).all() and before.any(1).all()
    for wrong in (True, 1.5, -1):
        with pytest.raises((TypeError, ValueError), match="seed .*: want an integer"):
            envs.seed(wrong)
    envs.close()


def vec(game="leduc", **options):
    return privateer.sb3.vec_env(game, 8, opponents="random", seed=1, illegal="random", **options)


def singly(wrapper, rows=1, processes=False, **options):
    """Gymnasium's way: environments of one match, wrapped."""
    way = {"vec_env_cls": SubprocVecEnv, "vec_env_kwargs": {"start_method": "fork"}} if processes else {}
    return make_vec_env("privateer/Leduc-v1", rows, seed=1, env_kwargs={"opponents": "random", **options}, wrapper_class=wrapper, **way)


def trained(envs, kind=PPO, policy="MlpPolicy", **options):
    """A model that prefers something clearly, as after training."""
    torch.manual_seed(1)
    steps = {"batch_size": 16} if kind is not A2C else {}
    model = kind(policy, envs, n_steps=16, seed=1, device="cpu", **steps, **options).learn(200)
    with torch.no_grad():
        model.policy.action_net.weight.mul_(100)
    return model


def chances(model, seen, mask):
    with torch.no_grad():
        all_actions = model.policy.get_distribution(torch.as_tensor(seen, dtype=torch.float32)).distribution.probs.numpy()
    return all_actions * mask / (all_actions * mask).sum(1, keepdims=True)


def decisions(game="leduc"):
    with privateer.make(game, 256, seed=5, autoreset="SAME_STEP") as session:
        batch = session.reset()
        for _ in range(3):
            batch = session.step(session.sample_actions())
        return batch.observation.copy(), batch.action_mask.copy(), session.spec.observation.scales()


@pytest.mark.parametrize("kind", [PPO, A2C, MaskablePPO])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_bundle_reads_what_the_model_was_trained_on(tmp_path, kind, dtype):
    game = "doubloons(seats=2)" if kind is A2C else "leduc"
    envs = vec(game, dtype=dtype)
    model = trained(envs, kind)
    seen, mask, scales = decisions(game)
    read = seen if dtype == np.uint8 else seen * scales
    for given in (model, model.policy):
        policy = privateer.save_bundle(given, game, tmp_path / "m.bundle")
        np.testing.assert_allclose(policy.probabilities(seen, mask), chances(model, read, mask), atol=1e-3)
    wrong = "scaled" if dtype == np.uint8 else "bytes"
    with pytest.raises(ValueError, match=f"inputs '{wrong}'"):
        privateer.save_bundle(model, game, tmp_path / "n.bundle", inputs=wrong)
    assert not (tmp_path / "n.bundle").exists()
    envs.close()


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_statistics_of_vec_normalize_are_in_the_bundle(tmp_path, dtype):
    envs = VecNormalize(vec(dtype=dtype), norm_reward=False)
    model = trained(envs, MaskablePPO)
    seen, mask, scales = decisions()
    policy = privateer.save_bundle(model, "leduc", tmp_path / "m.bundle")
    read = envs.normalize_obs(seen if dtype == np.uint8 else seen * scales)
    np.testing.assert_allclose(policy.probabilities(seen, mask), chances(model, read, mask), atol=1e-3)
    # Without its environment the statistics are not to be had.
    model.save(tmp_path / "m.zip")
    with pytest.raises(ValueError, match="VecNormalize.load"):
        privateer.save_bundle(MaskablePPO.load(tmp_path / "m.zip", device="cpu"), "leduc", tmp_path / "n.bundle")
    again = MaskablePPO.load(tmp_path / "m.zip", env=envs, device="cpu")
    assert privateer.save_bundle(again, "leduc", tmp_path / "n.bundle").bundle.weights == policy.bundle.weights
    envs.norm_obs = False
    model._last_obs = None
    assert privateer.save_bundle(model, "leduc", tmp_path / "n.bundle").bundle.weights != policy.bundle.weights
    envs.close()


def test_wrappers_of_gymnasium_are_in_the_bundle_where_that_is_right(tmp_path):
    wrappers = gymnasium.wrappers
    seen, mask, _ = decisions()
    space = gymnasium.make("privateer/Leduc-v1").observation_space
    wide = gymnasium.spaces.Box(-1, 1, space.shape, np.float32)
    for wrapper, read in (
        (wrappers.NormalizeObservation, lambda env, x: (x - env.get_wrapper_attr("obs_rms").mean) / np.sqrt(env.get_wrapper_attr("obs_rms").var + 1e-8)),
        (lambda env: wrappers.TransformObservation(env, lambda x: 1 - x.astype(np.float32) / 2, wide), lambda _, x: 1 - x / 2),
        (lambda env: wrappers.DtypeObservation(env, np.float32), lambda _, x: x),
    ):
        envs = singly(wrapper)
        model = trained(envs)
        policy = privateer.save_bundle(model, "leduc", tmp_path / "m.bundle")
        np.testing.assert_allclose(policy.probabilities(seen, mask), chances(model, read(envs.envs[0], seen.astype(np.float32)), mask), atol=2e-3)
        envs.close()


class Squared(FlattenExtractor):
    """Has no weights, and is no identity."""

    def forward(self, observations):
        return super().forward(observations) ** 2


class Tempered(ActorCriticPolicy):
    """Plays by other logits than its action_net's."""

    def _get_action_dist_from_latent(self, latent_pi):
        return self.action_dist.proba_distribution(action_logits=10 * torch.tanh(self.action_net(latent_pi)))


@pytest.mark.parametrize(
    "said, model",
    {
        "clip": lambda: trained(VecNormalize(vec("doubloons(seats=2)"), norm_reward=False)),
        "reads 78 numbers": lambda: trained(VecFrameStack(vec(), 2)),
        "no stack": lambda: trained(singly(lambda env: gymnasium.wrappers.FrameStackObservation(env, 2))),
        "CombinedExtractor": lambda: trained(singly(None, masked=True), policy="MultiInputPolicy"),
        "DelayObservation": lambda: trained(singly(lambda env: gymnasium.wrappers.DelayObservation(env, 1))),
        "NormalizeObservation": lambda: trained(singly(gymnasium.wrappers.NormalizeObservation, rows=2)),
        "something between": lambda: trained(singly(lambda env: gymnasium.wrappers.TransformObservation(env, lambda x: x / 3, env.observation_space), rows=2, processes=True)),
        "bundles compute nothing else": lambda: trained(singly(lambda env: gymnasium.wrappers.TransformObservation(env, np.sqrt, env.observation_space), shuffle_seats=True)),
        "Squared": lambda: trained(vec(), policy_kwargs={"features_extractor_class": Squared}),
        "the logits": lambda: trained(vec(), policy=Tempered),
    }.items(),
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_no_bundle_computes_is_refused(tmp_path, said, model):
    made = model()
    game = "doubloons(seats=2)" if said == "clip" else "leduc"
    with pytest.raises(ValueError, match=said):
        privateer.save_bundle(made, game, tmp_path / "m.bundle")
    assert not (tmp_path / "m.bundle").exists()
    made.get_env().close()
