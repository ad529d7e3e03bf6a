"""Proposition 2 of the paper: graphs that message passing cannot tell apart, and GRAPE can.

The paper draws two graphs whose egos have the same computation graph. Here are three such pairs.
For each: colour refinement (1-WL) gives both egos the same colour for ever, so no message passing
network of any depth can separate them; counts of roles differ. Every method is then asked with
random weights, both graphs side by side in one graph and all nodes with the same feature: the
distance of the two egos' scores, divided by their size, is zero up to rounding, or it is not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from grape_gnn.graph import Graph
from reproduction.accuracy_table import BASELINES
from reproduction.experiment import Entry, Experiment, Section
from reproduction.fingerprint import method_fingerprint
from reproduction.paper import paper_facts
from reproduction.profiles import Profile
from reproduction.record import Records

__all__ = ["PAIRS", "PROP_2", "colour_refinement", "pair_graph"]

LAYERS = (1, 2, 3, 4)
TWO_ONLY = ("de-gnn",)  # its distances are worked out for two layers
SEEDS = range(5)
APART = 1e-4  # rounding of single precision is far below, a real difference far above
# What they are, and the template that tells them apart.
PAIRS: dict[str, tuple[str, str]] = {
    "hexagon": ("a hexagon and two triangles", "triangle"),
    "decalin": ("two fused hexagons and two joined pentagons", "5-cycle"),
    "rook": ("the 4×4 rook's graph and the Shrikhande graph", "4-clique"),
}
# The egos are the two nodes 0.
_RING = [(k, (k + 1) % 6) for k in range(6)]
_EDGES = {
    "hexagon": (_RING, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]),
    "decalin": (
        [*_RING, (0, 6), (6, 7), (7, 8), (8, 9), (9, 5)],
        [(k, (k + 1) % 5) for k in range(5)]
        + [(5 + k, 5 + (k + 1) % 5) for k in range(5)]
        + [(0, 5)],
    ),
}


def _torus(steps: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join every place of a 4×4 torus to those some steps away."""
    return [
        (4 * a + b, 4 * ((a + da) % 4) + (b + db) % 4)
        for a in range(4)
        for b in range(4)
        for da, db in steps
    ]


_EDGES["rook"] = (
    _torus([(0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0)]),
    _torus([(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)]),
)


def pair_graph(pair: str) -> tuple[Graph, int]:
    """Return both graphs of a pair as one, and the ego of the second; that of the first is 0.

    Examples
    --------
    >>> graph, other = pair_graph("hexagon")
    >>> graph.num_nodes, other, graph.degrees.tolist() == [2] * 12
    (12, 6, True)
    """
    first, second = ({tuple(sorted(edge)) for edge in edges} for edges in _EDGES[pair])
    shift = 1 + max(max(edge) for edge in first)
    edges = [*first, *((a + shift, b + shift) for a, b in second)]
    src, dst = zip(*sorted(edges), strict=True)
    return Graph.from_edges(src, dst), shift


def colour_refinement(graph: Graph) -> tuple[list[int], int]:
    """Return the stable colours of 1-WL, all nodes being alike at first, and the rounds it took.

    Examples
    --------
    >>> colour_refinement(Graph.from_edges([0, 1, 2], [1, 2, 3]))
    ([0, 1, 1, 0], 1)
    """
    colours, rounds = [0] * graph.num_nodes, 0
    while True:
        seen = [
            (colours[v], tuple(sorted(colours[int(u)] for u in graph.neighbours(v))))
            for v in range(graph.num_nodes)
        ]
        numbers = {sight: number for number, sight in enumerate(sorted(set(seen)))}
        refined = [numbers[sight] for sight in seen]
        if len(numbers) == len(set(colours)):
            return refined, rounds
        colours, rounds = refined, rounds + 1


def _cells(profile: Profile) -> list[Entry]:
    return [{"pair": pair} for pair in PAIRS]


def _run(cell: Entry, profile: Profile, folder: Path) -> dict[str, Any]:
    from grape_gnn import ego_role_counts
    from grape_gnn.template.zoo import template

    graph, other = pair_graph(cell["pair"])
    chosen = template(PAIRS[cell["pair"]][1])
    colours, rounds = colour_refinement(graph)
    members = [
        [sum(role.values()) for role in ego_role_counts(graph, chosen, ego)] for ego in (0, other)
    ]
    return {
        "template": chosen.text,
        "same_colour": colours[0] == colours[other],
        "rounds": rounds,
        "role_members": members,
        "distances": {
            name: {
                str(depth): _distance(name, chosen, graph, other, depth)
                for depth in ((2,) if name in TWO_ONLY else LAYERS)
            }
            for name in (*BASELINES, "grape")
        },
    }


def _fingerprint(cell: Entry, profile: Profile) -> dict[str, Any]:
    from reproduction.variants import table_method

    told = PAIRS[cell["pair"]][1]
    methods = [table_method(name, told) for name in (*BASELINES, "grape")]
    return {"methods": method_fingerprint(*methods)}


def _distance(name: str, template: Any, graph: Graph, other: int, layers: int) -> float:
    """Return the largest relative distance of the egos' scores over several random networks."""
    import torch

    from grape_gnn.baselines import method

    prepared_by = method(name, [template])
    prepared = prepared_by.prepare(graph, torch.ones(graph.num_nodes, 1))
    found = []
    for seed in SEEDS:
        network, inputs = prepared_by.build(
            prepared, 4, hidden=16, dropout=0.0, layers=layers, seed=seed
        )
        with torch.no_grad():
            network.train()
            network(*inputs)  # sets the statistics of normalisation
            network.eval()
            scores = network(*inputs).double()
        size = max(float(scores.abs().max()), 1e-12)
        found.append(float((scores[0] - scores[other]).abs().max()) / size)
    return float(f"{np.max(found):.2e}")


def _section(records: Records) -> Section:
    names = {**BASELINES, "grape": "GRAPE"}
    rows = [
        f"| pair | template | members by role | colour refinement | {' | '.join(names.values())} |",
        "|---|---|---|---|" + "---|" * len(names),
    ]
    for pair, (title, _) in PAIRS.items():
        record = records.best(pair=pair)
        if record is None:
            rows.append(f"| {title} | not run | | |" + " |" * len(names))
            continue
        found = record.result
        counts = " / ".join(", ".join(map(str, members)) for members in found["role_members"])
        same = "the same colour" if found["same_colour"] else "different colours"
        verdicts = [_verdict(found["distances"][name]) for name in names]
        rows.append(
            f"| {title} | `{found['template']}` | {counts} | {same} | "
            + " | ".join(verdicts)
            + " |"
        )
    return Section(
        f"The paper: *{paper_facts('prop2')['says']}.* Three pairs of graphs whose egos get the "
        "same colour in colour refinement, however long it goes on, with the template that tells "
        "them apart. Each method is asked with random weights and constant features, 1 to 4 "
        "layers (DE-GNN: 2) and five seeds: the largest relative distance between the two egos' "
        f"scores. Below {APART:g} is rounding: *the same*. The last two graphs are strongly "
        "regular with the same parameters, so that even 3-WL cannot tell them apart. Meta-GNN "
        "and DE-GNN are no plain message passing: they are given templates and distances.\n\n"
        + "\n".join(rows)
        + "\n"
    )


def _verdict(distances: dict[str, float]) -> str:
    largest = max(distances.values())
    return "the same" if largest < APART else f"**apart** ({largest:.2g})"


PROP_2 = Experiment(
    name="prop2",
    title="Proposition 2: what message passing cannot see",
    cells=_cells,
    run=_run,
    fingerprint=_fingerprint,
    section=_section,
)
