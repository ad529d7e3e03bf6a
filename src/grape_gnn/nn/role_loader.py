"""`RoleLoader`: mini-batches of egos and the roles a network needs for them, as PyG has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from grape_gnn.arguments import flag, whole_number
from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph, as_graph
from grape_gnn.graph.feature_matrix import made_dense
from grape_gnn.nn.presets import find_preset
from grape_gnn.nn.role_rows import RoleRows, RowSource
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.roles import RoleMatches, match
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["RoleBatch", "RoleLoader"]


@dataclass(frozen=True, eq=False)
class RoleBatch:
    """A mini-batch; the names are PyG's.

    Parameters
    ----------
    x, y
        Features of all nodes of the batch, and labels of all; None: the graph has none.
    n_id
        Number in the graph of every node of the batch, the egos first.
    batch_size
        Number of egos.
    roles
        The roles for every layer, the first layer first. Layer ``k`` maps ``roles[k].num_nodes``
        rows to ``roles[k].num_egos``; the last has the egos of the batch.
    sampled
        Members per role and ego if they were sampled; None: all are there.
    """

    x: torch.Tensor | None
    y: torch.Tensor | None
    n_id: torch.Tensor
    batch_size: int
    roles: tuple[RoleRows, ...]
    sampled: int | None = None

    def to(self, device: Any) -> RoleBatch:
        """Return the batch with its tensors on a device; the roles follow the features."""
        x, y = (None if t is None else t.to(device) for t in (self.x, self.y))
        return replace(self, x=x, y=y, n_id=self.n_id.to(device))

    def __repr__(self) -> str:
        flag = "" if self.sampled is None else f", sampled={self.sampled}"
        return f"RoleBatch(batch_size={self.batch_size}, nodes={len(self.n_id)}{flag})"


class RoleLoader:
    """Iterate over the nodes of a graph in mini-batches, with exactly the roles they need.

    Without sampling the scores and gradients of a batch are those of the whole graph. A batch then
    needs everybody within ``layers`` times the reach of the templates, which in a graph with hubs
    is soon everybody; with `sample` it needs a few members per role and ego, drawn so that sums
    and means are right on average.

    Parameters
    ----------
    graph
        A `Graph`, or what becomes one, such as PyG ``Data``.
    templates
        Templates, their names, the name of a set; or what `match` returned, or `RoleValues`.
    batch_size
        Egos of a batch; the last one may have fewer.
    layers
        Number of layers of the network.
    sample
        Members per role and ego, at most; None: all.
    shuffle
        Put the egos into a new order in every pass.
    seed
        Seed of the order and of the sample: two loaders with the same seed give the same.
    nodes
        The egos to go through, a mask or numbers; None: all nodes.
    preset
        The preset of the network, which decides between counts and sets.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> from grape_gnn.nn import GRAPE, RoleLoader
    >>> g = grape.Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 3, 4, 5], x=np.ones((6, 3)))
    >>> model = GRAPE(grape.templates("edge,triangle"), 3, 2, layers=1)
    >>> for batch in RoleLoader(g, "edge,triangle", batch_size=4, layers=1):
    ...     print(batch, tuple(model.eval()(batch.x, batch.roles).shape))
    RoleBatch(batch_size=4, nodes=5) (4, 2)
    RoleBatch(batch_size=2, nodes=3) (2, 2)
    """

    def __init__(
        self,
        graph: Any,
        templates: str | Template | Iterable[str | Template] | RoleMatches | RoleValues = "social",
        *,
        batch_size: int = 1024,
        layers: int = 2,
        sample: int | None = None,
        shuffle: bool = False,
        seed: int = 0,
        nodes: Any = None,
        preset: str = "default",
    ) -> None:
        self.graph: Graph = as_graph(graph)
        self.batch_size = whole_number("batch_size", batch_size, 1, error=ModelError)
        self.layers = whole_number("layers", layers, 1, error=ModelError)
        self.shuffle = flag("shuffle", shuffle, error=ModelError)
        self.seed = whole_number("seed", seed, error=ModelError)
        self.source = RowSource(_role_values(self.graph, templates, preset), sample)
        self.nodes = _egos(nodes, self.graph.num_nodes)
        self._passes = 0

    def __len__(self) -> int:
        return -(-len(self.nodes) // self.batch_size)

    def __iter__(self) -> Iterator[RoleBatch]:
        random = np.random.default_rng([self.seed, self._passes])
        self._passes += 1
        nodes = random.permutation(self.nodes) if self.shuffle else self.nodes
        for first in range(0, len(nodes), self.batch_size):
            yield self.batch(nodes[first : first + self.batch_size], random)

    def batch(self, egos: Any, random: np.random.Generator | None = None) -> RoleBatch:
        """Return the batch of some egos."""
        chosen = _egos(egos, self.graph.num_nodes)
        nodes, roles = self.source.batch(chosen, self.layers, random)
        graph = self.graph
        rows = None if graph.x is None else made_dense(graph.x[nodes], "a batch")
        x, y = (
            None if of is None else torch.from_numpy(of)
            for of in (rows, None if graph.y is None else graph.y[nodes])
        )
        return RoleBatch(x, y, torch.from_numpy(nodes), len(chosen), roles, self.source.sample)


def _role_values(graph: Graph, templates: Any, preset: str) -> RoleValues:
    if isinstance(templates, RoleValues):
        return templates
    chosen = find_preset(preset)
    if not isinstance(templates, RoleMatches):
        templates = match(graph, tuple(find_templates(templates)), weighting=chosen.weighting)
    return RoleValues(templates, values=chosen.values)


def _egos(nodes: Any, count: int) -> Any:
    if nodes is None:
        return np.arange(count)
    given = np.asarray(nodes)
    found = np.flatnonzero(given) if given.dtype == bool else given.astype(np.int64)
    fits = len(given) == count if given.dtype == bool else ((found >= 0) & (found < count)).all()
    if given.ndim != 1 or not fits or len(np.unique(found)) != len(found):
        raise ModelError(
            f"nodes must be a mask of the {count} nodes of the graph, or different numbers of nodes"
        )
    return found
