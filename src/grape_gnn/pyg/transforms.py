"""Transforms that match templates once, before training, and leave plain tensors behind."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from grape_gnn.arguments import one_of
from grape_gnn.errors import GrapeWarning, ModelError
from grape_gnn.graphs import GraphSet
from grape_gnn.nn.presets import find_preset
from grape_gnn.pyg.ego_roles import write_roles
from grape_gnn.roles import RoleMatches, match
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.warn import warn

__all__ = ["AddEgoRoles", "AddRoleCounts", "match_data"]

PLACES = ("node", "edge", "graph")


def match_data(
    data: Any, templates: tuple[Template, ...], weighting: str, engine: str
) -> RoleMatches:
    """Match templates on the edges and types of ``Data``, whatever ``y`` it has.

    The types of nodes are ``z``, or ``x`` if it is one column of whole numbers; those of edges are
    ``edge_type``, or ``edge_attr`` if it is one column of whole numbers or one-hot. A molecule
    without an atom or a bond that a template asks for has no instance of it.
    """
    bare = Data(edge_index=data.edge_index, num_nodes=data.num_nodes)
    if any(template.has_labels for template in templates):
        x = getattr(data, "x", None)
        bare.x = x if x is not None and not x.is_floating_point() else None
        bare.z = getattr(data, "z", None)
    typed = any(template.has_edge_types for template in templates)
    for key in ("edge_type", "edge_attr"):
        given = getattr(data, key, None)
        if given is not None and typed:
            bare[key] = given
        elif given is not None:
            warn(
                f"{key} is not used, because no template asks for types of edges: use templates "
                f"such as '0-1=2', or grape.by_edge_type(templates, types); of numbers on edges "
                f"GrapeGraphClassifier and GrapeGraphRegressor learn"
            )
    graphs = GraphSet.of([bare])
    if graphs.edge_features is not None:
        warn(
            "edge_attr has numbers, which no template can ask for: they are left out here; "
            "GrapeGraphClassifier and GrapeGraphRegressor learn from them"
        )
    graph = graphs.union
    with warnings.catch_warnings():
        missing = ".*which no (node|edge) of the graph has"
        warnings.filterwarnings("ignore", missing, GrapeWarning)
        return match(graph, templates, weighting=weighting, engine=engine)


class AddEgoRoles(BaseTransform):
    """Match templates on ``Data`` and attach who plays which role, as plain tensors.

    They stack in PyG's ``DataLoader``, are kept by an ``InMemoryDataset`` and travel to workers
    like ``edge_index`` does; `EgoRoles` makes of them what a layer takes. Matching is non-induced:
    further edges between matched nodes do not matter.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set such as ``"molecule"``. Those that ask for
        types of nodes need ``z``, or ``x`` as one column of whole numbers; those that ask for
        types of edges ``edge_type``, or ``edge_attr`` as one column of whole numbers or one-hot.
        `grape_gnn.by_edge_type` makes templates that tell all types of edges apart.
    preset
        The preset of the convolutions that will use the roles; it decides between counts and
        sets.
    engine
        Matching engine, as for `grape_gnn.match`.

    Examples
    --------
    >>> from torch_geometric.data import Data
    >>> edges = torch.tensor([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]])
    >>> triangle = Data(edge_index=edges, num_nodes=3)
    >>> AddEgoRoles("edge,triangle")
    AddEgoRoles(templates=['0-1', '0-1 0-2 1-2'], preset='default', engine='auto')
    >>> AddEgoRoles("triangle")(triangle).ego_role_index.tolist()
    [[0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1]]
    """

    def __init__(
        self,
        templates: str | Template | Iterable[str | Template] = "social",
        preset: str = "default",
        engine: str = "auto",
    ) -> None:
        self.templates = tuple(find_templates(templates))
        self.preset = find_preset(preset).name
        self.engine = engine

    def forward(self, data: Any) -> Any:
        """Return the data with the tensors set; PyG calls this on a shallow copy."""
        preset = find_preset(self.preset)
        found = match_data(data, self.templates, preset.weighting, self.engine)
        write_roles(data, found, preset)
        return data

    def __repr__(self) -> str:
        # PyG keys its caches by this text, so it must tell everything apart.
        texts = [template.text for template in self.templates]
        return f"AddEgoRoles(templates={texts}, preset={self.preset!r}, engine={self.engine!r})"


class AddRoleCounts(BaseTransform):
    """Attach the numbers of role members as encodings for any network.

    All are logarithms of one plus a count:

    ======================  ==============  =====================================================
    ``role_counts``         (nodes, roles)  how many members every role has around the node
    ``edge_role_counts``    (edges, near)   how often the edge's source plays every role next to
                                            the ego around its target
    ``graph_role_counts``   (1, roles)      the members around all nodes of the graph
    ======================  ==============  =====================================================

    Parameters
    ----------
    templates, engine
        As for `AddEgoRoles`.
    places
        Which of ``"node"``, ``"edge"`` and ``"graph"``.

    Examples
    --------
    >>> from torch_geometric.data import Data
    >>> edges = torch.tensor([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]])
    >>> data = AddRoleCounts("edge,triangle")(Data(edge_index=edges, num_nodes=3))
    >>> data.role_counts.expm1().round().tolist()
    [[2.0, 2.0], [2.0, 2.0], [2.0, 2.0]]
    >>> data.edge_role_counts.shape, data.graph_role_counts.expm1().round().tolist()
    (torch.Size([6, 2]), [[6.0, 6.0]])
    """

    def __init__(
        self,
        templates: str | Template | Iterable[str | Template] = "molecule",
        places: Iterable[str] = PLACES,
        engine: str = "auto",
    ) -> None:
        self.templates = tuple(find_templates(templates))
        self.places = (places,) if isinstance(places, str) else tuple(places)
        for place in self.places:
            one_of("places", place, PLACES, error=ModelError)
        self.engine = engine

    def forward(self, data: Any) -> Any:
        """Return the data with the encodings set."""
        found = match_data(data, self.templates, "count", self.engine)
        roles = [role for each in found for role in each[1:]]
        sums = np.stack([np.asarray(role.row_sums(), np.float64) for role in roles], axis=1)
        if "node" in self.places:
            data.role_counts = _logs(sums)
        if "edge" in self.places:
            source, target = data.edge_index.cpu().numpy()
            near = [role.to_scipy() for role in roles if role.is_near]
            data.edge_role_counts = _logs(
                np.stack([_entries(m, target, source) for m in near], axis=1)
            )
        if "graph" in self.places:
            data.graph_role_counts = _logs(sums.sum(axis=0, keepdims=True))
        return data

    def __repr__(self) -> str:
        texts = [template.text for template in self.templates]
        return f"AddRoleCounts(templates={texts}, places={self.places}, engine={self.engine!r})"


def _entries(matrix: Any, rows: Any, columns: Any) -> Any:
    """Return entries of a sparse matrix with sorted rows, zero where there is none."""
    n = matrix.shape[0]
    keys = np.repeat(np.arange(n), np.diff(matrix.indptr)) * n + matrix.indices
    wanted = rows * n + columns
    place = np.searchsorted(keys, wanted)
    there = np.append(keys, -1)[place] == wanted
    return np.where(there, np.append(matrix.data, 0)[place], 0)


def _logs(counts: Any) -> torch.Tensor:
    return torch.from_numpy(np.log1p(counts.astype(np.float64)).astype(np.float32))
