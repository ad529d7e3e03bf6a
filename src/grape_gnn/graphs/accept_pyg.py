"""``Data`` of PyTorch Geometric as a piece of a set.

PyG has one place, ``edge_attr``, for the types of edges and for numbers on them. What it holds is
told from all graphs together: a single graph whose numbers happen to be whole tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph.convert_pyg import as_kinds, edge_kinds
from grape_gnn.graphs.edge_features import EdgeFeatures
from grape_gnn.graphs.pieces import Piece

__all__ = ["of_data", "target_of_data", "told_apart"]

ATTR = "edge_attr"


def of_data(
    data: Any, types: str | None, edge_types: str | None, edge_features: Sequence[str] | None
) -> tuple[Piece, bool | None]:
    """Return the piece, and whether it is directed, None without edges.

    An ``edge_attr`` that may be either is there as types and as features, until `told_apart`.
    """
    if data.edge_index is None:
        raise GraphError("a Data object has no edge_index")
    ends = data.edge_index.detach().cpu().numpy().astype(np.int64)
    n = int(data.num_nodes)
    src, dst = ends
    kinds, x = _node_types(data, types, n)
    ties, numbers = _of_edges(data, edge_types, edge_features, src.size)
    one_way = ~np.isin(dst * n + src, src * n + dst)
    directed = None if not src.size else bool(one_way.any())
    return Piece(src, dst, n, kinds, x, ties, edge_features=numbers), directed


def told_apart(pieces: Sequence[Piece]) -> list[Piece]:
    """Keep an ``edge_attr`` as types if it can be that in all graphs, else as features."""
    known = [piece for piece in pieces if piece.edge_features is not None]
    if all(piece.edge_types is not None for piece in known):
        return [replace(piece, edge_features=None) for piece in pieces]
    return [replace(piece, edge_types=None) for piece in pieces]


def _of_edges(
    data: Any, edge_types: str | None, edge_features: Sequence[str] | None, count: int
) -> tuple[NDArray[np.int64] | None, EdgeFeatures | None]:
    """Return types and features of the edges; of an ``edge_attr`` that may be either, both."""
    if not count:
        return None, None
    there = [name for name in ("edge_type", ATTR) if getattr(data, name, None) is not None]
    wanted: Sequence[str] = (ATTR,) if ATTR in there and edge_types != ATTR else ()
    wanted = wanted if edge_features is None else edge_features
    key = edge_types or next((name for name in there if name not in wanted), None)
    ties = None if key is None else edge_kinds(data, key, count)
    if not wanted:
        return ties, None
    if key is None and edge_features is None:
        ties = as_kinds(data.edge_attr.detach().cpu().numpy().reshape(count, -1))
    return ties, _numbers(data, wanted, count)


def _numbers(data: Any, names: Sequence[str], count: int) -> EdgeFeatures:
    missing = [name for name in names if getattr(data, name, None) is None]
    if missing:
        raise GraphError(f"a Data object has no {missing[0]!r}, which was to be a feature of edges")
    columns = [getattr(data, name).detach().cpu().numpy() for name in names]
    return EdgeFeatures.of(names, columns, count)


def target_of_data(data: Any, n: int) -> Any:
    """Return the target of one graph: a number, or zeros and ones of shape (1, labels)."""
    y = getattr(data, "y", None)
    if y is None or y.numel() == 0:
        return None
    if y.numel() == 1:
        return y.item()
    if y.ndim > 0 and y.shape[0] == n:
        raise GraphError(
            "data.y has a value for every node: a set of graphs learns one value per graph; "
            "pass y= with them"
        )
    flat = y.detach().cpu().numpy().reshape(-1)
    if not np.isin(flat, (0, 1)).all():
        raise GraphError(
            f"data.y has {flat.size} numbers, and one is learnt at a time: choose it by y=, such "
            f"as [data.y[0, 0].item() for data in graphs]"
        )
    return flat.tolist()


def _node_types(data: Any, wanted: str | None, n: int) -> tuple[Any, NDArray[Any] | None]:
    x = getattr(data, "x", None)
    values = None if x is None else x.detach().cpu().to_dense().numpy()
    if wanted is not None:
        given = getattr(data, wanted, None)
        if given is None:
            raise GraphError(f"a Data object has no {wanted!r}, which was to be the node types")
        kinds = np.asarray(given.detach().cpu().numpy()).reshape(n)
        return kinds, None if wanted == "x" else values
    z = getattr(data, "z", None)
    if z is not None:
        return z.detach().cpu().numpy().reshape(n), values
    if values is not None and values.dtype.kind in "iu" and values.reshape(n, -1).shape[1] == 1:
        return values.reshape(n), None
    return None, None if values is None else values.reshape(n, -1)
