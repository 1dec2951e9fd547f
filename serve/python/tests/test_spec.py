"""The description of a game, asked."""

import json

import numpy as np
import pytest

import privateer

DOUBLOONS = privateer.describe("doubloons(seats=4)")


def test_a_byte_has_a_name_and_a_word():
    schema = DOUBLOONS.observation
    feature = schema.at(700)
    assert (feature.name, feature.word, feature.group) == ("opponents[2].path[3]", "red path", schema["opponents[2].path"])
    assert str(feature) == f"opponents[2].path[3] (red path): {feature.group.doc}"
    assert schema.at(schema["map.crater"].offset + 7).name == "map.crater[1,3]" and schema.at(24).name == "game.round"
    program = json.loads(privateer.command("spec", DOUBLOONS.config, at=700))
    assert (program["name"], program["word"]) == (feature.name, feature.word)
    with pytest.raises(IndexError, match="from 0 to 1846"):
        schema.at(1847)
    with pytest.raises(KeyError, match=r"opponents\[2\]\.path"):
        schema["opponent[2].path"]


@pytest.mark.parametrize("game", ["leduc", "doubloons(seats=3)", "jolly_roger(seats=4)"])
def test_observations_and_rows_are_decoded_and_explained(game):
    with privateer.make(game, 8, seed=3, action_rows=True) as session:
        batch, schema = session.reset(), session.spec.observation
        observation = batch.observation.copy()
        for row in (observation, observation * schema.scales()):
            decoded = schema.decode(row)
            assert list(decoded) == [g.name for g in schema.groups] and all(decoded[g.name].shape == (8, *g.shape) for g in schema.groups)
            flat = np.concatenate([decoded[g.name].reshape(8, -1) for g in schema.groups], axis=1)
            assert flat.dtype == np.uint8 and (flat == observation).all()
        lines = schema.explain(observation[0]).splitlines()
        assert [line.split(": ")[0] for line in lines] == [name for name, values in schema.decode(observation[0]).items() if values.any()]
        assert len(session.spec.action_row.explain(batch.action_rows[0]).splitlines()) > 0
    with pytest.raises(ValueError, match=str(schema.size)):
        schema.decode(np.zeros(3))


def test_what_is_shown_fits_a_screen():
    for shown in (DOUBLOONS, DOUBLOONS.observation):
        assert len(repr(shown)) < 160 and shown._repr_html_().startswith("<table>") and "<Schema" not in shown._repr_html_()
    assert "1847" in repr(DOUBLOONS) and "doubloons" in DOUBLOONS._repr_html_()
