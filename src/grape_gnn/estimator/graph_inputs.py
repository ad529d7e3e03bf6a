"""What a model for graphs is given, and how it is made of other sets than the training's.

Types of nodes and edges are known by their names: the columns of the one-hot types, and the forms
of the roles, are those of the training's types, in whatever order another set numbers its own.
Features of edges are standardised by the mean and deviation of the training graphs' edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from grape_gnn.errors import DirectionMismatchError, ModelError
from grape_gnn.graph.attributes import Label
from grape_gnn.graphs import GraphSet
from grape_gnn.nn.edge_forms import arcs_of
from grape_gnn.nn.presets import Preset
from grape_gnn.nn.written_roles import WrittenRoles
from grape_gnn.roles import match
from grape_gnn.roles.set_result import SetMatches
from grape_gnn.template import Template
from grape_gnn.warn import warn

__all__ = ["GraphInputs"]


@dataclass(frozen=True)
class GraphInputs:
    """Kind of graphs a model was trained on.

    Parameters
    ----------
    directed
        Whether edges are arcs.
    features
        Number of features of a node.
    node_types, edge_types
        The types of the training, by their names.
    edge_features
        The attributes with the features of edges.
    edge_centres, edge_spreads
        Mean and standard deviation of every feature of edges, over the training graphs.

    Examples
    --------
    >>> import networkx as nx
    >>> GraphInputs.of(GraphSet.of([nx.path_graph(3)])).width
    1
    """

    directed: bool
    num_features: int
    node_types: tuple[Label, ...]
    edge_types: tuple[Label, ...]
    edge_features: tuple[str, ...] = ()
    edge_centres: tuple[float, ...] = ()
    edge_spreads: tuple[float, ...] = ()

    @classmethod
    def of(cls, graphs: GraphSet, learnt: NDArray[Any] | None = None) -> GraphInputs:
        """Take down what a set for training is like.

        Parameters
        ----------
        graphs
            The set.
        learnt
            Which of them are the training graphs; None: all.
        """
        x, kinds = graphs.union.x, graphs.edge_type_names or ()
        width = 0 if x is None else x.shape[1]
        known = cls(graphs.directed, width, graphs.node_types, kinds)
        if graphs.edge_features is None:
            return known
        seen = (graphs if learnt is None else graphs[learnt]).edge_features
        values = np.asarray(seen.values if seen is not None else 0, np.float64)
        centres = values.mean(axis=0) if len(values) else np.zeros(graphs.edge_features.width)
        spreads = values.std(axis=0) if len(values) else np.ones_like(centres)
        spreads[spreads <= 1e-6 * np.abs(centres)] = 1  # one number, but for rounding
        return replace(
            known, edge_features=graphs.edge_features.names, edge_centres=tuple(centres.tolist()),
            edge_spreads=tuple(spreads.tolist()),
        )  # fmt: skip

    @property
    def width(self) -> int:
        """Number of columns that the network is given: a constant one if there is nothing else."""
        return max(1, self.num_features + len(self.node_types))

    def num_roles(self, templates: Sequence[Template], both: bool) -> int:
        """Return the number of roles in all their forms."""
        listed = [(template, r) for template in templates for r in range(1, len(template.roles))]
        arcs = sum(len(arcs_of(template, role)) for template, role in listed)
        on_edges = len(self.edge_types) + len(self.edge_centres)
        return len(listed) * (2 if both else 1) + arcs * on_edges

    def features(self, graphs: GraphSet) -> torch.Tensor:
        """Return features and one-hot types side by side; ones if there are neither."""
        self._check(graphs)
        whole = graphs.union
        parts: list[Any] = [] if whole.x is None else [whole.x]
        if self.node_types:
            codes = np.full(graphs.num_nodes, -1)
            if whole.types is None:
                _warn_of_no_types(graphs.num_nodes, self.node_types, "nodes")
            else:
                codes = _translated(whole.types, graphs.node_types, self.node_types, "nodes")
            parts.append(np.eye(len(self.node_types) + 1, dtype=np.float32)[codes][:, :-1])
        if not parts:
            return torch.ones(graphs.num_nodes, 1)
        return torch.from_numpy(np.hstack(parts))

    def roles(
        self,
        graphs: GraphSet,
        templates: Sequence[Template],
        preset: Preset,
        engine: str,
        both: bool,
        found: SetMatches | None = None,
    ) -> WrittenRoles:
        """Return the roles in all their forms; matched now unless found before."""
        if both and preset.weighting != "count":
            raise ModelError(f"the preset {preset.name!r} has sets alone: leave out both=True")
        matches = found or match(graphs, templates, weighting=preset.weighting, engine=engine)
        kinds = None
        if self.edge_types:
            given = graphs.edge_types
            if given is None:
                _warn_of_no_types(graphs.num_edges, self.edge_types, "edges")
                kinds = np.full(graphs.union.indices.size, -1)
            else:
                known = graphs.edge_type_names or ()
                kinds = _translated(given, known, self.edge_types, "edges")
        numbers = self._standardised(graphs)
        return WrittenRoles.of(matches, preset.values, both, kinds, len(self.edge_types), numbers)

    def _standardised(self, graphs: GraphSet) -> NDArray[np.float64] | None:
        """Return the features of all edges in units of the training's."""
        if not self.edge_features:
            return None
        if graphs.edge_features is None or not graphs.num_edges:
            return np.zeros((0, len(self.edge_centres)))
        centred = graphs.edge_features.values - np.array(self.edge_centres)
        found: NDArray[np.float64] = centred / np.array(self.edge_spreads)
        return found

    def _check(self, graphs: GraphSet) -> None:
        if graphs.directed != self.directed:
            kinds = ("undirected", "directed")
            raise DirectionMismatchError(
                f"the model was trained on {kinds[self.directed]} graphs, these are "
                f"{kinds[graphs.directed]}: convert them, or train on such graphs"
            )
        x = graphs.union.x
        width = 0 if x is None else x.shape[1]
        if width != self.num_features:
            raise ModelError(
                f"the graphs have {width} features per node, the model was trained with "
                f"{self.num_features}: give the same features in the same order"
            )
        self._check_edges(graphs)

    def _check_edges(self, graphs: GraphSet) -> None:
        """Refuse other features of edges than the training's; more than those are left out."""
        given = graphs.edge_features
        if not self.edge_features:
            if given is not None:
                warn(f"the model was trained without features of edges: {given} are left out")
            return
        wanted = (self.edge_features, len(self.edge_centres))
        if graphs.num_edges and (given is None or (given.names, given.width) != wanted):
            listed = ", ".join(map(repr, self.edge_features))
            raise ModelError(
                f"the graphs have features of edges {given or 'none'}, the model was trained with "
                f"{len(self.edge_centres)} ({listed}): give the same in the same order, by "
                f"edge_features= of GraphSet.of or read_graphs"
            )

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> GraphInputs:
        """Read what `to_json` returned, trusting nothing."""
        kinds = {name: tuple(data[name]) for name in ("node_types", "edge_types")}
        for names in kinds.values():
            if not all(isinstance(name, str | int) for name in names) or len(set(names)) < len(
                names
            ):
                raise ValueError(f"the types {names} are not distinct texts or integers")
        directed, features = data["directed"], data["num_features"]
        if type(directed) is not bool or type(features) is not int or features < 0:
            raise ValueError(f"directed is {directed!r}, num_features is {features!r}")
        return cls(directed, features, **kinds, **_edge_units(data))


