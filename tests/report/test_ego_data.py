"""The explorer's data: whole graphs where they fit, chosen nodes where they do not."""

from __future__ import annotations

import base64

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.report.ego_data import EGOS, Answers, ego_data
from grape_gnn.report.graph_data import pack_edges, pack_integers
from grape_gnn.report.match_plan import match_plan
from grape_gnn.template import Template
from grape_gnn.testing import typed

TEMPLATES = grape.templates("edge,3-path,triangle")


@pytest.fixture(scope="module")
def graph():
    return grape.datasets.load("social-like", num_nodes=300)


@pytest.fixture(scope="module")
def answers(graph):
    rng = np.random.default_rng(0)
    predicted = np.where(rng.random(300) < 0.7, graph.y, 0).clip(0)
    part = np.where(graph.y < 0, -1, rng.integers(0, 3, 300))
    return Answers(graph.label_names, predicted, rng.random(300), part)


def unpack(text):
    """Read packed integers the slow way."""
    values, value, shift = [], 0, 0
    for byte in base64.b64decode(text):
        value += (byte & 127) << shift
        shift += 7
        if byte < 128:
            values.append(value)
            value = shift = 0
    return values


@pytest.mark.parametrize("directed", [False, True])
def test_packed_edges_can_be_read_again(directed):
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, 500, size=(2, 900))
    pairs = np.unique(np.stack([src, dst])[:, src != dst], axis=1)
    pairs = pairs if directed else np.unique(np.sort(pairs, axis=0), axis=1)
    graph = grape.Graph.from_edges(*pairs, 500, directed=directed)
    stream = iter(unpack(pack_edges(graph)))
    found = []
    for node in range(500):
        last = 0 if directed else node
        for _ in range(next(stream)):
            last += next(stream)
            found.append([node, last])
    assert next(stream, None) is None
    assert found == graph.edge_array().tolist()


def test_large_integers_are_packed():
    values = np.array([0, 1, 127, 128, 2**14, 2**31, 2**40])
    assert unpack(base64.b64encode(pack_integers(values))) == values.tolist()


def test_graphs_without_edges_are_packed():
    assert unpack(pack_edges(grape.Graph.from_edges([], [], 3))) == [0, 0, 0]


def test_plans_leave_one_map_per_instance():
    """Every symmetry but one breaks a rule, whatever numbers the nodes have."""
    rng = np.random.default_rng(0)
    for name in ("4-star", "4-clique", "4-cycle", "bi-fan", "5-star-leaf"):
        template = grape.template(name)
        plan = match_plan(template)
        order = [step["node"] for step in plan]
        rules = [(order[p], step["node"]) for step in plan for p in step["above"]]
        numbers = rng.permutation(template.num_nodes)
        kept = [
            g for g in template.automorphisms
            if all(numbers[g[low]] < numbers[g[high]] for low, high in rules)
        ]  # fmt: skip
        assert len(kept) == 1, name


def test_a_graph_that_fits_is_there_as_a_whole(graph, answers):
    data = ego_data(graph, TEMPLATES, answers)
    assert (data["size"], data["names"]) == (300, None)
    assert data["edges"] == pack_edges(graph)
    assert data["label"] == graph.y.tolist()
    assert data["predicted"] == answers.predicted.tolist()
    assert "ready" not in data
    assert [t["rings"] for t in data["templates"]] == [[0, 1], [0, 1, 2], [0, 1]]
    assert answers.part[data["start"]] == 2


def test_of_a_larger_graph_some_nodes_are_worked_out(graph, answers):
    data = ego_data(graph, TEMPLATES, answers, most_bytes=100, start=17)
    egos = [int(data["names"][k]) for k in data["ready"]]
    assert len(egos) == min(EGOS, 40) + (17 not in egos[1:])
    assert data["names"][data["start"]] == "17"
    right = [answers.predicted[v] == graph.y[v] for v in egos[1:]]
    assert sum(right) == EGOS // 2
    assert all(answers.part[v] == 2 for v in egos[1:])
    for k, one in data["ready"].items():
        ego = int(data["names"][k])
        wanted = grape.ego_role_counts(graph, "3-path", ego)[2]
        entry = one["sets"][1][2]
        assert entry["nodes"] == len(wanted)
        for member, count in entry["members"]:
            assert wanted[int(data["names"][member])] == count
        assert one["hops"]["one"]["nodes"] == graph.degrees[ego]


def test_the_choice_is_always_the_same(graph, answers):
    one, two = (ego_data(graph, TEMPLATES, answers, most_bytes=0) for _ in range(2))
    assert one == two


def test_graphs_without_labels_and_answers():
    ring = grape.Graph.from_edges(range(30), [(k + 1) % 30 for k in range(30)])
    data = ego_data(ring, TEMPLATES[:1])
    assert (data["label"], data["labels"], "predicted" in data) == (None, [], False)
    assert len(ego_data(ring, TEMPLATES[:1], most_bytes=0)["ready"]) == 30


def test_numbers_and_several_labels_are_left_out():
    for y in ([0.5, 1.5, 2.5], [["a", "b"], ["a"], []]):
        graph = grape.Graph.from_edges([0, 1], [1, 2], y=y)
        assert graph.task != "classification"
        data = ego_data(graph, TEMPLATES[:1])
        assert (data["label"], data["labels"]) == (None, [])


def test_what_the_page_cannot_match_is_worked_out_beforehand():
    graph = typed(12, 0.6, seed=1)
    plain, asked = Template("0-1"), Template("0-1=0 1:1")
    assert "ready" not in ego_data(graph, [plain])
    ready = ego_data(graph, [plain, asked])["ready"]
    totals = grape.match(graph, asked)[0].totals
    instances = [ready[k]["sets"].get(1, {}).get(1, {}).get("instances", 0) for k in sorted(ready)]
    assert sorted(instances) == sorted(totals.tolist())
