"""The family tree: who grew from whom, and the line of the best."""

from __future__ import annotations

import re
from itertools import pairwise

from grape_gnn.report.family_tree import Birth, draw_tree, grow_tree
from grape_gnn.template import Template

EDGE, PATH, TRIANGLE = Template("0-1"), Template("0-1 1-2"), Template("0-1 0-2 1-2")
TAILED, STAR = Template("0-1 0-2 1-2 0-3"), Template("0-1 0-2")

BIRTHS = [
    Birth((EDGE, EDGE), (), 0.5, 0),
    Birth((EDGE, PATH), (EDGE, EDGE), 0.6, 1),
    Birth((PATH, STAR), (EDGE, PATH), 0.55, 2),
    Birth((TRIANGLE, EDGE), (EDGE, PATH), 0.7, 3),
    Birth((EDGE, EDGE), (), 0.4, 4),
]


def test_every_template_has_the_parent_it_grew_from():
    tree = grow_tree(BIRTHS)
    assert {tree[key].template.text: tree[key].parent for key in tree} == {
        "0-1": None,
        "0-1 1-2": EDGE.canonical,
        "0-1 0-2": EDGE.canonical,
        "0-1 0-2 1-2": PATH.canonical,
    }
    assert tree[EDGE.canonical].children == [PATH.canonical, STAR.canonical]
    assert [one.round for one in tree.values()] == [0, 1, 2, 3]


def test_scores_are_the_best_of_the_genes():
    scores = {one.template.text: one.score for one in grow_tree(BIRTHS).values()}
    assert scores == {"0-1": 0.7, "0-1 1-2": 0.6, "0-1 0-2": 0.55, "0-1 0-2 1-2": 0.7}


def test_two_steps_in_one_round_are_traced():
    tree = grow_tree([Birth((PATH,), (), 0.5, 0), Birth((TAILED,), (PATH,), 0.6, 1)])
    assert tree[TAILED.canonical].parent == PATH.canonical


def test_a_template_from_nowhere_is_a_root():
    tree = grow_tree([Birth((EDGE,), (), 0.5, 0), Birth((TRIANGLE,), (), 0.9, 1)])
    assert [one.parent for one in tree.values()] == [None, None]
    assert str(draw_tree(tree, [])).count("<rect") == 2


def test_the_line_of_the_best_is_marked():
    picture = str(draw_tree(grow_tree(BIRTHS), [TRIANGLE.canonical]))
    assert picture.count("class='frame best'") == 3
    assert picture.count("class='branch best'") == 2
    assert picture.count("class='branch'") == 1


def test_of_many_templates_the_best_and_their_ancestors_are_drawn():
    tree = grow_tree(BIRTHS)
    picture = str(draw_tree(tree, [TRIANGLE.canonical], most=3))
    shown = re.findall(r"text-anchor='middle'>(0-1[^<]*)</text>", picture)
    assert sorted(shown) == ["0-1", "0-1 0-2 1-2", "0-1 1-2"]


def test_boxes_do_not_overlap():
    picture = str(draw_tree(grow_tree(BIRTHS), []))
    corners = re.findall(r"<rect class='frame' x='([\d.]+)' y='([\d.]+)'", picture)
    assert len(set(corners)) == 4
    by_column: dict[str, list[float]] = {}
    for x, y in corners:
        by_column.setdefault(x, []).append(float(y))
    for column in by_column.values():
        column.sort()
        assert all(b - a >= 104 for a, b in pairwise(column))


def test_names_are_escaped():
    tree = grow_tree([Birth((Template("0-1", name="<b>&'"),), (), 0.5, 0)])
    assert "<b>" not in str(draw_tree(tree, []))