def _edge_units(data: dict[str, Any]) -> dict[str, Any]:
    """Read names and units of the features of edges, which models of earlier releases lack."""
    names = tuple(data.get("edge_features", ()))
    units = {
        key: tuple(float(value) for value in data.get(key, ()))
        for key in ("edge_centres", "edge_spreads")
    }
    centres, spreads = units.values()
    if not all(isinstance(name, str) for name in names) or bool(names) != bool(centres):
        raise ValueError(f"the features of edges are {names}, their means {centres}")
    if len(centres) != len(spreads) or not all(0 < each < np.inf for each in spreads):
        raise ValueError(f"the features of edges have the deviations {spreads}")
    return {"edge_features": names, **units}


def _warn_of_no_types(count: int, known: Sequence[Label], what: str) -> None:
    if count:
        warn(
            f"the {what} of these graphs have no types, and the model learnt from {len(known)}, "
            f"such as {known[0]!r}: it has seen no graphs like these"
        )


def _translated(
    codes: NDArray[np.int64], names: Sequence[Label], wanted: Sequence[Label], what: str
) -> NDArray[np.int64]:
    """Return codes of the training's types; -1 for others, with a warning."""
    number = {name: k for k, name in enumerate(wanted)}
    unknown = [name for name in names if name not in number]
    if unknown:
        few = ", ".join(map(repr, unknown[:8])) + (", ..." if len(unknown) > 8 else "")
        warn(f"the model has never seen {what} of the types {few}: they are taken for untyped")
    table = np.array([*(number.get(name, -1) for name in names), -1], np.int64)
    found: NDArray[np.int64] = table[codes]
    return found
