"""Policies outside the program: exported files in other runtimes, and networks of other libraries in the program."""

import dataclasses
import json
import os
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import numpy as np
import pytest

import privateer
from privateer import bundle as bundles
from privateer.launch import find_binary

JS = Path(__file__).parents[2] / "page" / "js"
CHROMIUM = JS.parent / "chromium"


def drawn(game, network):
    """A policy with weights from a generator."""
    with privateer.make(game) as session:
        spec = session.spec
    row = spec.action_row if network.name == "entity" else None
    made = bundles.Bundle(
        game=spec.config, name=spec.name, schema=spec.observation.hash, observation=slices(spec.observation), actions=list(spec.actions),
        choice="sample", network=network, row_schema=row.hash if row else "", row=slices(row) if row else [],
        provenance=bundles.Provenance(config=f"game: {spec.config}\n"),
    )
    draws = np.random.default_rng(3)
    shapes = made.shapes(spec.observation.size, row.size if row else 0, values=True)
    made.weights = [
        bundles.Tensor(name, list(shape), draws.normal(0, shape[-1] ** -0.5, shape).astype("<f4").tobytes()) for name, shape in shapes.items()
    ]
    return privateer.Policy(made)


def slices(schema):
    return [bundles.Slice(g.name, g.offset, int(np.prod(g.shape)), g.scale) for g in schema.groups]


NETWORKS = {
    "relu": ("doubloons(seats=4)", bundles.Network("mlp", [64, 32], [], "relu", "layer", 1e-5)),
    "silu": ("jolly_roger(seats=6)", bundles.Network("mlp", [48], [], "silu", "layer", 1e-5)),
    "entity": ("doubloons(seats=4)", bundles.Network("entity", [32], [24, 16], "relu", "layer", 1e-5)),
    "entity_silu": ("jolly_roger(seats=6)", bundles.Network("entity", [24, 16], [16], "silu", "layer", 1e-5)),
    "tanh": ("leduc", bundles.Network("mlp", [16, 16], [], "tanh", "none", 0.0)),
}


def packed(bundle):
    """A file with the weights of layers in int8."""
    weights = []
    for t in bundle.weights:
        if len(t.shape) == 2:
            scale = np.abs(t.array()).max(1) / np.float32(127)
            data = np.rint(t.array() / scale[:, None]).astype(np.int8).tobytes()
            t = bundles.Tensor(t.name, t.shape, data, scale.tolist())
        weights.append(t)
    content = bytearray()
    bundles._write(content, bundles._plain(dataclasses.replace(bundle, weights=weights)))
    return framed(content)


def framed(content, level=-1):
    """A file of that content, with a right checksum."""
    deflate = zlib.compressobj(level, wbits=-zlib.MAX_WBITS)
    inner = deflate.compress(content) + deflate.flush()
    whole = b"PRIVBNDL" + struct.pack("<IQ", 1, len(inner)) + inner
    return whole + struct.pack("<I", bundles.crc32c(whole))


def export(source, *flags):
    subprocess.run([find_binary(), "export", source, *flags], check=True, capture_output=True, text=True)


def golden(path):
    """The decisions of a golden file: observations, masks, rows, and the logits, probabilities and values of the program."""
    decisions = json.loads(path.read_text())["decisions"]
    rows = [r for d in decisions for r in d.get("action_rows", [])]
    return {
        "observation": np.array([d["observation"] for d in decisions], np.uint8),
        "legal": [d["legal"] for d in decisions],
        "action_rows": np.array(rows, np.uint8) if rows else None,
        "logits": np.array([x for d in decisions for x in d["logits"]]),
        "probabilities": np.array([x for d in decisions for x in d["probabilities"]]),
        "values": np.array([d.get("values", []) for d in decisions]),
        "tolerance": json.loads(path.read_text())["tolerance"],
    }


def mask_of(known, actions):
    mask = np.zeros((len(known["legal"]), actions), np.uint8)
    for row, legal in zip(mask, known["legal"], strict=True):
        row[legal] = 1
    return mask


def values_agree(got, want, tolerance):
    """As golden files say it: as a share of the decision's largest, or of 1."""
    return (np.abs(got - want) <= tolerance * np.maximum(1, np.abs(want).max(1, keepdims=True))).all()


@pytest.fixture(scope="module", params=sorted(NETWORKS))
def exported(request, tmp_path_factory):
    """A policy of each kind in all formats, with 1,000 decisions."""
    folder = tmp_path_factory.mktemp(request.param)
    path = folder / "drawn.bundle"
    drawn(*NETWORKS[request.param]).save(path)
    if request.param in ("silu", "entity"):
        path.write_bytes(packed(privateer.load_policy(path).bundle))
    export(path, "--format", "onnx,safetensors,numpy", "--golden", "1000", "--out", folder / "out")
    return path, folder / "out"


