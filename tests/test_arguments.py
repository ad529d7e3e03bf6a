"""Arguments of the wrong type or size end in one typed line that names them."""

from __future__ import annotations

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.arguments import number, whole_number
from grape_gnn.errors import GraphError, MatchError, ModelError, TemplateError

TRIANGLE = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
NOT_WHOLE = "must be a whole number"


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("threads", "2", NOT_WHOLE),
        ("threads", 1.5, NOT_WHOLE),
        ("threads", True, NOT_WHOLE),
        ("threads", 0, "at least 1"),
        ("threads", 2**31, "at most"),
        ("memory", 1.5, NOT_WHOLE),
        ("memory", -1, "at least 0"),
        ("memory", 2**63, "at most"),
        ("memory", b"1GB", NOT_WHOLE),
        ("time", -1, "a number, at least 0"),
        ("time", float("nan"), "a number"),
        ("time", [1], "a number"),
        ("instances", 2**63, "at most"),
        ("instances", "2", NOT_WHOLE),
        ("sample", 1.5, NOT_WHOLE),
        ("seed", -1, "at least 0"),
        ("seed", "x", NOT_WHOLE),
        ("induced", "no", "True or False"),
        ("weighting", [], "is unknown"),
        ("on_budget", None, "is unknown"),
        ("store", "x", "must be an InstanceStore"),
        ("progress", 2.5, "a function"),
    ],
)
def test_options_of_match(option, value, message):
    with pytest.raises(MatchError, match=rf"^{option}=.* {message}"):
        grape.match(TRIANGLE, "triangle", **{option: value})


@pytest.mark.parametrize("option", ["directed", "strict"])
@pytest.mark.parametrize("value", ["no", None, 1])
def test_truth_values_of_a_graph(option, value):
    with pytest.raises(GraphError, match=rf"^{option}={value!r} must be True or False"):
        grape.Graph.from_edges([0], [1], **{option: value})


@pytest.mark.parametrize(
    "build",
    [
        lambda value: grape.Template([(0, 1)], directed=value),
        lambda value: grape.Template.from_adjacency([[0, 1], [1, 0]], directed=value),
    ],
)
def test_a_template_is_directed_or_not(build):
    with pytest.raises(TemplateError, match=r"^directed='no' must be True or False"):
        build("no")


@pytest.mark.parametrize("option", ["directed", "strict"])
def test_truth_values_of_a_conversion(option, tmp_path):
    (tmp_path / "e.csv").write_text("a,b\n")
    with pytest.raises(GraphError, match=rf"^{option}='no' must be True or False"):
        grape.convert(tmp_path / "e.csv", tmp_path / "e.grape", **{option: "no"})


@pytest.mark.parametrize("option", ["memory", "sample", "seed"])
def test_options_of_an_instance_store(option):
    with pytest.raises(MatchError, match=f"{option}=1.5 {NOT_WHOLE}"):
        grape.InstanceStore(TRIANGLE, **{option: 1.5})


@pytest.mark.parametrize(
    "call",
    [
        lambda g: grape.match(g, "edge"),
        lambda g: grape.ego_ae_sets(g, "edge", 0),
        lambda g: grape.ego_role_counts(g, "edge", 0),
        lambda g: grape.count_instances(g, "edge"),
        lambda g: grape.instances(g, "edge"),
        lambda g: grape.explain_plan(g, "edge"),
        lambda g: grape.automorphism_orbits(g),
        lambda g: grape.InstanceStore(g),
    ],
)
def test_a_file_name_is_not_a_graph(call):
    with pytest.raises(GraphError, match="expected a graph, got the text"):
        call("friends.csv")


def test_numbers_of_numpy_will_do():
    found = grape.match(
        TRIANGLE, "triangle", threads=np.int64(1), time=np.float64(9), induced=np.bool_(False)
    )
    assert found[0].totals.tolist() == [1, 1, 1, 0]
    assert grape.match(TRIANGLE, "edge", time=1e-7 + 60)[0].totals.sum() == 8


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("hidden", "8", NOT_WHOLE),
        ("hidden", 2**40, "at most"),
        ("layers", 1.5, NOT_WHOLE),
        ("dropout", None, "a number, at least 0 and below 1"),
        ("label_inputs", "no", "True or False"),
        ("learning_rate", float("nan"), "a number, above 0"),
        ("weight_decay", "x", "a number, at least 0"),
        ("epochs", 1.5, NOT_WHOLE),
        ("patience", True, NOT_WHOLE),
        ("min_epochs", -1, "at least 0"),
        ("seed", -1, "at least 0"),
        ("preset", [], "unknown preset"),
        ("device", None, "not available"),
    ],
)
def test_parameters_of_the_classifier(parameter, value, message):
    ring = [(i, (i + k) % 30) for i in range(30) for k in (1, 2)]
    graph = grape.Graph.from_edges(*zip(*ring, strict=True), y=["left", "right"] * 15)
    model = grape.GrapeClassifier(**{"templates": "edge", "epochs": 1, parameter: value})
    with pytest.raises(ModelError, match=message):
        model.fit(graph)


@pytest.mark.parametrize("power", [400, 5000])  # Python writes no more than 4,300 digits
def test_a_number_beyond_all_others(power: int) -> None:
    bits = f"a number of {(10**power).bit_length()} bits must be"
    with pytest.raises(MatchError, match=f"dropout={bits} a number, below 1"):
        number("dropout", 10**power, below=1)
    with pytest.raises(MatchError, match=f"threads={bits} at most"):
        whole_number("threads", 10**power)
