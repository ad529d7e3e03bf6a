"""Genes: one normal form for every set of templates."""

from __future__ import annotations

import pickle

import pytest

from grape_gnn import Template, templates
from grape_gnn.errors import SearchError
from grape_gnn.search.gene import Gene, fill, start_gene


def test_order_and_numbering_do_not_matter():
    first = Gene([Template("0-1 1-2 2-3"), Template("0-1")])
    second = Gene([Template("0-1"), Template("0-3 3-1 1-2")])
    assert first == second
    assert hash(first) == hash(second)
    assert first.key == "0-1 | 0-1 1-2 2-3"
    assert first != Gene([Template("0-1"), Template("0-1 1-2")])


def test_the_anchor_matters_and_repetitions_do_not():
    end, middle = Template("0-1 1-2"), Template("0-1 0-2")
    assert Gene([end]) != Gene([middle])
    assert Gene([end, middle, Template("0-2 2-1")]) == Gene([middle, end])
    assert len(Gene([end, Template("0-2 2-1"), Template("0-1 1-2")])) == 1


def test_free_slots_hold_edges():
    assert [t.text for t in fill(Gene.from_texts(["0-1 1-2", "0-1"]), 2)] == ["0-1", "0-1 1-2"]
    assert [t.text for t in fill(Gene.from_texts(["0>1 1>2"]), 3)] == ["0>1 1>2", "0<1", "0>1"]


def test_known_templates_get_their_names():
    gene = Gene(templates("social"))
    assert [t.name for t in gene.templates] == [
        "edge", "3-path", "triangle", "tailed-triangle", "4-clique",
    ]  # fmt: skip
    nameless = Gene([Template("0-1 1-2 2-3 3-4 4-1", name="mine")])
    assert nameless.templates[0].name is None


def test_texts_and_pickles_come_back():
    gene = Gene.from_texts(["0>1 1<2", "0<>1"])
    assert Gene.from_texts(gene.texts) == gene
    assert pickle.loads(pickle.dumps(gene)) == gene


def test_the_start_has_edges_only_and_arcs_both_ways():
    assert start_gene(3, directed=False).key == "0-1"
    assert set(start_gene(2, directed=True).texts) == {"0>1", "0<1"}


@pytest.mark.parametrize(
    ("given", "message"),
    [([], "at least one"), ([Template("0-1"), Template("0>1")], "mix directed and undirected")],
)
def test_impossible_genes_are_refused(given, message):
    with pytest.raises(SearchError, match=message):
        Gene(given)
