"""Who tells apart graphs that message passing takes for the same: templates, colours, networks.

    python benchmarks/separation.py             # minutes of processor time
    python benchmarks/separation.py --copies 200

Strongly regular graphs and the connected graphs of seven nodes are read from the folder `graphs` of
GRAPE_DATA (graph6 files by Brendan McKay); what is not there is left out. All other graphs are
generated.
"""

from __future__ import annotations

import argparse
import itertools
import os
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import torch

import grape_gnn as grape
from grape_gnn.estimator.match_within import match_within
from grape_gnn.nn import GRAPE, PairNetwork, RoleValues
from grape_gnn.nn.presets import find_preset
from grape_gnn.nn.written_roles import WrittenRoles
from grape_gnn.testing import gnp
from grape_gnn.testing.look_alikes import (
    SKIPS,
    cai_fuerer_immerman,
    chang_graphs,
    permuted,
    skip_links,
)
from machine import describe_machine

Pairs = list[tuple[grape.Graph, grape.Graph]]
CYCLES = [f"{k}-cycle" for k in range(3, 9)]


def collections() -> Iterator[tuple[str, Pairs]]:
    """Yield pairs of graphs that colour refinement does not tell apart."""
    yield "skip links", list(itertools.combinations(map(skip_links, SKIPS), 2))
    yield "Chang", list(itertools.combinations(chang_graphs(), 2))
    bases = [nx.complete_graph(4), nx.complete_bipartite_graph(3, 3), nx.circular_ladder_graph(3)]
    bases += [nx.complete_graph(5), nx.convert_node_labels_to_integers(nx.hypercube_graph(3))]
    made = [[cai_fuerer_immerman(list(b.edges), twisted=t) for t in (False, True)] for b in bases]
    yield "Cai-Fuerer-Immerman", [(one, two) for one, two in made]
    folder = Path(os.environ.get("GRAPE_DATA", "")) / "graphs"
    if (folder / "sr251256.g6").exists():
        regular = list(grape.read_graphs(folder / "sr251256.g6"))
        yield "strongly regular", list(itertools.combinations(regular, 2))
    if (folder / "graph7c.g6").exists():
        small = grape.read_graphs(folder / "graph7c.g6")
        classes = grape.role_colours(small, "edge").graphs
        yield (
            "seven nodes",
            [
                (small[one], small[two])
                for one, two in itertools.combinations(range(len(small)), 2)
                if classes[one] == classes[two]
            ],
        )


def copies_told_apart(number: int) -> int:
    """Return how many of so many random graphs are told apart from a permuted copy: none."""
    wrong = 0
    for seed in range(number):
        graph = gnp(4 + seed % 20, (1 + seed % 9) / 10, seed, directed=seed % 4 == 0)
        wrong += grape.separate(graph, permuted(graph, seed), threads=1).found
    return wrong


def told_by_colours(pairs: Pairs, templates: str | Sequence[str], sees: str = "members") -> int:
    """Return how many pairs refinement over roles tells apart."""
    classes = grape.role_colours([g for pair in pairs for g in pair], templates, sees=sees).graphs
    return int((classes[::2] != classes[1::2]).sum())


def told_by_network(
    pairs: Pairs, templates: str, preset: str, inputs: str, dtype: torch.dtype
) -> int:
    """Return how many pairs the summed outputs of random weights tell apart, rounding aside."""
    together = grape.GraphSet.of([g for pair in pairs for g in pair])
    matches = grape.match(together, templates)
    chosen = replace(find_preset(preset), weighting="count")
    roles = RoleValues(matches, values=chosen.values)
    batch = torch.from_numpy(together.graph_of_node.copy())
    x = torch.ones(together.num_nodes, 1, dtype=dtype)
    if inputs == "totals":
        x = torch.from_numpy(np.log1p(np.stack([m.totals for m in matches], axis=1))).to(dtype)
    torch.manual_seed(0)
    model = GRAPE(roles.templates, x.shape[1], 16, hidden=16, preset=chosen).to(dtype)
    with torch.no_grad():
        for _ in range(30):  # as after a training, the normalisation has settled
            model(x, roles, batch)
        h = model.eval()(x, roles, batch)
    pooled = torch.zeros(len(together), 16, dtype=dtype).index_add(0, batch, h)
    size = torch.zeros_like(pooled).index_add(0, batch, h.abs()).amax(dim=1)
    noise = 64 * torch.finfo(dtype).eps * torch.maximum(size[::2], size[1::2])
    return int(((pooled[::2] - pooled[1::2]).abs().amax(dim=1) > noise).sum())


