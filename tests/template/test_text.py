"""The text form: what it accepts, and a clear message for everything else."""

from __future__ import annotations

import pytest

from grape_gnn.errors import TemplateError
from grape_gnn.template import Template
from grape_gnn.template.text import looks_like_text


@pytest.mark.parametrize(
    ("text", "edges", "directed"),
    [
        ("0-1 1-2 0-2", ((0, 1), (0, 2), (1, 2)), False),
        ("2-0,1-0", ((0, 1), (0, 2)), False),
        ("  0-1 ,\n 1-2\t", ((0, 1), (1, 2)), False),
        ("0>1 2>0", ((0, 1), (2, 0)), True),
        ("0<1", ((1, 0),), True),
        ("0<>1", ((0, 1), (1, 0)), True),
        ("0>1 1>0", ((0, 1), (1, 0)), True),
    ],
)
def test_edges(text: str, edges: tuple[tuple[int, int], ...], directed: bool) -> None:
    template = Template(text)
    assert template.edges == edges
    assert template.directed is directed


@pytest.mark.parametrize(
    ("token", "label"),
    [
        ("1:physics", "physics"),
        ('1:"data mining"', "data mining"),
        ("1:'data mining'", "data mining"),
        ('1:"a \\"b\\" \\\\"', 'a "b" \\'),
        ('1:""', ""),
        ("1:7", 7),
        ("1:-7", -7),
        ("1:007", "007"),
        ('1:"7"', "7"),
        ("1:a:b", "a:b"),
        ("1:é<b>", "é<b>"),
    ],
)
def test_labels(token: str, label: str | int) -> None:
    template = Template(f"0-1 {token} 1-2")
    assert template.labels == (None, label, None)
    assert Template(template.text) == template


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("0-1=double", {(0, 1): "double"}),
        ("1-0=double", {(0, 1): "double"}),
        ('0-1="very strong", 1-2', {(0, 1): "very strong"}),
        ("0-1='a b' 1-2=2", {(0, 1): "a b", (1, 2): 2}),
        ('0-1="2"', {(0, 1): "2"}),
        ("0-1=a-b=c:d", {(0, 1): "a-b=c:d"}),
        ("0>1=x", {(0, 1): "x"}),
        ("0<1=x", {(1, 0): "x"}),
        ("0<>1=x", {(0, 1): "x", (1, 0): "x"}),
        ("0>1=x 0<1=y", {(0, 1): "x", (1, 0): "y"}),
        ("0>1 0<1=y", {(1, 0): "y"}),
    ],
)
def test_types_of_edges(text: str, types: dict[tuple[int, int], str | int]) -> None:
    template = Template(text)
    assert template.type_of_edge == types
    assert Template(template.text) == template


def test_types_of_edges_as_text() -> None:
    assert Template("2-1=b 0-1=a 1:N").text == "0-1=a 1-2=b 1:N"
    assert Template("1>0=a 0>1=a").text == "0<>1=a"
    assert Template("1>0=a 0>1=b").text == "0<1=a 0>1=b"


def test_text_lists_edges_from_the_anchor_outwards() -> None:
    assert Template([(2, 1), (1, 0), (0, 2), (2, 0)], directed=True).text == "0<1 0<>2 1<2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"template '' has no edge: a template has 2 to 8 nodes, the smallest is '0-1'"),
        ("0:a", r"template '0:a' has no edge"),
        ("0-1 1-", r"cannot read '1-' at character 5 of template '0-1 1-': write edges such as"),
        ("0-1-2", r"cannot read '0-1-2' at character 1 of template '0-1-2'"),
        ("0-1 x", r"cannot read 'x' at character 5"),
        ("0-1 1:", r"cannot read '1:' at character 5"),
        ("0-1=", r"cannot read '0-1=' at character 1.*edges of a type as '0-1=double'"),
        ('0-1="open', r"cannot read '0-1=\"open' at character 1"),
        ("0-1=a 1-0=b", r"has the edge 0-1 twice"),
        ("0-1=a 1>2", r"mixes the undirected edge '0-1=a' with.*as '0<>1=a'"),
        ('0-1 1:"open', r"cannot read '1:\"open' at character 5"),
        ("0 - 1", r"cannot read '0' at character 1"),
        ("-1-0", r"cannot read '-1-0' at character 1"),
        ("0-1 ٣-1", r"cannot read '٣-1' at character 5"),
        ("0-1 1>2", r"mixes the undirected edge '0-1' with the directed '1>2'.*as '0<>1'"),
        ("0-0 0-1", r"self-loop 0-0.*leave it out"),
        ("0-1 1-0", r"has the edge 0-1 twice: keep one of them \(1-0 is the same edge"),
        ("0>1 0<>1", r"has the edge 0>1 twice: keep one of them$"),
        ("1-2", r"template '1-2' has no anchor: node 0 is the anchor"),
        ("0-1 1-3", r"template '0-1 1-3' skips node 2: number the nodes 0 to 2 without gaps"),
        ("0-1 2-3", r"is disconnected: nodes 2, 3 cannot be reached from the anchor 0; join"),
        ("0>1 2>3 3>4", r"is disconnected: nodes 2, 3, 4 cannot"),
        (" ".join(f"0-{k}" for k in range(1, 9)), r"has 9 nodes: at most 8 are supported"),
        ("0-1 2:a", r"gives a label to node 2, which no edge touches: its nodes are 0 to 1"),
        ("0-1 1:a 1:b", r"gives node 1 two labels"),
        ("triangle", r"'triangle' is the name of a template.*use grape\.template\('triangle'\)"),
        ("4-clique", r"use grape\.template\('4-clique'\)"),
        ("S3", r"use grape\.template\('S3'\)"),
        ("trangle", r"cannot read 'trangle' at character 1"),
    ],
)
def test_bad_text(text: str, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        Template(text)


def test_text_and_names_are_told_apart() -> None:
    assert looks_like_text(" 0-1 x")
    assert looks_like_text("1:physics 0-1")
    assert not looks_like_text("3-star")
    assert not looks_like_text("triangle")
