"""Figures of the roles around a node: names that do not touch, and nothing from elsewhere."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET

import networkx as nx
import numpy as np
import pytest

from grape_gnn import Graph, ego_role_counts
from grape_gnn.drawing import ego_figure
from grape_gnn.drawing.labels import place_labels
from grape_gnn.drawing.scene import ALL_NODES, MOST_MEMBERS, make_scene
from grape_gnn.template import Template
from grape_gnn.template.zoo import template
from grape_gnn.testing import gnp

NAMES = ["Ann", "Wilhelmina Mammoth", "日本語の名前", "<script>", "a&b", "ill", "W" * 40, "x"]


def touch(one, two):
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


@pytest.fixture(scope="module")
def novel():
    return Graph.from_networkx(nx.les_miserables_graph())


@pytest.mark.parametrize("seed", range(20))
def test_no_two_names_touch(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 80))
    points = (rng.random((count, 2)) ** (1 + seed % 3) * [500, 380]).tolist()
    texts = [NAMES[k % len(NAMES)] for k in range(count)]
    labels = place_labels(points, [7.0] * count, texts, range(count), (500, 380))
    assert len(labels) >= min(count, 8)
    for one, two in itertools.combinations(labels, 2):
        assert not touch(one.box, two.box)
    for label in labels:
        assert label.box[0] >= 0
        assert label.box[1] >= 0
        assert label.box[2] <= 500
        assert label.box[3] <= 380


def test_coinciding_dots_still_get_their_names():
    labels = place_labels([(200, 150)] * 6, [7.0] * 6, ["anna"] * 6, range(6), (400, 300))
    assert len(labels) == 6


def _odd_names():
    edges = gnp(8, 0.6, seed=1).edge_array()
    return Graph.from_edges(*edges.T, 8, names=NAMES)


def test_a_figure_is_whole_and_needs_nothing_else(novel):
    figure = ego_figure(novel, "3-path", "Fantine")
    root = ET.fromstring(figure)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    links = figure.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"href|url\(|http|@import|<style|var\(|<image|<script", links)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "132 instances, non-induced" in texts
    members = ego_role_counts(novel, "3-path", "Fantine")
    assert {f"role {k}: {len(one)} nodes" for k, one in enumerate(members) if k} <= set(texts)
    assert "Valjean" in texts


def test_nasty_names_stay_text():
    graph = _odd_names()
    root = ET.fromstring(ego_figure(graph, "triangle", "<script>"))
    assert not list(root.iter("script"))
    assert "triangle around <script>" in [e.text for e in root.iter() if e.text]
    odd = Graph.from_edges([0], [1], names=["nul\x00", "bell\x07"])
    ET.fromstring(ego_figure(odd, "edge", "nul\x00"))


def test_long_names_that_begin_alike_are_told_apart():
    names = [f"Department of Harbours, Ships and {what}" for what in ("Anchors", "Ropes", "Sails")]
    figure = ego_figure(Graph.from_edges([0, 1, 2], [1, 2, 0], names=names), "triangle", names[0])
    ends = ("s and Anchors", "ips and Ropes", "ips and Sails")
    assert re.findall("[^>]*…[^<]*", figure) == [f"Department o…{end}" for end in ends]


def test_of_a_large_graph_the_strongest_of_every_role_are_drawn():
    graph = gnp(400, 0.05, seed=2)
    scene = make_scene(graph, template("3-path"), 0)
    assert len(scene.roles_of) == MOST_MEMBERS + 1 < ALL_NODES
    counts = ego_role_counts(graph, "3-path", 0)
    strongest = max(counts[2], key=counts[2].get)
    assert strongest in scene.roles_of
    assert f"the {MOST_MEMBERS} strongest members are drawn" in ego_figure(graph, "3-path", 0)
    assert ego_figure(graph, "3-path", 0) == ego_figure(graph, "3-path", 0)


def test_induced_figures_draw_induced_roles():
    tailed = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    scene = make_scene(tailed, Template("0-1 1-2"), 0, induced=True)
    assert scene.roles_of == {0: [0], 1: [], 2: [1], 3: [2]}
    assert scene.used == {(0, 2), (2, 3)}
    assert "1 instance, induced" in ego_figure(tailed, "3-path", 0, induced=True)


def test_arcs_that_stand_out_have_heads():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], directed=True)
    figure = ego_figure(graph, Template("0>1 1>2"), 0)
    (heads,) = re.findall(r"class='head' d='([^']*)'", figure)
    assert heads.count("Z") == 2
    undirected = ego_figure(Graph.from_edges([0, 1], [1, 2]), "3-path", 0)
    assert "class='head'" not in undirected


def test_lonely_nodes_and_pairs_can_be_drawn():
    graph = Graph.from_edges([0], [1], 3)
    for node in range(3):
        ET.fromstring(ego_figure(graph, "edge", node))
    assert "0 instances" in ego_figure(graph, "edge", 2)


def test_a_name_covers_no_head_of_an_arc_if_a_side_is_free():
    points, lines = [(200.0, 200.0), (200.0, 20.0), (20.0, 190.0)], [(200.0, 20.0), (20.0, 190.0)]
    (bare,) = place_labels(points, [7.0] * 3, ["bob"] * 3, [0], (400, 400))
    assert bare.box[3] < 200  # above the dot, where a line arrives
    (label,) = place_labels(points, [7.0] * 3, ["bob"] * 3, [0], (400, 400), lines={0: lines})
    assert label.box[1] > 200
    assert label.leader is None