def test_onnx_runtime_computes_what_the_program_computes(exported):
    onnx, runtime = pytest.importorskip("onnx"), pytest.importorskip("onnxruntime")
    _, out = exported
    onnx.checker.check_model(str(out.with_suffix(".onnx")), full_check=True)
    manifest, known = json.loads(out.with_suffix(".onnx.json").read_text()), golden(out.with_suffix(".golden.json"))
    assert manifest["opset"] == onnx.load(out.with_suffix(".onnx")).opset_import[0].version
    session = runtime.InferenceSession(str(out.with_suffix(".onnx")), providers=["CPUExecutionProvider"])
    mask = mask_of(known, len(manifest["actions"]))
    for few in (slice(0, 1000), slice(0, 1)):  # N is any number
        inputs = {"observation": known["observation"][few], "action_mask": mask[few]}
        t = int(mask[few].sum())
        if known["action_rows"] is not None:
            inputs["action_rows"] = known["action_rows"][:t]
        got = dict(zip((o.name for o in session.get_outputs()), session.run(None, inputs), strict=True))
        legal = mask[few] != 0
        assert (got["probabilities"][~legal] == 0).all() and (got["logits"][~legal] == np.finfo(np.float32).min).all()
        np.testing.assert_allclose(got["probabilities"][legal], known["probabilities"][:t], rtol=0, atol=known["tolerance"])
        np.testing.assert_allclose(got["logits"][legal], known["logits"][:t], rtol=known["tolerance"], atol=known["tolerance"])
        assert values_agree(got["value"], known["values"][few], known["tolerance"])


def test_numpy_computes_what_the_program_computes(exported):
    path, out = exported
    policy, known = privateer.load_policy(path), golden(out.with_suffix(".golden.json"))
    mask = mask_of(known, len(policy.actions))
    got = policy.probabilities(known["observation"], mask, known["action_rows"])
    assert (got[mask == 0] == 0).all()
    np.testing.assert_allclose(got[mask != 0], known["probabilities"], rtol=0, atol=known["tolerance"])
    assert values_agree(policy.value(known["observation"]), known["values"], known["tolerance"])
    chosen = policy.act(known["observation"], mask, known["action_rows"], rng=np.random.default_rng(1))
    assert mask[np.arange(len(mask)), chosen].all()


