"""One node: who is in its Ego-AE sets, and with which labels (Table 2 and Fig. 4 of the paper).

The paper's case study: the 2-hop neighbourhood of a node is a mixture of labels, while the Ego-AE
sets of a well-chosen template are mostly of the node's own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.explain.label_shares import LabelShares, label_shares
from grape_gnn.graph import Graph
from grape_gnn.roles import RoleMatches, match
from grape_gnn.template import Template

if TYPE_CHECKING:
    from grape_gnn.runs import RunFolder

__all__ = ["EgoSet", "Member", "NodeExplanation", "describe_node", "explain_node"]


@dataclass(frozen=True)
class Member:
    """A node of an Ego-AE set: its name, its label (None if missing), in how many instances."""

    name: str | int
    label: Any
    count: int


@dataclass(frozen=True)
class EgoSet:
    """One Ego-AE set of the node.

    Parameters
    ----------
    template, role
        Which template, and which of its roles.
    instances
        Number of instances of the template around the node.
    labels
        Label shares, every member counted once, as in the paper.
    weighted
        Label shares, every member counted as often as it plays the role.
    members
        The members, most frequent first; at most as many as were asked for.
    """

    template: Template
    role: int
    instances: int
    labels: LabelShares
    weighted: LabelShares
    members: tuple[Member, ...]

    @property
    def more(self) -> int:
        """Number of members that are not listed."""
        return self.labels.nodes - len(self.members)


@dataclass(frozen=True)
class NodeExplanation:
    """What surrounds a node, and what the model makes of it.

    Parameters
    ----------
    node, label
        Name and true label (None if missing).
    predicted, probability, part
        Label the model chose, how sure it was, and the node's part of the split; None where no
        model was asked.
    one_hop, two_hop
        Labels of the neighbours, and of all nodes within two steps, directions ignored.
    sets
        The Ego-AE sets of every template, the ego's own left out.
    """

    node: str | int
    label: Any
    predicted: Any
    probability: float | None
    part: str | None
    one_hop: LabelShares
    two_hop: LabelShares
    sets: tuple[EgoSet, ...]

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        rows = [
            asdict(s)
            | {"template": {"name": s.template.name, "text": s.template.text}, "more": s.more}
            for s in self.sets
        ]
        return {**asdict(self), "sets": rows}


def explain_node(
    run: str | os.PathLike[str] | RunFolder, name: str | int, *, members: int = 20
) -> NodeExplanation:
    """Show the Ego-AE sets of a node with the templates of a trained model.

    Parameters
    ----------
    run
        A folder that ``grape train`` wrote.
    name
        The node's name.
    members
        List at most this many members of a set.

    Examples
    --------
    >>> from grape_gnn import explain
    >>> found = explain.explain_node("runs/amherst", 1422)  # doctest: +SKIP
    >>> found.two_hop.shares[0], found.sets[2].labels.shares[0]  # doctest: +SKIP
    ((2008, 0.21), (2007, 0.58))
    """
    from grape_gnn.runs import RunFolder

    folder = run if isinstance(run, RunFolder) else RunFolder.open(run)
    graph, model = folder.graph(), folder.model()
    node = graph.index_of(name)
    # The templates' roles by the engine of the training: exact, and no dearer than it was.
    matches = match(graph, model.templates_, engine=model.engine)
    answer = folder.predictions()[node]
    by_text = {str(label): label for label in model.labels_}
    split = folder.split()
    parts = (("train", split.train), ("validation", split.validation), ("test", split.test))
    return describe_node(
        matches,
        name,
        members=members,
        predicted=by_text.get(answer.predicted, answer.predicted),
        probability=answer.probability,
        part=next((part for part, mask in parts if mask[node]), None),
    )


def describe_node(
    matches: RoleMatches,
    name: str | int,
    *,
    members: int = 20,
    predicted: Any = None,
    probability: float | None = None,
    part: str | None = None,
) -> NodeExplanation:
    """Show the Ego-AE sets of a node among given matches.

    Parameters
    ----------
    matches
        What `grape_gnn.match` returned, with counts.
    name
        The node's name.
    members
        List at most this many members of a set.
    predicted, probability, part
        What a model says, to be handed on.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> names, y = ["ann", "bob", "cat", "dan"], ["red", "red", "red", "blue"]
    >>> g = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=names, y=y)
    >>> found = describe_node(grape.match(g, "triangle"), "ann")
    >>> found.two_hop.shares
    (('red', 0.6666666666666666), ('blue', 0.3333333333333333))
    >>> found.sets[0].labels.shares, [member.name for member in found.sets[0].members]
    ((('red', 1.0),), ['bob', 'cat'])
    """
    if matches.weighting != "count":
        raise ModelError("the Ego-AE sets are shown with counts: match with weighting='count'")
    graph = matches.graph
    node = graph.index_of(name)
    codes, names = _labels(graph)
    sets = tuple(
        _ego_set(graph, roles.template, operator.role, operator.members(name), members)
        for roles in matches
        for operator in roles[1:]
    )
    one, two = _within_two_hops(graph, node)
    return NodeExplanation(
        node=graph.name_of(node),
        label=names[codes[node]] if codes[node] >= 0 else None,
        predicted=predicted,
        probability=probability,
        part=part,
        one_hop=label_shares(codes[one], names),
        two_hop=label_shares(codes[two], names),
        sets=sets,
    )


def _ego_set(
    graph: Graph, template: Template, role: int, counts: Mapping[Any, int | float], limit: int
) -> EgoSet:
    codes, names = _labels(graph)
    ranked = sorted(counts.items(), key=lambda item: -item[1])
    nodes = [graph.index_of(member) for member, _ in ranked]
    weights = np.array([count for _, count in ranked], dtype=np.float64)
    labels = codes[nodes] if nodes else np.empty(0, np.int64)
    listed = tuple(
        Member(member, names[code] if code >= 0 else None, int(count))
        for (member, count), code in zip(ranked[:limit], labels[:limit].tolist(), strict=True)
    )
    return EgoSet(
        template=template,
        role=role,
        instances=round(weights.sum() / len(template.roles[role])),
        labels=label_shares(labels, names),
        weighted=label_shares(labels, names, weights),
        members=listed,
    )


def _labels(graph: Graph) -> tuple[NDArray[np.int64], Sequence[Any]]:
    if graph.y is None or graph.label_names is None or graph.y.ndim > 1:
        return np.full(graph.num_nodes, -1), ()
    return graph.y, graph.label_names


def _within_two_hops(graph: Graph, node: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes within one and within two steps, the node itself left out."""
    one = np.setdiff1d(_both_ways(graph, np.array([node])), [node])
    two = np.setdiff1d(np.union1d(one, _both_ways(graph, one)), [node])
    return one, two


def _both_ways(graph: Graph, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    rows = [(graph.indptr, graph.indices), (graph.in_indptr, graph.in_indices)]
    found = [idx[ptr[v] : ptr[v + 1]] for ptr, idx in rows for v in nodes.tolist()]
    return np.unique(np.concatenate(found)) if found else np.empty(0, np.int64)
