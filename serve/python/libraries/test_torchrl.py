"""TorchRL's own checks of its environments, on ours."""

import pytest
import torch
from torchrl.envs import GymEnv, PettingZooWrapper
from torchrl.envs.utils import check_env_specs

import privateer
import privateer.torchrl


@pytest.mark.parametrize("game", ["kuhn", "doubloons(seats=4)", "jolly_roger(seats=3)"])
def test_matches_of_pettingzoo_pass_its_check_and_masks_hold(game):
    env = PettingZooWrapper(privateer.aec_env(game, seed=1), use_mask=True, categorical_actions=True, seed=1)
    check_env_specs(env)
    # An illegal action would be an error.
    rolled = env.rollout(200, break_when_any_done=False)
    env.close()
    assert rolled.batch_size == (200,)
    turns = 0
    for agent in (f"player_{seat}" for seat in range(len(env.possible_agents))):
        acted = rolled[agent, "mask"].squeeze(-1)
        turns += int(acted.sum())
        action = rolled[agent, "action"].reshape(200, 1, -1)
        legal = rolled[agent, "action_mask"].gather(-1, action)
        assert legal[acted].all()
    assert turns == 200  # one agent acts at a time


def test_matches_of_the_parallel_environment_pass_its_check():
    env = PettingZooWrapper(privateer.parallel_env("leduc", seed=1), use_mask=False, categorical_actions=True, seed=1)
    check_env_specs(env)
    env.close()


def test_ids_of_gymnasium_are_environments():
    """It tries a keyword that is Atari's."""
    env = GymEnv("privateer/Leduc-v1", opponents="random")
    check_env_specs(env)
    assert env.rollout(20, break_when_any_done=False).batch_size == (20,)
    env.close()


@pytest.fixture
def envs():
    made = privateer.torchrl.env("leduc", 16, opponents="random", seed=3)
    yield made
    made.close()


def test_vectors_pass_its_check(envs):
    check_env_specs(envs)


def test_rows_of_a_vector_begin_again_one_by_one(envs):
    envs.set_seed(5)
    rolled = envs.rollout(40, break_when_any_done=False)
    assert rolled.batch_size == (16, 40) and rolled["action_mask"].gather(2, rolled["action"][..., None]).all()
    done = rolled["next", "done"].squeeze(-1)
    assert 100 < done.sum() < 400 and not rolled["done"].any()
    earned = rolled["next", "reward"].squeeze(-1)
    assert (earned[done] != 0).sum() > 50 and (earned[~done] == 0).all()
    envs.set_seed(5)
    torch.testing.assert_close(envs.reset()["observation"], rolled[:, 0]["observation"])


def test_a_policy_of_tensordict_plays(envs):
    from tensordict.nn import TensorDictModule
    from torchrl.modules import MaskedCategorical, ProbabilisticActor

    logits = TensorDictModule(torch.nn.Linear(39, 3), ["observation"], ["logits"])
    actor = ProbabilisticActor(logits, in_keys={"logits": "logits", "mask": "action_mask"}, out_keys=["action"], distribution_class=MaskedCategorical)
    rolled = envs.rollout(20, actor, break_when_any_done=False)
    assert rolled["action_mask"].gather(2, rolled["action"][..., None]).all()


def test_what_it_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="DISABLED"):
        privateer.torchrl.PrivateerTorchRLEnv(privateer.make_vec("kuhn", 2))
    with pytest.raises(ValueError, match="opponents=None"):
        privateer.torchrl.env("kuhn", 2, opponents=None)


def test_what_becomes_of_masks_and_rows_that_are_over_is_not_the_environments(envs):
    """Actions are drawn by its own masks, and a row that is stepped after its end stays over."""
    envs.set_seed(5)
    now = envs.reset()
    now["action_mask"][:] = True
    for _ in range(20):
        now = envs.rand_step(now)["next"]  # an illegal action would be an error
        over = now["done"].squeeze(-1).clone()
        now["action_mask"][:] = False
        if over.any():
            break
    assert over.any()
    for _ in range(3):
        now = envs.rand_step(now)["next"]
        assert now["done"].squeeze(-1)[over].all() and not now["reward"].squeeze(-1)[over].any()


@pytest.mark.parametrize("seed", [True, 1.5, -1])
def test_what_is_no_seed_is_named(envs, seed):
    with pytest.raises((TypeError, ValueError), match="seed"):
        envs.set_seed(seed)
        envs.reset()
