"""Graphs from and to PyTorch Geometric ``Data``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from grape_gnn.errors import GraphError
from grape_gnn.extras import named_extra
from grape_gnn.graph.attributes import as_objects
from grape_gnn.graph.feature_matrix import Features
from grape_gnn.graph.given_splits import MASKS, masks_as_splits
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.typed import encode_types, types_by_entry
from grape_gnn.warn import warn

__all__ = ["as_kinds", "edge_kinds", "from_pyg", "to_pyg"]


def from_pyg(
    data: Any,
    directed: bool | None = None,
    strict: bool = False,
    task: str | None = None,
    types: str | None = None,
    edge_types: str | None = None,
) -> Graph:
    """Build a graph from ``Data``; see :meth:`Graph.from_pyg`."""
    if not hasattr(data, "edge_index") or isinstance(getattr(data, "edge_types", None), list):
        raise GraphError(
            f"expected torch_geometric.data.Data with edge_index, got {type(data).__name__}; "
            "turn HeteroData into Data with .to_homogeneous()"
        )
    if data.edge_index is None:
        raise GraphError("the Data object has no edge_index")
    ends = data.edge_index.detach().cpu().numpy()
    if ends.ndim != 2 or ends.shape[0] != 2:
        raise GraphError(f"edge_index must have shape (2, edges), got {ends.shape}")
    src, dst = given = ends
    n = data.num_nodes
    if directed is None or not directed:
        undirected = _holds_both_arcs(src, dst)
        directed = not undirected if directed is None else directed
        if undirected:
            # One arc of each pair is enough; keeping both would count as repeats.
            src, dst = src[src <= dst], dst[src <= dst]
    y = None if data.y is None else data.y.detach().cpu().numpy()
    if y is not None and (y.ndim not in (1, 2) or y.shape[0] != n):
        raise GraphError(
            f"data.y has shape {y.shape}, expected a label per node, ({n},), or zeros and ones, "
            f"({n}, labels); targets of whole graphs are not node labels"
        )
    masks = [getattr(data, name, None) for name in MASKS]
    graph = Graph.from_edges(
        src,
        dst,
        n,
        directed,
        x=_features(data.x),
        y=y,
        names=getattr(data, "node_names", None),
        strict=strict,
        label_names=getattr(data, "label_names", None),
        splits=() if masks[0] is None else masks_as_splits(masks, n),
        task=task,
        types=_node_kinds(data, types),
    )
    kinds = _named(edge_kinds(data, edge_types, given.shape[1]), data, "edge_type_names")
    if edge_types != "edge_attr" and {"edge_type", "edge_attr"} <= set(data.keys()):
        warn(
            "edge_attr is left out beside edge_type: a graph has types of edges, no numbers on them"
        )
    codes, found = encode_types("edge_types", kinds, given.shape[1], "edge")
    if codes is not None:
        tails, heads = given.astype(np.int64)
        codes = types_by_entry(graph, (tails, heads), codes, directed=graph.directed)
    return replace(graph, edge_types=codes, edge_type_names=found)


def _node_kinds(data: Any, wanted: str | None) -> NDArray[Any] | None:
    found = getattr(data, wanted or "node_type", None)
    if found is None and wanted is not None:
        raise GraphError(f"the Data object has no {wanted!r}, which was to be the node types")
    return None if found is None else _named(found.detach().cpu().numpy(), data, "type_names")


def _named(codes: NDArray[Any] | None, data: Any, key: str) -> NDArray[Any] | None:
    names = getattr(data, key, None)
    return codes if codes is None or names is None else as_objects([*names, None])[codes]


def edge_kinds(data: Any, wanted: str | None, count: int) -> NDArray[np.int64] | None:
    """Return the types of the edges of ``Data``, None without; say so if its edge_attr are none."""
    key = wanted or ("edge_type" if getattr(data, "edge_type", None) is not None else "edge_attr")
    found = getattr(data, key, None)
    if found is None and wanted is not None:
        raise GraphError(f"a Data object has no {wanted!r}, which was to be the edge types")
    if found is None or not count:
        return None
    kinds = as_kinds(found.detach().cpu().numpy().reshape(count, -1))
    if kinds is None:
        warn(
            f"{key} is neither one column of whole numbers nor rows with a single one: these "
            f"features of edges are left out; make classes of them, which templates can ask for "
            f"('0-1=2'); of whole graphs GrapeGraphClassifier and GrapeGraphRegressor learn from "
            f"them as they are"
        )
    return kinds


def as_kinds(values: NDArray[Any]) -> NDArray[np.int64] | None:
    """Return the types that one column of whole numbers means, or one-hot rows; None: neither.

    Examples
    --------
    >>> as_kinds(np.array([[0, 1], [1, 0]])), as_kinds(np.array([[0.5], [1.0]]))
    (array([1, 0]), None)
    """
    if values.shape[1] == 1 and bool(((values == np.round(values)) & (values >= -1)).all()):
        return np.asarray(values[:, 0].astype(np.int64))
    if bool(np.isin(values, (0, 1)).all() and (values.sum(axis=1) == 1).all()):
        return np.asarray(values.argmax(axis=1))
    return None


def to_pyg(graph: Graph) -> Any:
    """Return ``Data``: edge_index, x, y, masks, node_type, edge_type, and what all are called."""
    with named_extra():
        import torch
        from torch_geometric.data import Data
    heads = np.repeat(np.arange(graph.num_nodes), graph.degrees)
    data = Data(
        edge_index=torch.from_numpy(np.stack([heads, graph.indices.astype(np.int64)])),
        num_nodes=graph.num_nodes,
    )
    if graph.columns is not None:
        warn(
            "PyTorch Geometric has no columns of a node table: they are left out; make features of "
            "them by NodeEncoder first"
        )
    # Tensors share no memory with the graph: it must stay unchangeable.
    if graph.x is not None:
        data.x = _tensor(graph.x)
    if graph.y is not None:
        data.y = torch.from_numpy(graph.y.copy())
        if graph.label_names is not None:
            data.label_names = list(graph.label_names)
    for name, part in zip(MASKS, ("train", "validation", "test"), strict=True):
        masks = [torch.from_numpy(getattr(split, part).copy()) for split in graph.splits]
        if masks:
            data[name] = masks[0] if len(masks) == 1 else torch.stack(masks, dim=1)
    if graph.names is not None:
        data.node_names = [graph.name_of(i) for i in range(graph.num_nodes)]
    if graph.types is not None:
        data.node_type = torch.from_numpy(graph.types.copy())
        data.type_names = list(graph.type_names or ())
    if graph.edge_types is not None:
        data.edge_type = torch.from_numpy(graph.edge_types.copy())
        data.edge_type_names = list(graph.edge_type_names or ())
    return data


def _features(x: Any) -> Any:
    """Return features as NumPy or, if they are a sparse tensor, SciPy has them."""
    if x is None:
        return None
    x = x.detach().cpu()
    if str(x.layout) == "torch.strided":
        return x.numpy()
    entries = x.to_sparse_coo().coalesce()
    return coo_array((entries.values().numpy(), tuple(entries.indices().numpy())), tuple(x.shape))


def _tensor(x: Features) -> Any:
    import torch  # there, or there were no Data

    if isinstance(x, np.ndarray):
        return torch.from_numpy(x.copy())
    rows, columns = (torch.from_numpy(part.astype(np.int64)) for part in x.tocoo().coords)
    places, values = torch.stack([rows, columns]), torch.from_numpy(x.data.copy())
    # Not CSR, which PyTorch calls beta, with a warning.
    return torch.sparse_coo_tensor(
        places, values, tuple(x.shape), check_invariants=True, is_coalesced=True
    )


def _holds_both_arcs(src: Any, dst: Any) -> bool:
    forward, backward = np.lexsort((dst, src)), np.lexsort((src, dst))
    return np.array_equal(src[forward], dst[backward]) and np.array_equal(
        dst[forward], src[backward]
    )
