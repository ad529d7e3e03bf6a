"""The two operations that make new genes: mutation and crossover (appendix C.2 of the paper).

A *node mutation* attaches a new node to a random old one, an *edge mutation* joins two random
nodes that are not joined yet; where there is no room for the one, the other takes its place. A
template changes by at most one of them in a round, so its instances always contain those of a
template already matched (Proposition 1).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from grape_gnn.search.gene import Gene
from grape_gnn.template import Template

__all__ = ["Rates", "add_edge", "add_node", "exchange", "mutate", "mutate_gene"]

T = TypeVar("T")


@dataclass(frozen=True)
class Rates:
    """How often a template changes in a round.

    Parameters
    ----------
    node, edge
        Probability of a new node and of a new edge; the paper's ``p_n`` and ``p_e``.
    recall
        Probability that the template gives way to one that was met earlier. The paper has none:
        its templates only grow, and a gene of large ones gets no further.
    max_nodes
        Templates do not grow beyond this size.
    """

    node: float
    edge: float
    recall: float = 0.0
    max_nodes: int = 5


def add_node(template: Template, rng: np.random.Generator) -> Template:
    """Attach a new node to a random one; in a directed template by an arc out, in, or both.

    Examples
    --------
    >>> add_node(Template("0-1"), np.random.default_rng(0)).num_nodes
    3
    """
    old, new = int(rng.integers(template.num_nodes)), template.num_nodes
    joined = [(old, new)]
    if template.directed:
        joined = [[(old, new)], [(new, old)], [(old, new), (new, old)]][int(rng.integers(3))]
    return _with_edges(template, [*template.edges, *joined])


def add_edge(template: Template, rng: np.random.Generator) -> Template:
    """Join two random nodes that are not joined; in a directed template by one arc.

    A complete template has no room for an edge and is returned as it is.

    Examples
    --------
    >>> add_edge(Template("0-1 1-2"), np.random.default_rng(0))
    Template('0-1 0-2 1-2')
    >>> add_edge(Template("0-1"), np.random.default_rng(0))
    Template('0-1')
    """
    taken = set(template.edges)
    free = [
        (a, b)
        for a, b in itertools.permutations(range(template.num_nodes), 2)
        if (a, b) not in taken and (template.directed or a < b)
    ]
    return _with_edges(template, [*template.edges, _pick(free, rng)]) if free else template


def mutate(
    template: Template,
    rates: Rates,
    rng: np.random.Generator,
    met: Sequence[Template] = (),
) -> tuple[Template, str | None]:
    """Change a template by at most one step, and say by which.

    Parameters
    ----------
    template
        The template.
    rates
        How probable each step is.
    rng
        Draws it.
    met
        Templates that may be recalled.

    Returns
    -------
    tuple
        The template, and ``"node"``, ``"edge"``, ``"recall"``, or None if it stayed the same: by
        chance, or because there was no room.

    Examples
    --------
    >>> mutate(Template("0-1"), Rates(node=1, edge=0), np.random.default_rng(0))[1]
    'node'
    """
    drawn = rng.random()
    if drawn < rates.node + rates.edge:
        wanted = "node" if drawn < rates.node else "edge"
        return _grown(template, wanted, rates.max_nodes, rng)
    if met and drawn < rates.node + rates.edge + rates.recall:
        return _pick(met, rng), "recall"
    return template, None


def mutate_gene(
    templates: Sequence[Template],
    rates: Rates,
    rng: np.random.Generator,
    met: Sequence[Template] = (),
) -> tuple[Gene, list[str]]:
    """Mutate every template of a gene on its own; return the new gene and what changed."""
    changed = [mutate(template, rates, rng, met) for template in templates]
    kinds = sorted({change for _, change in changed if change is not None})
    return Gene(template for template, _ in changed), kinds


def exchange(first: Gene, second: Gene, rng: np.random.Generator) -> tuple[Gene, Gene]:
    """Crossover: swap some templates, at least one and not all, between two genes.

    Examples
    --------
    >>> paths = Gene.from_texts(["0-1", "0-1 1-2"])
    >>> cliques = Gene.from_texts(["0-1 0-2 1-2", "0-1 0-2 0-3 1-2 1-3 2-3"])
    >>> exchange(paths, cliques, np.random.default_rng(0))
    (Gene('0-1', '0-1 0-2 0-3 1-2 1-3 2-3'), Gene('0-1 1-2', '0-1 0-2 1-2'))
    """
    size = min(len(first), len(second))
    if size < 2:
        return first, second
    count = int(rng.integers(1, size))
    here = {int(slot) for slot in rng.choice(len(first), count, replace=False)}
    there = {int(slot) for slot in rng.choice(len(second), count, replace=False)}
    return (
        Gene([*_without(first, here), *(second.templates[slot] for slot in sorted(there))]),
        Gene([*_without(second, there), *(first.templates[slot] for slot in sorted(here))]),
    )


def _grown(
    template: Template, wanted: str, max_nodes: int, rng: np.random.Generator
) -> tuple[Template, str | None]:
    size, edges = template.num_nodes, len(template.edges)
    room_for_node = size < max_nodes
    room_for_edge = edges < size * (size - 1) // (1 if template.directed else 2)
    if room_for_node and (wanted == "node" or not room_for_edge):
        return add_node(template, rng), "node"
    return (add_edge(template, rng), "edge") if room_for_edge else (template, None)


def _without(gene: Gene, slots: set[int]) -> list[Template]:
    return [template for slot, template in enumerate(gene.templates) if slot not in slots]


def _pick(items: Sequence[T], rng: np.random.Generator) -> T:
    return items[int(rng.integers(len(items)))]


def _with_edges(template: Template, edges: Sequence[tuple[int, int]]) -> Template:
    return Template(edges, directed=template.directed)
