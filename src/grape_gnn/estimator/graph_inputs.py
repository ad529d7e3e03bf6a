"""What a model for graphs is given, and how it is made of other sets than the training's.

Types of nodes and edges are known by their names: the columns of the one-hot types, and the forms
of the roles, are those of the training's types, in whatever order another set numbers its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from grape_gnn.errors import DirectionMismatchError, ModelError
from grape_gnn.graph.attributes import Label
from grape_gnn.graphs import GraphSet
from grape_gnn.nn.presets import Preset
from grape_gnn.nn.written_roles import WrittenRoles, arcs_of
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

    @classmethod
    def of(cls, graphs: GraphSet) -> GraphInputs:
        """Take down what a set for training is like."""
        x, kinds = graphs.union.x, graphs.edge_type_names or ()
        return cls(graphs.directed, 0 if x is None else x.shape[1], graphs.node_types, kinds)

    @property
    def width(self) -> int:
        """Number of columns that the network is given: a constant one if there is nothing else."""
        return max(1, self.num_features + len(self.node_types))

    def num_roles(self, templates: Sequence[Template], both: bool) -> int:
        """Return the number of roles in all their forms."""
        listed = [(template, r) for template in templates for r in range(1, len(template.roles))]
        arcs = sum(len(arcs_of(template, role)) for template, role in listed)
        return len(listed) * (2 if both else 1) + arcs * len(self.edge_types)

    def features(self, graphs: GraphSet) -> torch.Tensor:
        """Return features and one-hot types side by side; ones if there are neither."""
        self._check(graphs)
        whole = graphs.union
        parts: list[Any] = [] if whole.x is None else [whole.x]
        if self.node_types:
            codes = np.full(graphs.num_nodes, -1)
            if whole.types is not None:
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
            kinds = np.full(graphs.union.indices.size, -1) if given is None else _translated(
                given, graphs.edge_type_names or (), self.edge_types, "edges"
            )  # fmt: skip
        return WrittenRoles.of(matches, preset.values, both, kinds, len(self.edge_types))

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
        return cls(directed, features, **kinds)


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
