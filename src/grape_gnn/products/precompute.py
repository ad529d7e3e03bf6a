"""Compute role products within a memory budget, into memory or into a folder.

Columns of the features are independent of each other (`grape_gnn.products.means`): as many as fit
are multiplied by all roles at once, which share their passes over the edges, and are written before
the next come.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from grape_gnn.arguments import parse_bytes, whole_number
from grape_gnn.errors import BudgetExceededError, MatchError
from grape_gnn.graph import Graph, GraphLike, as_graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.graph.feature_matrix import Features, made_dense
from grape_gnn.products.folder import ProductFolder
from grape_gnn.products.means import Columns, RoleMeans
from grape_gnn.products.products import HOPS, Part, Products, parts_of
from grape_gnn.progress import report
from grape_gnn.roles import match
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["columns_at_once", "computed_parts", "features_of", "precompute", "product_config"]

_MATCHING = 1 << 26  # bytes that matching may always take


def precompute(
    graph: GraphLike,
    templates: str | Template | Iterable[str | Template] = "social",
    out: str | os.PathLike[str] | None = None,
    *,
    hops: int = 2,
    x: NDArray[Any] | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    engine: str = "auto",
) -> Products:
    """Multiply the roles of templates by the features of a graph, once and for all.

    Matching is **non-induced** and counts every instance. What the products are is in
    `grape_gnn.products.means`; the preset ``decoupled`` learns from them.

    Parameters
    ----------
    graph
        As for `grape_gnn.match`; a graph on disk stays there.
    templates
        Templates, their names, or the name of a set such as ``"social"``.
    out
        Folder for the products. If it is there and of the same graph, features and templates, only
        what is missing is computed. None: they are kept in memory.
    hops
        1 or 2.
    x
        Features, one row per node; None: those of the graph, or a constant if it has none.
    memory
        Bytes to use besides the graph, such as ``"4GB"``; None: all columns at once.
    threads, engine
        As for `grape_gnn.match`.

    Returns
    -------
    Products
        Mapped from the folder, or in memory.

    Examples
    --------
    >>> import tempfile
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], x=np.eye(4))
    >>> precompute(g, "social", tempfile.mkdtemp(), memory="1MB")
    Products(4 nodes, 7 roles, 4 columns, 2 hops)
    """
    data = as_graph(graph)
    whole_number("hops", hops, 1, HOPS)
    wanted = find_templates(templates)
    features = features_of(data, x)
    budget = None if memory is None else parse_bytes(memory)
    roles = sum(len(template.roles) - 1 for template in wanted)
    config = product_config(data, features, wanted, hops, width=1)
    if out is not None and (done := ProductFolder.complete(out, config)) is not None:
        return done  # there is nothing to compute that needs room
    config["width"] = width = columns_at_once(data.num_nodes, features.shape[1], roles, budget)
    if out is None:
        means = RoleMeans(match(data, wanted, threads=threads, engine=engine))
        logs = [means.logs, *means.second([means.logs])][:hops]
        parts = {
            part: np.stack(arrays, axis=1)
            for part, arrays in computed_parts(
                means, features, parts_of(features.shape[1], width, hops)
            )
        }
        return Products(wanted, features.shape[1], hops, logs, parts, config["features"])
    with ProductFolder.prepared(out, config) as folder:
        if folder.missing:
            _fill(folder, data, features, budget, threads, engine)
        return folder.products()


def product_config(
    graph: Graph,
    features: Features,
    templates: Sequence[Template],
    hops: int,
    width: int,
) -> dict[str, Any]:
    """Return what tells these products from all others, and `width`, the columns of a part."""
    return {
        "graph": checksum(graph),
        "features": checksum(graph, features),
        "templates": [template.to_json() for template in templates],
        "nodes": graph.num_nodes,
        "columns": features.shape[1],
        "hops": hops,
        "width": width,
    }


def features_of(graph: Graph, x: Any) -> Features:
    """Return what is multiplied; mapped features stay so, and sparse ones."""
    if x is None and graph.x is None and graph.columns is not None:
        raise MatchError(
            "the columns of a node table become features by the training nodes: give x, or let "
            "`grape train --preset decoupled` compute the products",
        )
    if x is None:
        x = np.ones((graph.num_nodes, 1), np.float32) if graph.x is None else graph.x
    given: Any = x
    sparse: bool = issparse(given)
    given = csr_array(given).astype(np.float32) if sparse else np.asarray(given, np.float32)
    found: Features = given
    if found.ndim != 2 or found.shape[0] != graph.num_nodes:
        raise MatchError(
            f"x has shape {found.shape}, and the graph has {graph.num_nodes} nodes: give one row "
            f"per node",
        )
    return found


def columns_at_once(nodes: int, columns: int, roles: int, budget: int | None) -> int:
    """Return how many columns are multiplied at once.

    Besides the products of both hops, in single precision, the algebra holds a few matrices of the
    same size in double precision; so much was measured on graphs of a million nodes.
    """
    per_column = nodes * (4 * (2 * roles + 2) + 8 * 6)
    fixed = nodes * roles * 24  # sums and weights
    if budget is None:
        return max(1, columns)
    fits = (budget - fixed) // max(1, per_column)
    if fits < 1:
        raise BudgetExceededError(
            "memory",
            f"one column of products of {roles} roles and {nodes:,} nodes takes "
            f"{fixed + per_column:,} bytes, the budget is {budget:,}: allow more with memory=..., "
            f"or use fewer templates",
        )
    return int(max(1, min(columns, fits)))


def _fill(
    folder: ProductFolder,
    graph: Graph,
    features: Features,
    budget: int | None,
    threads: int | None,
    engine: str,
) -> None:
    least = None if budget is None else max(budget, _MATCHING)
    matches = match(graph, folder.templates, memory=least, threads=threads, engine=engine)
    means = RoleMeans(matches)
    for hop in range(1, folder.config["hops"] + 1):
        if not folder.has(f"logs{hop}"):
            (logs,) = [means.logs] if hop == 1 else means.second([means.logs])
            folder.write(f"logs{hop}", [logs])
    todo = [part for part in folder.parts if not folder.has(part.name)]
    for part, arrays in computed_parts(means, features, todo):
        folder.write(part.name, arrays)


def computed_parts(
    means: RoleMeans, features: Features, parts: list[Part]
) -> Iterator[tuple[Part, list[Columns]]]:
    """Yield parts in order; the first hop of some columns serves the second of the same."""
    known: tuple[int, list[Columns]] | None = None
    for done, part in enumerate(parts):
        report("multiplying", done, len(parts))
        if known is None or known[0] != part.first:
            known = None  # before the next needs room
            block = np.ascontiguousarray(
                made_dense(features[:, part.first : part.last], "a product")
            )
            known = part.first, means.of(block)
        if part.hop == 1:
            yield part, known[1]
        else:
            yield part, means.second(known[1])
    report("multiplying", len(parts), len(parts))
