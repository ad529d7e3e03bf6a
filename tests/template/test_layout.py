"""Layouts: the same for isomorphic templates, nodes apart from each other and from edges."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from grape_gnn.template import Template, all_templates
from grape_gnn.template.layout import layout
from grape_gnn.template.zoo import ZOO, template

DRAWN = [entry.template for entry in ZOO] + [template("8-path"), template("8-cycle")]


def test_isomorphic_templates_look_the_same() -> None:
    one = Template("0-1 1-2 2-3 3-4 4-0 1-3")
    order = [0, 3, 1, 4, 2]
    np.testing.assert_allclose(
        np.sort(layout(one), axis=0), np.sort(layout(one.relabel(order)), axis=0)
    )


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_nodes_keep_their_distance(size: int) -> None:
    for drawn in all_templates(size):
        points = layout(drawn)
        for a, b in itertools.combinations(range(size), 2):
            assert np.linalg.norm(points[a] - points[b]) > 0.55, drawn


def test_no_node_of_the_zoo_lies_on_a_foreign_edge() -> None:
    for drawn in DRAWN:
        points = layout(drawn)
        for (a, b), node in itertools.product(drawn.edges, range(drawn.num_nodes)):
            if node not in (a, b):
                along = points[b] - points[a]
                where = np.clip((points[node] - points[a]) @ along / (along @ along), 0, 1)
                assert np.linalg.norm(points[node] - points[a] - where * along) > 0.22, drawn


def test_customary_pictures() -> None:
    top = layout(template("house"))
    assert top[0, 1] < top[1, 1] == top[2, 1] < top[3, 1] == top[4, 1]  # y grows downwards
    assert layout(template("to")).tolist() == [[0, 0], [1, 0]]
    assert layout(template("4-path"))[:, 1].tolist() == [0, 0, 0, 0]
    assert layout(template("tailed-triangle-tail"))[0, 0] == 0  # the anchor comes first
