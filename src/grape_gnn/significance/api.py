"""`significance`: count templates in the graph and in many rewired ones, and compare."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grape_gnn.arguments import flag, one_of, whole_number
from grape_gnn.errors import GraphError, TemplateError
from grape_gnn.graph import Graph, GraphLike, as_graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.progress import report
from grape_gnn.significance.counts import Counts, count
from grape_gnn.significance.records import Sample, append, resume
from grape_gnn.significance.result import Significance
from grape_gnn.significance.rewiring import SWAPS, Mixing, check_null, rewired
from grape_gnn.significance.statistics import ALTERNATIVES, Tally
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.warn import warn
from grape_gnn.workers import Workers

__all__ = ["significance"]

_MOVED = 0.01  # share of the edges that a settled chain does not leave in its second half


@dataclass(frozen=True)
class _Task:
    """What all samples share."""

    graph: Graph
    templates: tuple[Template, ...]
    null: str
    swaps: int
    seed: int
    induced: bool
    roles: bool
    threads: int | None

    def count(self, graph: Graph) -> Counts:
        return count(
            graph, self.templates, induced=self.induced, roles=self.roles, threads=self.threads
        )


def significance(
    graph: GraphLike,
    templates: str | Template | Iterable[str | Template],
    null: str = "degrees",
    samples: int = 200,
    seed: int = 0,
    *,
    nodes: bool = False,
    induced: bool = False,
    alternative: str = "two-sided",
    swaps: int = SWAPS,
    jobs: int = 1,
    threads: int | None = None,
    out: str | os.PathLike[str] | None = None,
) -> Significance:
    """Tell whether a graph has more, or fewer, copies of templates than its degrees explain.

    Rewired graphs, in which every node keeps its degree, say what chance would give. Results are
    the same for any number of jobs and threads.

    Parameters
    ----------
    graph, templates, induced
        As for `match`.
    null
        What rewired graphs keep. ``"degrees"``: the degree of every node, in and out if directed;
        ``"labels"``: also how many neighbours of each type, or without types label, a node has.
    samples
        Number of rewired graphs. No p-value is below ``1 / (samples + 1)``.
    seed
        Seed of all of them.
    nodes
        Also for every node and role: whether it plays the role more often than its degree explains.
    alternative
        ``"two-sided"``, ``"more"`` or ``"fewer"``: what `p` and `q` are about.
    swaps
        Steps of the rewiring for every edge; see `rewire`.
    jobs
        Rewired graphs at a time, each in a process of its own; -1: one per processor.
    threads
        Threads of each; None: all processors with one job, else one.
    out
        A file of JSON lines, written after every rewired graph. A file that is there already is
        continued, also to a larger number of samples.

    Returns
    -------
    Significance
        z-scores, p-values, their correction, and how well the rewiring mixed.

    Examples
    --------
    >>> import networkx as nx
    >>> found = significance(nx.les_miserables_graph(), "triangle", samples=50)
    >>> found.observed.tolist(), bool(found.z[0] > 10)
    ([467], True)
    """
    graph = as_graph(graph)
    check_null(graph, null, swaps)
    if graph.num_edges < 2:
        raise GraphError(f"there is nothing to rewire: {graph!r} has fewer than two edges")
    whole_number("samples", samples, 2)
    whole_number("seed", seed)
    one_of("alternative", alternative, ALTERNATIVES)
    if threads is None and jobs != 1:
        threads = 1
    wanted = tuple(find_templates(templates))
    if not wanted:
        raise TemplateError(f"templates={templates!r} has no template: name one at least")
    for template in wanted:
        if template.has_edge_types:
            raise TemplateError(
                f"template {template.text!r} asks for types of edges, which rewired graphs do not "
                f"have: leave them out"
            )
    task = _Task(
        graph, wanted, null, swaps, seed, flag("induced", induced), flag("nodes", nodes), threads
    )
    observed = task.count(graph)
    whole = Tally(observed.copies)
    each = None if observed.roles is None else Tally(observed.roles)
    found: list[Sample] = []

    def add(sample: Sample) -> None:
        if sample.number >= samples:
            return
        whole.add(sample.counts.copies)
        if each is not None and sample.counts.roles is not None:
            each.add(sample.counts.roles)
        # The counts per node are added up by now, and too many to keep.
        found.append(Sample(sample.number, Counts(sample.counts.copies, None), sample.mixing))
        report("rewiring", len(found), samples)

    path = None if out is None else Path(out)
    labelled = null == "labels" or any(template.has_labels for template in wanted)
    mark = checksum(graph, *(graph.matched_types if labelled else ()))
    if path is not None:
        about = {
            "graph": mark, "templates": [t.text for t in wanted], "null": null, "swaps": swaps,
            "seed": seed, "induced": induced, "nodes": nodes,
        }  # fmt: skip
        resume(path, about, observed, add)
    with Workers(_sample, task, jobs, fingerprint=f"{mark}{task.seed}{null}{swaps}") as workers:
        for _, sample in workers.run(range(len(found), samples), ordered=True):
            add(sample)
            if path is not None:
                append(path, sample)
    mixing = [sample.mixing for sample in found]
    _check_settled(mixing, graph.num_edges)
    return Significance(
        graph=graph,
        templates=wanted,
        null=null,
        alternative=alternative,
        copies=np.stack([sample.counts.copies for sample in found]),
        scores=whole.scores(alternative),
        roles=None if each is None else each.scores(alternative),
        mixing=Mixing(
            *(
                float(np.mean([getattr(one, name) for one in mixing]))
                for name in ("accepted", "kept_half", "kept")
            )
        ),
    )


def _sample(task: _Task, number: int) -> Sample:
    drawn = int(np.random.SeedSequence([task.seed, number]).generate_state(1, np.uint64)[0])
    graph, mixing = rewired(task.graph, drawn, task.null, task.swaps)
    return Sample(number, task.count(graph), mixing)


def _check_settled(mixing: list[Mixing], num_edges: int) -> None:
    if not any(one.accepted for one in mixing):
        warn(
            "no step of the rewiring could be taken: no other graph keeps what it has to keep, as "
            "with a star or a complete graph, so there is nothing to compare with"
        )
        return
    half, end = (np.array([getattr(one, name) for one in mixing]) for name in ("kept_half", "kept"))
    share = float(np.mean([half, end]))
    # Of a settled chain, the two are as good as independent draws of the edges.
    noise = np.sqrt(2 * share * (1 - share) / (max(1, num_edges) * len(mixing)))
    if (half - end).mean() > max(_MOVED, 4 * noise):
        warn(
            f"the rewiring has not settled: {half.mean():.0%} of the edges were still there after "
            f"half of the steps, {end.mean():.0%} at the end; give more steps with swaps=..."
        )