def test_weights_are_in_the_other_formats_by_name(exported):
    path, out = exported
    weights = privateer.load_policy(path)._weights
    with np.load(out.with_suffix(".npz")) as archive:
        for name, w in weights.items():
            assert (archive[name] == w).all()
        assert (archive["observation_scale"] > 0).all()
    data = out.with_suffix(".safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    assert json.loads(header["__metadata__"]["privateer.manifest"])["format"] == "safetensors"
    for name, w in weights.items():
        begin, end = header[name]["data_offsets"]
        assert data[8 + size + begin : 8 + size + end] == w.tobytes()


def test_javascript_computes_what_the_program_computes(exported):
    path, out = exported
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node here")
    run = subprocess.run([node, JS / "examples" / "policy.mjs", path, out.with_suffix(".golden.json")], capture_output=True, text=True)
    assert run.returncode == 0 and "1000 decisions" in run.stdout, run.stdout + run.stderr
    bent = bytearray(path.read_bytes())
    bent[len(bent) // 2] ^= 1
    damaged = path.with_name("bent.bundle")
    damaged.write_bytes(bent)
    run = subprocess.run([node, JS / "examples" / "policy.mjs", damaged, out.with_suffix(".golden.json")], capture_output=True, text=True)
    assert run.returncode != 0 and "checksum is wrong" in run.stderr


def test_onnx_runtime_of_browsers_computes_what_the_program_computes(exported):
    """onnxruntime-web under Node, where test.sh has installed it."""
    node, modules = shutil.which("node"), os.environ.get("NODE_MODULES")
    if node is None or not modules:
        pytest.skip("there is no Node or no onnxruntime-web here")
    _, out = exported
    run = subprocess.run([node, JS / "onnx_check.mjs", Path(modules) / "onnxruntime-web", out], capture_output=True, text=True)
    assert run.returncode == 0 and "decisions agree" in run.stdout, run.stdout + run.stderr


def test_chromium_computes_what_the_program_computes(exported):
    """onnxruntime-web and policy.js, in 1,000 decisions of each kind of network."""
    node, modules, chromium = shutil.which("node"), os.environ.get("NODE_MODULES"), shutil.which("chromium")
    if node is None or not modules or chromium is None:
        pytest.skip("there is no Node, no onnxruntime-web or no Chromium here")
    path, out = exported
    shutil.copy(path, out.with_suffix(".bundle"))
    run = subprocess.run(
        [node, CHROMIUM / "onnx.mjs", modules, out], capture_output=True, text=True, timeout=300, env=os.environ | {"CHROMIUM": chromium}
    )
    assert run.returncode == 0 and "1000 decisions" in run.stdout, run.stdout + run.stderr
    assert "policy.js" in run.stdout


def test_policy_survives_the_file(tmp_path):
    policy = drawn(*NETWORKS["tanh"]).save(tmp_path / "a.bundle")
    assert privateer.load_policy(tmp_path / "a.bundle").bundle == policy.bundle
    assert policy.path == tmp_path / "a.bundle" and list(tmp_path.iterdir()) == [policy.path]


def test_damaged_files_are_refused(tmp_path):
    whole = bundles.encode(drawn("leduc", bundles.Network("mlp", [3], [], "relu", "none", 0.0)).bundle)
    for n in [*range(40), *range(40, len(whole), 37)]:
        with pytest.raises(privateer.BundleError):
            privateer.load_policy(whole[:n])
    for i in range(0, len(whole), 11):
        with pytest.raises(privateer.BundleError):
            privateer.load_policy(whole[:i] + bytes([whole[i] ^ 0x10]) + whole[i + 1 :])
    for data, said in ((b"PK\3\4 and so on", "does not begin"), (whole + b"\0", "declares"), (b"PRIVBNDL\4" + whole[9:], "bundle format 4: this program reads format 1")):
        with pytest.raises(privateer.BundleError, match=said):
            privateer.load_policy(data)
    (tmp_path / "x.bundle").write_bytes(b"")
    with pytest.raises(privateer.BundleError, match="x.bundle"):
        privateer.load_policy(tmp_path / "x.bundle")


def test_content_with_a_right_checksum_that_makes_no_sense_is_refused():
    """Whatever the content is: a policy, or an error that says what is wrong."""
    whole = bundles.encode(drawn("leduc", bundles.Network("mlp", [3], [], "relu", "none", 0.0)).bundle)
    content, draws = zlib.decompress(whole[20:-4], wbits=-zlib.MAX_WBITS), np.random.default_rng(1)
    for _ in range(400):
        bent = bytearray(content)
        for at in draws.integers(0, len(content), 2):
            bent[at] = draws.integers(256)
        try:
            privateer.load_policy(framed(bent))
        except privateer.BundleError:
            pass


def test_content_that_takes_too_much_room_is_refused(tmp_path):
    """100 kB that would be 100 MB."""
    bomb = framed(bytes(100 << 20), 9)
    with pytest.raises(privateer.BundleError, match="more than 16 times the size"):
        privateer.load_policy(bomb)
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node here")
    (tmp_path / "bomb.bundle").write_bytes(bomb)
    run = subprocess.run([node, JS / "examples" / "policy.mjs", tmp_path / "bomb.bundle", tmp_path / "none"], capture_output=True, text=True)
    assert run.returncode != 0 and "more than 16 times the size" in run.stderr


def test_weights_that_are_all_alike_survive_the_file(tmp_path):
    """Deflated they would be so small that a reader takes them for a bomb."""
    policy = drawn(*NETWORKS["entity"])
    for t in policy.bundle.weights:
        t.data = bytes(len(t.data))
    policy.save(tmp_path / "zeros.bundle")
    assert privateer.load_policy(tmp_path / "zeros.bundle").bundle == policy.bundle
    export(tmp_path / "zeros.bundle", "--format", "numpy")


def test_checksum_is_the_known_one():
    assert bundles.crc32c(b"123456789") == 0xE3069283
    long = bytes(range(256)) * 37
    slow = 0xFFFFFFFF
    for byte in long:
        slow = int(bundles._table()[(slow ^ byte) & 0xFF]) ^ (slow >> 8)
    assert bundles.crc32c(long) == slow ^ 0xFFFFFFFF


def test_what_does_not_fit_is_named():
    policy = drawn(*NETWORKS["tanh"])
    size, actions = policy.observation_size, len(policy.actions)
    with pytest.raises(ValueError, match=rf"\[N, {size}\]"):
        policy.logits(np.zeros((2, size + 1), np.uint8), np.ones((2, actions)))
    with pytest.raises(ValueError, match="mask"):
        policy.logits(np.zeros((2, size), np.uint8), np.ones((1, actions)))
    with pytest.raises(TypeError, match="action_mask"):
        policy.act(np.zeros((2, size), np.uint8))
    with pytest.raises(ValueError, match="reads what actions do"):
        entity = drawn("kuhn", bundles.Network("entity", [3], [3], "relu", "none", 0.0))
        entity.logits(np.zeros((1, entity.observation_size), np.uint8), np.ones((1, len(entity.actions))))


@pytest.mark.parametrize("kind", ["tanh", "entity"])
def test_policy_plays_in_the_environments_of_this_package(tmp_path, kind):
    game = "leduc" if kind == "tanh" else "jolly_roger(seats=4)"
    policy = drawn(game, NETWORKS[kind][1]).save(tmp_path / "mine.bundle")
    described = {"action_rows": policy.reads_actions}
    seats = 2 if kind == "tanh" else 4
    with privateer.make(game, 16, seed=1, autoreset="SAME_STEP", players=["", *[policy.bot()] * (seats - 1)], **described) as session:
        batch = session.reset()
        for _ in range(20):
            batch = session.step(policy.act(batch))
        assert any(name.startswith("policy:mine#") for name in session.spec.bots)
    envs = privateer.make_vec(game, 8, opponents=policy, seed=1)
    _, infos = envs.reset()
    for _ in range(10):
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(1))
    envs.close()
    env = privateer.aec_env(game, seed=1, **described)
    bots = {agent: policy.bot(seed=1) for agent in env.possible_agents}
    env.reset()
    moves = 0
    for agent in env.agent_iter(60):
        seen, _, over, cut, _ = env.last()
        assert env.observation_space(agent).contains(seen)
        env.step(None if over or cut else bots[agent](seen))
        moves += 1
    assert moves >= 4
    env.close()
    with privateer.make(game, players=["", *[privateer.Policy(policy.bundle)] * (seats - 1)], **described) as session:
        session.step(session.reset().action_mask.argmax(1))  # a policy of no file plays too


def test_action_rows_are_those_of_the_legal_actions(client):
    """Over the network and in shared memory: as many as the mask has legal actions, none at a finished row."""
    with client.open("leduc", 32, seed=4, autoreset="NEXT_STEP", action_rows=True) as session:
        size, kept = session.spec.action_row.size, []
        batch = session.reset()
        for _ in range(30):
            over = batch.terminated | batch.truncated
            counts = np.where(over, 0, batch.action_mask.sum(1))
            assert batch.action_rows.shape == (counts.sum(), size) and (np.diff(batch.action_offsets) == counts).all()
            assert counts.sum() == 0 or batch.action_rows.any()
            kept.append((batch.action_rows, batch.action_rows.copy()))
            batch = session.step(session.sample_actions())
        assert all((now == then).all() for now, then in kept)
    with client.open("leduc", 2) as session:
        assert session.reset().action_rows is None and session.batch.action_offsets is None


def test_rows_go_on_with_the_advice_that_the_game_string_asks_for(client):
    with (
        client.open("doubloons(seats=2)", 16, seed=4, action_rows=True) as plain,
        client.open("doubloons(seats=2,advice=foresight)", 16, seed=4, action_rows=True) as told,
    ):
        width, size = plain.spec.action_row.size, told.spec.action_row.size
        more = [g for g in told.spec.action_row.groups if g.offset >= width]
        assert more[0].name == "foresight.seen" and all(g.name.startswith("foresight.") for g in more)
        one, other = plain.reset(), told.reset()
        foreseen = 0
        for _ in range(60):
            rows = other.action_rows.reshape(-1, size)
            np.testing.assert_array_equal(one.action_rows.reshape(-1, width), rows[:, :width])
            foreseen += int(rows[:, width].sum())
            actions = one.action_mask.argmax(1)
            one, other = plain.step(actions), told.step(actions)
        assert foreseen > 100


def test_vector_has_action_rows_if_asked_for():
    envs = privateer.make_vec("doubloons(seats=4)", 8, seed=1, action_rows=True)
    _, infos = envs.reset()
    _, _, _, _, infos = envs.step(infos["action_mask"].argmax(1))
    assert [len(rows) for rows in infos["action_rows"]] == infos["action_mask"].sum(1).tolist()
    np.testing.assert_array_equal(np.concatenate(infos["action_rows"]), envs.session.batch.action_rows)
    envs.close()


def test_a_policy_that_comes_with_the_program_is_found_by_its_name(tmp_path, monkeypatch):
    captain = privateer.load_policy("captain")
    assert captain.name == "doubloons" and captain.reads_actions and captain.path is None
    assert privateer.load_policy("policy:captain").digest == privateer.load_policy("captain@1").digest == captain.digest
    for missing in ("corsair", "captain@99"):
        with pytest.raises(FileNotFoundError, match=f"{missing}: there is no such file, nor a policy"):
            privateer.load_policy(missing)
    monkeypatch.chdir(tmp_path)
    privateer.load_policy("pirate").save("captain")  # a file of one's own comes first
    assert privateer.load_policy("captain").name == "jolly_roger"
