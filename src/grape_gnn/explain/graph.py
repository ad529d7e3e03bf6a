"""Why a model for graphs answers as it does: which role of which template, around which node.

What a role does for an answer is measured by leaving it out: the members of the role are taken
away, from its messages and its totals, and the answer is computed again. Nothing is estimated. The
effect of a role is how much the answer loses: the log odds of the predicted class, or the number
itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grape_gnn.drawing import ego_figure
from grape_gnn.extras import named_extra
from grape_gnn.graph import Graph
from grape_gnn.graphs import GraphSet
from grape_gnn.template import Template
from grape_gnn.training.batches import scores_of
from grape_gnn.training.graph_batches import GraphBatches
from grape_gnn.training.metrics import score

with named_extra():
    import torch

if TYPE_CHECKING:
    from grape_gnn.estimator.graph_base import GraphEstimator

__all__ = ["GraphExplanation", "RoleEffect", "explain_graph", "role_worth"]


class RoleEffect(NamedTuple):
    """What an answer, or a score, loses without a role of a template."""

    template: Template
    role: int
    effect: float

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        name = self.template.name or self.template.text
        return {"template": name, "role": self.role, "effect": self.effect}


@dataclass(frozen=True, eq=False)
class GraphExplanation:
    """The answer for a graph, and what it rests on.

    Parameters
    ----------
    graph
        The graph, its nodes named by their types and numbers.
    answer
        The predicted class or number.
    value
        What the effects are parts of: the log odds of the predicted class, or the number.
    roles
        The effect of every role, the strongest first.
    nodes
        What the answer loses if the strongest role has no members around a node, for every node.
    """

    graph: Graph
    answer: Any
    value: float
    roles: tuple[RoleEffect, ...]
    nodes: NDArray[np.float64]

    @property
    def node(self) -> str | int:
        """The node around which the strongest role does most."""
        return self.graph.name_of(int(np.abs(self.nodes).argmax()))

    def svg(self) -> str:
        """Draw the graph with the roles of the strongest template around that node in colour."""
        return ego_figure(self.graph, self.roles[0].template, self.node)

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        names = [str(self.graph.name_of(v)) for v in range(self.graph.num_nodes)]
        number = self.answer if isinstance(self.answer, str | int | list) else float(self.answer)
        return {
            "answer": number,
            "value": self.value,
            "roles": [role.to_json() for role in self.roles],
            "strongest": str(self.node),
            "nodes": dict(zip(names, self.nodes.tolist(), strict=True)),
        }

    def __str__(self) -> str:
        lines = [f"answer: {self.answer}", f"{self.value:+8.3f}  with all roles; it loses without"]
        for template, role, effect in self.roles[:8]:
            lines.append(f"{effect:+8.3f}  role {role} of {template.name or template.text}")
        return "\n".join([*lines, f"strongest around {self.node}"])


def explain_graph(model: GraphEstimator, graphs: Any, number: int = 0) -> GraphExplanation:
    """Explain what a model answers for one graph.

    Parameters
    ----------
    model
        A fitted `grape_gnn.GrapeGraphClassifier` or `grape_gnn.GrapeGraphRegressor`.
    graphs
        A `GraphSet`, or a list of graphs.
    number
        Which of them.

    Examples
    --------
    >>> import networkx as nx
    >>> import grape_gnn as grape
    >>> rings, trees = ([make(n) for n in range(4, 24)] for make in (nx.cycle_graph, nx.path_graph))
    >>> graphs = grape.GraphSet.of(rings + trees, y=["ring"] * 20 + ["tree"] * 20)
    >>> model = grape.GrapeGraphClassifier("edge,3-path", epochs=20, seed=0).fit(graphs)
    >>> why = explain_graph(model, graphs, 2)
    >>> why.answer, len(why.roles), why.svg().startswith("<svg")
    ('ring', 3, True)
    """
    whole = model.set_of(graphs)
    alone = whole[[number]]
    batches = model._batches(alone)
    network = model.network.eval()
    (batch,) = batches.asked(torch.zeros(1, dtype=torch.int64, device=batches.x.device))
    x, roles, owner, _ = batch.inputs

    def value(given: Any) -> float:
        with torch.no_grad():
            scores = network(x, given, owner, 1)[0].double()
        if model.task_ == "regression":
            return float(scores[0]) * model._units[1]
        if model.task_ == "multi-label" or len(scores) == 1:
            return float(scores.abs().sum())
        best = scores[answer]
        others = scores[torch.arange(len(scores)) != answer]
        return float(best - torch.logsumexp(others, 0))

    outputs = model.outputs(alone)
    answer = 0 if model.task_ == "regression" else int(outputs[0].argmax())
    before = value(roles)
    effects = [
        RoleEffect(template, j, before - value(roles.without(r)))
        for r, (template, j) in enumerate(_roles(model))
    ]
    order = sorted(range(len(effects)), key=lambda r: -abs(effects[r].effect))
    nodes = np.array(
        [before - value(roles.without(order[0], np.array([v]))) for v in range(roles.num_nodes)]
    )
    predicted = outputs[0] if model.task_ == "regression" else model.labels_[answer]
    if model.task_ == "multi-label":
        predicted = [
            name for name, score in zip(model.labels_, outputs[0], strict=True) if score > 0
        ]
    found = tuple(effects[r] for r in order)
    if model.task_ == "regression":
        before += model._units[0]
    return GraphExplanation(_named(alone), predicted, before, found, nodes)


def role_worth(model: GraphEstimator, graphs: Any, mask: Any = None) -> list[RoleEffect]:
    """Return what the model's metric loses on a set if a role has no members anywhere.

    Parameters
    ----------
    model
        A fitted model.
    graphs
        A set of graphs with targets, or a list.
    mask
        Which graphs; None: as for `score`.

    Returns
    -------
    list of RoleEffect
        The roles in their order, by what the metric loses: positive where the model needs them.
    """
    whole = model.set_of(graphs)
    chosen = model._chosen(whole, len(whole), mask)
    data = whole[chosen]
    wanted = torch.from_numpy(np.asarray(model.codes(whole)[chosen]))
    batches, network = model._batches(data), model.network.eval()
    everyone = torch.arange(len(data), device=batches.x.device)

    def value(roles: Any) -> float:
        given = GraphBatches(batches.x, roles, batches.ptr, batches.size)
        scores = scores_of(network, given, everyone).cpu()
        if model.task_ == "regression":
            scores = scores.double().squeeze(1) * model._units[1] + model._units[0]
        return score(model.metric_, scores, wanted)

    before = value(batches.roles)
    return [
        RoleEffect(template, j, before - value(batches.roles.without(r)))
        for r, (template, j) in enumerate(_roles(model))
    ]


def _roles(model: GraphEstimator) -> list[tuple[Template, int]]:
    return [(t, j) for t in model.templates_ for j in range(1, len(t.roles))]


def _named(graphs: GraphSet) -> Graph:
    """Return the one graph of a set, its nodes called by their types and numbers."""
    graph = graphs.union
    if graph.y is None or graph.label_names is None:
        return graph
    kinds = [*map(str, graph.label_names), "?"]
    names = tuple(f"{kinds[code]} {number}" for number, code in enumerate(graph.y.tolist()))
    return replace(graph, names=names)
