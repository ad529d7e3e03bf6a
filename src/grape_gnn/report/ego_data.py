"""What the page needs to show the Ego-AE sets of a node that the reader chooses.

Where the whole graph fits (`MOST_BYTES` of packed edges and names), it is put into the page, and
the page finds the roles of *any* node itself. For larger graphs the sets of `EGOS` nodes are
computed here and put into the page, with the `MEMBERS` strongest members of each role; the page
says so. The nodes are drawn at random from the test part, half of them predicted wrong, by a
fixed seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.explain import describe_node
from grape_gnn.graph import Graph
from grape_gnn.report.graph_data import pack_edges
from grape_gnn.report.match_plan import match_plan
from grape_gnn.roles import match
from grape_gnn.template import Template
from grape_gnn.template.palette import ROLE_COLOURS

__all__ = ["EXPLORER_SCRIPTS", "Answers", "ego_data", "first_node", "graph_fits"]

EXPLORER_SCRIPTS = (
    "charts.js", "matcher.js", "explorer.js", "explorer_panel.js", "sketch_plan.js", "sketch.js",
    "save.js",
)  # fmt: skip
MOST_BYTES = 3_000_000
EGOS = 40
MEMBERS = 30


@dataclass(frozen=True)
class Answers:
    """What a model says of every node.

    Parameters
    ----------
    classes
        The model's classes.
    predicted
        Number of the chosen class.
    probability
        How sure the model was.
    part
        0, 1, 2 for training, validation and test; -1 for none.
    """

    classes: Sequence[Any]
    predicted: NDArray[np.int64]
    probability: NDArray[np.float64]
    part: NDArray[np.int64]


def ego_data(
    graph: Graph,
    templates: Sequence[Template],
    answers: Answers | None = None,
    *,
    engine: str = "auto",
    most_bytes: int = MOST_BYTES,
    start: int | None = None,
) -> dict[str, Any]:
    """Return the data of the page's explorer.

    Parameters
    ----------
    graph, templates
        What to explore.
    answers
        What a model says of the nodes.
    engine
        Matching engine for the nodes of a large graph.
    most_bytes
        Largest size of a graph that is put into the page.
    start
        The node shown first; None: one that the model got wrong, or the best connected.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> data = ego_data(g, grape.templates("edge,triangle"))
    >>> data["size"], data["edges"], sorted(data["templates"][1])
    (4, 'AgEBAQEBAQA=', ['name', 'plan', 'rings', 'roles', 'text'])
    """
    labels = list(graph.label_names or ()) if has_classes(graph) else []
    shared: dict[str, Any] = {
        "directed": graph.directed,
        "colours": ROLE_COLOURS,
        "labels": [str(label) for label in labels],
        "templates": [_template(template, labels) for template in templates],
        "classes": [] if answers is None else [str(name) for name in answers.classes],
    }
    # The page matches by itself, and knows edges and labels, but no types.
    typed = graph.types is not None
    unknown = any(t.has_edge_types or (typed and t.has_labels) for t in templates)
    if not unknown and graph_fits(graph, most_bytes):
        packed = pack_edges(graph)
        everyone = np.arange(graph.num_nodes)
        first = first_node(graph, answers) if start is None else start
        return {**shared, **_nodes(graph, everyone, answers), "edges": packed, "start": first}
    return {**shared, **_sampled(graph, templates, answers, engine, start)}


def graph_fits(graph: Graph, most_bytes: int = MOST_BYTES) -> bool:
    """Tell whether a graph can be put into a page as a whole."""
    names = 0 if graph.names is None else sum(len(str(name)) + 3 for name in graph.names)
    # An edge takes a byte or more, in letters of which three bytes take four.
    return names + graph.num_edges <= most_bytes and names + len(pack_edges(graph)) <= most_bytes


def has_classes(graph: Graph) -> bool:
    """Tell whether every node has one class or none: numbers and several labels are not shown."""
    return graph.task == "classification"


def _template(template: Template, labels: Sequence[Any]) -> dict[str, Any]:
    return {
        "name": template.name or template.text,
        "text": template.text,
        "roles": template.roles,
        "rings": _rings(template),
        "plan": match_plan(template, labels),
    }


def _rings(template: Template) -> list[int]:
    """Return how many steps each role is from the anchor, directions ignored."""
    steps = {0: 0}
    while len(steps) < template.num_nodes:
        for a, b in template.edges:
            for near, far in ((a, b), (b, a)):
                if near in steps:
                    steps[far] = min(steps.get(far, template.num_nodes), steps[near] + 1)
    return [steps[nodes[0]] for nodes in template.roles]


def _nodes(graph: Graph, nodes: NDArray[np.int64], answers: Answers | None) -> dict[str, Any]:
    """Return what is known of some nodes, in their order."""
    named = graph.names is not None or nodes.size < graph.num_nodes
    every = nodes.tolist()
    known: dict[str, Any] = {
        "size": len(every),
        "names": [str(graph.name_of(node)) for node in every] if named else None,
        "label": graph.y[nodes].tolist() if graph.y is not None and has_classes(graph) else None,
    }
    if answers is not None:
        known["predicted"] = answers.predicted[nodes].tolist()
        known["percent"] = np.round(100 * answers.probability[nodes]).astype(int).tolist()
        known["part"] = answers.part[nodes].tolist()
    return known


def first_node(
    graph: Graph, answers: Answers | None, among: NDArray[np.bool_] | None = None
) -> int:
    """Choose a node worth looking at: answered right, with an ordinary number of neighbours.

    Parameters
    ----------
    graph, answers
        As for `ego_data`.
    among
        Nodes that have something to show; None: all.
    """
    degrees = graph.degrees
    allowed = np.ones(graph.num_nodes, bool) if among is None or not among.any() else among
    if answers is not None and graph.y is not None:
        right = (answers.part == 2) & (answers.predicted == graph.y) & allowed
        good = np.flatnonzero(right)
        if good.size:
            return int(good[np.argmin(np.abs(degrees[good] - np.median(degrees[good])))])
    return int(np.where(allowed, degrees, -1).argmax())


def _sampled(
    graph: Graph,
    templates: Sequence[Template],
    answers: Answers | None,
    engine: str,
    start: int | None,
) -> dict[str, Any]:
    """Work out the sets of some nodes, and keep the nodes and edges these need."""
    egos = _choose(graph, answers, start)
    matches = match(graph, list(templates), engine=engine)
    found = [describe_node(matches, graph.name_of(int(ego)), members=MEMBERS) for ego in egos]
    needed = sorted(
        {*egos.tolist()}
        | {graph.index_of(m.name) for one in found for s in one.sets for m in s.members}
    )
    new = {old: k for k, old in enumerate(needed)}
    nodes = np.array(needed, dtype=np.int64)
    edges = graph.edge_array()
    kept = edges[np.isin(edges, nodes).all(axis=1)]
    small = Graph.from_edges(
        np.searchsorted(nodes, kept[:, 0]),
        np.searchsorted(nodes, kept[:, 1]),
        len(needed),
        directed=graph.directed,
    )
    codes = {label: code for code, label in enumerate(graph.label_names or ())}

    def shares(of: Any) -> dict[str, Any]:
        return {"nodes": of.nodes, "labels": {codes[label]: s for label, s in of.shares}}

    ready = {}
    for ego, one in zip(egos.tolist(), found, strict=True):
        sets: dict[int, dict[int, Any]] = {}
        numbers = {template: k for k, template in enumerate(templates)}
        for s in one.sets:
            members = [[new[graph.index_of(m.name)], m.count] for m in s.members]
            sets.setdefault(numbers[s.template], {})[s.role] = {
                "instances": s.instances,
                "members": members,
                **shares(s.labels),
            }
        hops = {"one": shares(one.one_hop), "two": shares(one.two_hop)}
        ready[new[ego]] = {"sets": sets, "hops": hops}
    first = new[int(egos[0])]
    packed = pack_edges(small)
    return {**_nodes(graph, nodes, answers), "edges": packed, "start": first, "ready": ready}


def _choose(graph: Graph, answers: Answers | None, start: int | None) -> NDArray[np.int64]:
    rng = np.random.default_rng(0)
    if answers is None or graph.y is None:
        chosen = rng.choice(graph.num_nodes, min(EGOS, graph.num_nodes), replace=False)
    else:
        test = np.flatnonzero(answers.part == 2)
        right = answers.predicted[test] == graph.y[test]
        chosen = np.concatenate(
            [rng.permutation(part)[: EGOS // 2] for part in (test[right], test[~right])]
        )
    if start is not None:
        chosen = np.concatenate([[start], chosen[chosen != start]])
    return chosen.astype(np.int64)
