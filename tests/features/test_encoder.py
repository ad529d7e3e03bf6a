"""`NodeEncoder`: what becomes of every kind of column, learnt from the training nodes alone."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from grape_gnn.errors import GrapeWarning, ModelError
from grape_gnn.features import NodeEncoder
from grape_gnn.graph import Graph

RNG = np.random.default_rng(0)
N = 400
TRAINING = np.arange(N) < 300


def frame(**columns):
    return pd.DataFrame(columns)


def test_numbers_are_standardised_by_training_values_alone():
    age = RNG.normal(40, 10, N)
    spoilt = np.where(TRAINING, age, 1e9)
    x = NodeEncoder().fit_transform(frame(age=spoilt), nodes=TRAINING)[:, 0]
    assert abs(x[TRAINING].mean()) < 1e-5
    assert abs(x[TRAINING].std() - 1) < 1e-5
    assert x[~TRAINING].tolist() == [10] * 100  # taken back to ten deviations


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e12])
@pytest.mark.parametrize("sign", [1, -1])
def test_heavy_tails_are_brought_to_a_log_scale(scale, sign):
    wealth = sign * scale * RNG.lognormal(0, 2.5, N)
    encoder = NodeEncoder()
    x = encoder.fit_transform(frame(wealth=wealth), nodes=TRAINING)[:, 0]
    assert encoder.codes_[0].how == "log scale"
    assert np.abs(x).max() < 6
    assert (np.argsort(x) == np.argsort(wealth)).all()


def test_mostly_zeros_stay_zeros():
    words = (RNG.random((N, 100)) < 0.02) * RNG.integers(1, 9, (N, 100))
    x = NodeEncoder().fit_transform(pd.DataFrame(words).add_prefix("w"), nodes=TRAINING)
    assert np.count_nonzero(x) <= np.count_nonzero(words)
    assert np.count_nonzero(x) > 0.5 * np.count_nonzero(words)


def test_rare_and_unknown_categories_are_together():
    jobs = ["cook"] * 200 + ["clerk"] * 100 + ["king", "queen"]
    encoder = NodeEncoder().fit(frame(job=jobs))
    assert encoder.get_feature_names_out().tolist() == ["job=cook", "job=clerk", "job is rare"]
    x = encoder.transform(frame(job=["cook", "king", "astronaut", None]))
    assert x.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0]]
    assert len(NodeEncoder(max_categories=1).fit(frame(job=jobs)).get_feature_names_out()) == 2


def test_an_unknown_category_without_rare_ones_is_said():
    encoder = NodeEncoder().fit(frame(job=["cook", "clerk"] * 9))
    with pytest.warns(GrapeWarning, match="1 values that training did not have, such as 'king'"):
        assert encoder.transform(frame(job=["cook", "king"])).tolist() == [[0, 1], [0, 0]]


def test_gaps_are_filled_and_marked():
    table = frame(age=[10, None, 30, 20], job=["a", "a", None, "b"], vip=[True, None, True, False])
    encoder = NodeEncoder()
    x = encoder.fit_transform(table)
    named = dict(zip(encoder.get_feature_names_out(), x.T.tolist(), strict=True))
    assert named["age"][1] == 0  # the median, standardised
    assert named["age is missing"] == [0, 1, 0, 0]
    assert named["job is missing"] == [0, 0, 1, 0]
    assert named["vip"] == [1, 1, 1, 0]
    assert named["vip is missing"] == [0, 1, 0, 0]
    fresh = NodeEncoder().fit(frame(age=[1, 2, 3])).transform(frame(age=[None, 2.0, 9]))
    assert fresh.shape == (3, 1)
    assert np.isfinite(fresh).all()


def test_what_is_of_no_use_is_left_out_and_why():
    table = frame(
        same=["x"] * N,
        email=[f"{i}@x" for i in range(N)],
        user_id=np.arange(N),
        nothing=[None] * N,
        age=np.arange(N) % 50,
    )
    encoder = NodeEncoder(ignore=["age"])
    assert encoder.fit_transform(table).tolist() == [[1]] * N
    assert encoder.left_out_ == {
        "age": "as asked",
        "same": "constant in training",
        "email": "text that differs from node to node",
        "user_id": "looks like an id",
        "nothing": "no value in training",
    }


def test_columns_are_found_by_name():
    encoder = NodeEncoder().fit(frame(age=[1, 2, 3], job=list("aab")))
    table = frame(job=list("aab"), shoe=[7, 8, 9], age=[1, 2, 3])
    assert (encoder.transform(table) == encoder.transform(table[["age", "job"]])).all()
    with pytest.raises(ModelError, match=r"lacks 'age', 'job', .*; its columns are shoe"):
        encoder.transform(table[["shoe"]])


def test_a_column_of_another_kind_is_read_as_in_training():
    encoder = NodeEncoder().fit(frame(age=[10.0, 20.0, 30.0, 20.0], code=list("1221")))
    encoder = NodeEncoder(categorical=["code"]).fit(
        frame(age=[10.0, 20.0, 30.0, 20.0], code=[1, 2, 2, 1])
    )
    with pytest.warns(GrapeWarning, match="'age' was number in training: 1 values that are none"):
        x = encoder.transform(frame(age=["10", "old"], code=["1", "2"]))
    assert x[:, 1:].tolist() == [[1, 0], [0, 1]]
    assert x[1, 0] == 0
    yes = NodeEncoder().fit(frame(vip=["yes", "no", "no"]))
    assert yes.transform(frame(vip=[1, 0])).tolist() == [[1], [0]]


def test_no_scaling():
    table = frame(balance=[1e4, 2e4, None, 3e4], job=list("aabb"))
    x = NodeEncoder(scaling=False).fit_transform(table)
    assert x[:, 0].tolist() == [1e4, 2e4, 2e4, 3e4]


def test_the_state_is_json():
    table = frame(age=[1, 2, None, 9], job=list("aabc"), vip=[True, False, True, True])
    encoder = NodeEncoder().fit(table)
    again = NodeEncoder.from_json(json.loads(json.dumps(encoder.to_json())))
    assert (again.transform(table) == encoder.transform(table)).all()
    assert again.describe() == encoder.describe()
    for damage in (
        {"scale": float("nan")}, {"scale": 0.0}, {"fill": "x"}, {"code": "category"}, {"more": 1},
        {"name": {}}, {"how": "by magic"}, {"indicator": 3},
    ):  # fmt: skip
        broken = encoder.to_json()
        broken["columns"][0] |= damage
        with pytest.raises(ValueError):  # noqa: PT011
            NodeEncoder.from_json(broken)
    with pytest.raises(ValueError, match="left_out"):
        NodeEncoder.from_json({"columns": [], "left_out": [], "notes": {}})


def test_a_matrix_of_features_is_encoded_when_asked():
    x = np.stack([RNG.normal(1e5, 3e4, N), RNG.integers(0, 2, N)], axis=1)
    g = Graph.from_edges([0], [1], N, x=x)
    found = NodeEncoder().fit_transform(g, nodes=TRAINING)
    assert abs(found[TRAINING, 0].std() - 1) < 1e-4
    assert found[:, 1].tolist() == x[:, 1].tolist()


def test_misuse():
    with pytest.raises(ModelError, match="not fitted yet"):
        NodeEncoder().transform(frame(a=[1]))
    with pytest.raises(ModelError, match="expected a Graph or a pandas, polars or Arrow table"):
        NodeEncoder().fit([1, 2])
    with pytest.raises(ModelError, match="the graph has no features"):
        NodeEncoder().fit(Graph.from_edges([0], [1]))
    with pytest.raises(ModelError, match="max_categories=0 must be at least 1"):
        NodeEncoder(max_categories=0).fit(frame(a=[1]))


def test_parameters_the_way_of_scikit_learn():
    encoder = NodeEncoder(ignore=["a"])
    assert encoder.get_params()["ignore"] == ["a"]
    assert encoder.set_params(scaling=False).scaling is False


def test_the_output_can_be_a_frame_with_names():
    people = pd.DataFrame({"age": [20, 30, None], "vip": ["yes", "no", "no"]}, index=list("abc"))
    found = NodeEncoder().set_output(transform="pandas").fit_transform(people)
    assert list(found.index) == ["a", "b", "c"]
    assert list(found.columns) == ["age", "age is missing", "vip"]
