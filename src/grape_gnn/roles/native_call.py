"""Between Python and the compiled engines: translated templates, stopped runs, matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn import _native
from grape_gnn.errors import BudgetExceededError, CountOverflowError, DirectionMismatchError
from grape_gnn.graph import Graph
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.template import Template
from grape_gnn.template.text import Label
from grape_gnn.warn import warn

__all__ = ["compiled", "csr_matrices", "raise_stop", "stop_kind"]

_KINDS = (None, "interrupted", "time", "memory", "instances", "overflow")
_REMEDIES = {
    "time": "allow more with time=..., use more threads, or a smaller template",
    "memory": "allow more with memory=..., or use a smaller template",
    "instances": "allow more with instances=..., or use a smaller template",
}


def compiled(graph: Graph, template: Template) -> _native.Template:
    """Translate a template for a graph, or say why the two do not go together."""
    if graph.directed != template.directed:
        kinds = ("undirected", "directed")
        raise DirectionMismatchError(
            f"template {template.text!r} is {kinds[template.directed]} but the graph is "
            f"{kinds[graph.directed]}: write directed templates as '0>1' and undirected ones as "
            f"'0-1', or convert the graph"
        )
    codes = [
        _codes(template, template.labels, graph.matched_types[1], "node"),
        _codes(template, template.edge_types, graph.edge_type_names or (), "edge"),
    ]
    return _native.Template(template.num_nodes, template.directed, template.edges, *codes)


def _codes(
    template: Template, asked: Sequence[Label | None], names: Sequence[Label], what: str
) -> list[int]:
    """Return the graph's codes of what nodes or edges ask for, -1 for nothing."""
    code: dict[Label | None, int] = {name: k for k, name in enumerate(names)}
    code[None] = -1
    for kind in asked:
        if kind in code:
            continue
        known = ", ".join(map(repr, names[:10])) + (", ..." if len(names) > 10 else "")
        warn(
            f"template {template.text!r} asks for the {what} type {kind!r}, which no {what} of the "
            f"graph has, so it has no instance; "
            + (f"its {what} types are {known}" if names else f"its {what}s have no types")
            + ' (7 in a text is the number 7, "7" is text)'
        )
        # Nobody's code, and another one for every such type: the core compares them.
        code[kind] = len(code)
    return [code[kind] for kind in asked]


def stop_kind(stop: int) -> str | None:
    """Name the reason why a compiled run stopped; None if it ran to its end."""
    return _KINDS[stop]


def raise_stop(
    kind: str, template: Template, settings: MatchSettings, done: int, items: str
) -> NoReturn:
    """Raise the error for a run that a budget ended."""
    if kind == "overflow":
        raise CountOverflowError(
            f"a role count of template {template.text!r} does not fit into 64 bits: use a "
            f"smaller template"
        )
    budget = "" if kind != "time" else f" of {settings.time_words}"
    if kind == "memory" and settings.bytes is not None:
        budget = f" of {settings.bytes:,} bytes"
    if kind == "instances":
        budget = f" of {settings.instances:,} instances"
    raise BudgetExceededError(
        kind,
        f"the {kind} budget{budget} is not enough for template {template.text!r}, stopped after "
        f"{done} of {items}: {_REMEDIES[kind]}, or take what there is with on_budget='partial'",
    )


def csr_matrices(
    arrays: Sequence[tuple[NDArray[Any], NDArray[np.int32], NDArray[np.int64]]], num_nodes: int
) -> list[sparse.csr_array[Any, Any]]:
    """Wrap the (values, columns, row starts) of each role without copying them."""
    return [sparse.csr_array(parts, shape=(num_nodes, num_nodes)) for parts in arrays]
