"""What makes edges a template: simple, connected, two to eight nodes, node 0 the anchor.

Each check raises a `TemplateError` that names the input and says how to mend it.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import SupportsIndex

import numpy as np

from grape_gnn.errors import TemplateError
from grape_gnn.template.text import Edge, Label

__all__ = ["MAX_NODES", "check_edge_types", "check_edges", "check_labels", "is_connected", "listed"]

MAX_NODES = 8


def listed(edges: object) -> list[Sequence[int]]:
    """Return pairs of nodes as a list, or raise."""
    if not isinstance(edges, Iterable):
        raise TemplateError(
            f"cannot make a template from {edges!r}: give text such as '0-1 1-2', a list of "
            f"pairs, or another template"
        )
    return edges.tolist() if isinstance(edges, np.ndarray) else list(edges)


def check_edges(edges: Iterable[Sequence[int]], directed: bool, source: str) -> tuple[Edge, ...]:
    """Return the edges sorted (and as ``(small, large)`` if undirected), or raise.

    Parameters
    ----------
    edges
        Pairs of node numbers.
    directed
        Whether a pair is an arc.
    source
        The user's input, as it should appear in messages.
    """
    seen: set[Edge] = set()
    for edge in edges:
        a, b = _pair(edge, source)
        if a == b:
            raise TemplateError(
                f"template {source} has the self-loop {a}-{b}: graphs have no self-loops here, "
                f"so leave it out"
            )
        if not directed and a > b:
            a, b = b, a
        if (a, b) in seen:
            sign = ">" if directed else "-"
            hint = "" if directed else f" ({b}-{a} is the same edge in an undirected template)"
            raise TemplateError(
                f"template {source} has the edge {a}{sign}{b} twice: keep one of them{hint}"
            )
        seen.add((a, b))
    nodes = {node for edge in seen for node in edge}
    _check_nodes(nodes, source)
    if not is_connected(seen, len(nodes)):
        reached = sorted(_reached(seen))
        lost = sorted(nodes.difference(reached))
        raise TemplateError(
            f"template {source} is disconnected: nodes {_joined(lost)} cannot be reached from "
            f"the anchor 0; join the parts or use two templates"
        )
    return tuple(sorted(seen))


def check_labels(
    labels: Mapping[int, Label | None] | Sequence[Label | None], num_nodes: int, source: str
) -> tuple[Label | None, ...]:
    """Return one label or None per node, or raise."""
    if isinstance(labels, str):
        raise TemplateError(
            f"labels={labels!r} of template {source} is a single text: pass a mapping such as "
            f"{{1: {labels!r}}}"
        )
    if isinstance(labels, Mapping):
        for node in labels:
            if node not in range(num_nodes):
                raise TemplateError(
                    f"template {source} gives a label to node {node}, which no edge touches: its "
                    f"nodes are 0 to {num_nodes - 1}"
                )
        labels = [labels.get(node) for node in range(num_nodes)]
    if len(labels) != num_nodes:
        raise TemplateError(
            f"template {source} has {num_nodes} nodes but {len(labels)} labels were given: give "
            f"one per node (None for any label) or a mapping node -> label"
        )
    return tuple(_label(x, source) for x in labels)


def check_edge_types(
    types: Mapping[Edge, Label | None], edges: Sequence[Edge], directed: bool, source: str
) -> tuple[Label | None, ...]:
    """Return the type that each edge asks for, or None, in the order of the edges."""
    if not isinstance(types, Mapping):
        raise TemplateError(
            f"edge_types={types!r} of template {source} is no mapping: pass one from edge to type, "
            f"such as {{(0, 1): 'double'}}"
        )
    asked: dict[Edge, Label | None] = {}
    for edge, value in types.items():
        a, b = _pair(edge, source)
        place = (a, b) if directed or a < b else (b, a)
        if place not in edges:
            raise TemplateError(
                f"template {source} gives a type to the edge {a}{'>' if directed else '-'}{b}, "
                f"which it does not have"
            )
        asked[place] = _label(value, source, "type")
    return tuple(asked.get(edge) for edge in edges)


def is_connected(edges: Iterable[Edge], num_nodes: int) -> bool:
    """Whether all nodes hang together when directions are ignored."""
    return len(_reached(edges)) == num_nodes


def _reached(edges: Iterable[Edge]) -> set[int]:
    reached = {0}
    edges = list(edges)
    for _ in range(len(edges)):
        grown = {x for e in edges if e[0] in reached or e[1] in reached for x in e}
        if grown <= reached:
            break
        reached |= grown
    return reached


def _check_nodes(nodes: set[int], source: str) -> None:
    if not nodes:
        raise TemplateError(
            f"template {source} has no edge: a template has 2 to {MAX_NODES} nodes, "
            f"the smallest is '0-1'"
        )
    if len(nodes) > MAX_NODES:
        raise TemplateError(
            f"template {source} has {len(nodes)} nodes: at most {MAX_NODES} are supported"
        )
    missing = min(set(range(len(nodes) + 1)) - nodes)
    if missing == 0:
        raise TemplateError(
            f"template {source} has no anchor: node 0 is the anchor (the ego) and must have an edge"
        )
    if missing < len(nodes):
        raise TemplateError(
            f"template {source} skips node {missing}: number the nodes 0 to {len(nodes) - 1} "
            f"without gaps"
        )


def _pair(edge: Sequence[int], source: str) -> Edge:
    try:
        a, b = (operator.index(node) for node in edge)
    except (TypeError, ValueError):
        raise TemplateError(
            f"template {source} has {edge!r} where an edge is expected: give pairs of node "
            f"numbers such as (0, 1)"
        ) from None
    if a < 0 or b < 0:
        raise TemplateError(
            f"template {source} has a negative node in the edge ({a}, {b}): number the nodes "
            f"from 0, the anchor"
        )
    return a, b


def _label(value: object, source: str, what: str = "label") -> Label | None:
    if value is None or type(value) is str:
        return value
    if isinstance(value, str):
        return str(value)  # numpy's own string type
    try:
        if isinstance(value, bool) or not isinstance(value, SupportsIndex):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise TemplateError(
            f"template {source} asks for the {what} {value!r}: a {what} is text or a whole number"
        ) from None


def _joined(nodes: Sequence[int]) -> str:
    return ", ".join(map(str, nodes))
