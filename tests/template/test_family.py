"""Children and parents undo each other; the list of all templates has the known lengths."""

from __future__ import annotations

import pytest

from grape_gnn.errors import TemplateError
from grape_gnn.template import Template, all_templates, children, parents
from grape_gnn.template.zoo import template


def forms(templates: list[Template]) -> list[str]:
    return [t.canonical for t in templates]


@pytest.mark.parametrize(("size", "directed"), [(2, False), (3, False), (4, False), (5, False)])
def test_children_and_parents_are_inverse(size: int, directed: bool) -> None:
    for one in all_templates(size, directed):
        for child in children(one):
            assert one.canonical in forms(parents(child))
        for parent in parents(one):
            assert one.canonical in forms(children(parent))


@pytest.mark.parametrize("size", [2, 3])
def test_directed_children_and_parents_are_inverse(size: int) -> None:
    for one in all_templates(size, directed=True):
        for child in children(one):
            assert one.canonical in forms(parents(child))
        for parent in parents(one):
            assert one.canonical in forms(children(parent))


@pytest.mark.parametrize(("largest", "directed"), [(5, False), (3, True)])
def test_children_of_edges_reach_every_template(largest: int, directed: bool) -> None:
    start = all_templates(2, directed)
    reached = set(forms(list(start)))
    frontier = list(start)
    while frontier:
        grown = {c.canonical: c for t in frontier for c in children(t) if c.num_nodes <= largest}
        frontier = [c for form, c in grown.items() if form not in reached]
        reached |= set(grown)
    expected = {
        t.canonical for size in range(2, largest + 1) for t in all_templates(size, directed)
    }
    assert reached == expected


def test_children_are_distinct_and_keep_the_numbers_of_the_parent() -> None:
    for one in all_templates(4):
        born = children(one)
        assert len(set(forms(born))) == len(born)
        for child in born:
            assert set(one.edges) < set(child.edges)
            assert len(child.edges) == len(one.edges) + 1


def test_directed_children_of_an_arc() -> None:
    assert {c.text for c in children(Template("0>1"))} == {
        "0<>1",  # the arc back
        *("0>1 0>2", "0>1 0<2", "0>1 0<>2"),  # a node at the anchor
        *("0>1 1>2", "0>1 1<2", "0>1 1<>2"),  # a node at the other
    }
    assert {p.text for p in parents(Template("0<>1"))} == {"0>1", "0<1"}
    assert parents(Template("0>1")) == []


def test_labels_stay_with_their_nodes() -> None:
    labelled = Template("0-1 1-2 0:a 2:b")
    assert "0-1 1-2 2-3 0:a 2:b" in [c.text for c in children(labelled)]
    assert [p.text for p in parents(labelled)] == ["0-1 0:a"]
    assert [p.text for p in parents(Template("0-2 0-1 2:b"))] == ["0-1", "0-1 1:b"]
    assert len(children(Template("0-1 0-2 1:a"))) > len(children(Template("0-1 0-2")))


def test_the_anchor_is_never_removed() -> None:
    assert forms(parents(template("4-path"))) == forms([template("3-path")])


def test_eight_nodes_are_the_limit() -> None:
    assert children(template("8-clique")) == []
    assert all(child.num_nodes == 8 for child in children(template("8-path")))


def test_methods_are_the_functions() -> None:
    assert Template("0-1 1-2").children() == children(Template("0-1 1-2"))
    assert Template("0-1 1-2").parents() == parents(Template("0-1 1-2"))


def test_numbers_of_rooted_connected_graphs() -> None:
    assert [len(all_templates(size)) for size in range(2, 7)] == [1, 3, 11, 58, 407]
    assert [len(all_templates(size, directed=True)) for size in (2, 3, 4)] == [3, 30, 697]


def test_all_templates_are_canonical_and_sorted() -> None:
    listed = all_templates(5)
    assert all(t.text == t.canonical for t in listed)
    assert list(listed) == sorted(listed, key=lambda t: (len(t.edges), t.text))


@pytest.mark.parametrize(("size", "directed"), [(1, False), (8, False), (5, True)])
def test_sizes_that_cannot_be_listed(size: int, directed: bool) -> None:
    with pytest.raises(TemplateError, match=r"sizes 2 to \d can be listed; .*children\(\)"):
        all_templates(size, directed)
