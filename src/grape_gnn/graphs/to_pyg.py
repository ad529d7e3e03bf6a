"""A set of graphs as a list of PyTorch Geometric ``Data``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from grape_gnn.extras import named_extra

if TYPE_CHECKING:
    from grape_gnn.graphs.graph_set import GraphSet

__all__ = ["to_pyg"]


def to_pyg(graphs: GraphSet) -> list[Any]:
    """Return one ``Data`` per graph; see `GraphSet.to_pyg`."""
    with named_extra():
        import torch
        from torch_geometric.data import Data
    whole, ptr = graphs.union, graphs.ptr
    x = node_inputs(graphs)
    heads = np.repeat(np.arange(whole.num_nodes), whole.degrees)
    found = []
    for k in range(len(graphs)):
        a, b = int(ptr[k]), int(ptr[k + 1])
        entries = slice(whole.indptr[a], whole.indptr[b])
        ends = np.stack([heads[entries], whole.indices[entries].astype(np.int64)]) - a
        data = Data(edge_index=torch.from_numpy(ends), num_nodes=b - a)
        if x is not None:
            data.x = torch.from_numpy(x[a:b].copy())
        numbers = graphs.edge_features
        if numbers is not None:
            data.edge_attr = torch.from_numpy(numbers.values[entries].copy())
        if graphs.edge_types is not None:
            kinds = torch.from_numpy(graphs.edge_types[entries].copy())
            data["edge_attr" if numbers is None else "edge_type"] = kinds
        if graphs.y is not None:
            data.y = torch.from_numpy(graphs.y[k : k + 1].copy())
        found.append(data)
    return found


def node_inputs(graphs: GraphSet) -> Any:
    """Return features and one-hot types side by side, float32; None without either."""
    whole = graphs.union
    parts: list[Any] = [] if whole.x is None else [whole.x]
    if graphs.node_types and whole.types is not None:
        parts.append(np.eye(len(graphs.node_types) + 1, dtype=np.float32)[whole.types][:, :-1])
    return np.hstack(parts) if parts else None