def told_by_pair_network(pairs: Pairs, templates: str, dtype: torch.dtype) -> int:
    """Return how many pairs a pair network of random weights tells apart, rounding aside.

    What rounding does is seen at permuted copies of the graphs.
    """
    given = [g for pair in pairs for g in pair]
    asked = []
    for graphs in (given, [permuted(g, seed) for seed, g in enumerate(given)]):
        together = grape.GraphSet.of(graphs)
        roles = WrittenRoles.of(grape.match(together, templates))
        asked.append((roles, torch.from_numpy(together.graph_of_node.copy()), len(together)))
    torch.manual_seed(0)
    model = PairNetwork(asked[0][0].num_roles, 1, hidden=16).to(dtype)
    with torch.no_grad():
        for _ in range(30):
            model(None, *asked[0])
        model.eval()
        one, two = (model.pooled(None, *each) for each in asked)
    noise = 4 * (one - two).abs().max()
    return int(((one[::2] - one[1::2]).abs().amax(dim=1) > noise).sum())


def within(pairs: Pairs, name: str, time: str) -> tuple[list[grape.Template], str]:
    """Return the templates of a set that can be matched in a time, and words on the others."""
    together = grape.GraphSet.of([g for pair in pairs for g in pair])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", grape.GrapeWarning)
        found, skipped = match_within(together, grape.templates(name), time)
    words = ", ".join(template.name or template.text for template in skipped)
    return [roles.template for roles in found], f"without {words}" if words else "all matched"


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=2000, help="permuted copies to compare")
    parser.add_argument("--only", default="", help="collections whose names have this in them")
    parser.add_argument("--time", default="1m", help="for matching the templates of expressive")
    options = parser.parse_args()
    print(describe_machine())
    print(f"copies told apart: {copies_told_apart(options.copies)} of {options.copies}")
    for name, pairs in collections():
        if options.only not in name:
            continue
        print(f"\n{name}: {len(pairs)} pairs, {told_by_colours(pairs, 'edge')} by the edge alone")
        needed: Counter[str] = Counter()
        for one, two in pairs:
            found = grape.separate(one, two, time="30s", threads=1)
            template = found.template
            words = "none found" if template is None else template.name or template.text
            by = "" if found.evidence is None else f" ({found.evidence.by})"
            needed[words + by] += 1
        print("  smallest template:", "; ".join(f"{n} {what}" for what, n in needed.most_common()))
        for title, templates in (("cycles-8", CYCLES), ("social", "social")):
            seen = {sees: told_by_colours(pairs, templates, sees) for sees in ("members", "count")}
            print(f"  role colours, {title}: {seen}")
        kept, words = within(pairs, "expressive", options.time)
        seen = {sees: told_by_colours(pairs, kept, sees) for sees in ("members", "count")}
        print(f"  role colours, expressive in {options.time}, {words}: {seen}")
        graphs = [g for pair in pairs for g in pair]
        for templates in ("edge", "social"):
            classes = grape.pair_colours(graphs, templates)
            told = int((classes[::2] != classes[1::2]).sum())
            by_network = [
                told_by_pair_network(pairs, templates, dtype)
                for dtype in (torch.float32, torch.float64)
            ]
            print(
                f"  pairs of nodes (3-WL), {templates}: {told}; as a network "
                f"{by_network[0]} single, {by_network[1]} double precision"
            )
        theory = told_by_colours(pairs, "graph-small", "count")
        print(f"  networks, graph-small, which can tell {theory}:")
        for preset, inputs in itertools.product(
            ("default", "paper", "released"), ("ones", "totals")
        ):
            told_in = [
                told_by_network(pairs, "graph-small", preset, inputs, dtype)
                for dtype in (torch.float32, torch.float64)
            ]
            print(f"    {preset}, {inputs}: {told_in[0]} single, {told_in[1]} double precision")


if __name__ == "__main__":
    main()
