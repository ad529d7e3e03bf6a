"""Random templates, and chains of them in which each grows out of the one before.

The two mutations are the paper's (Algorithm 1): a new node attached to an old one, or a new
edge between two old nodes. Node numbers are kept, so the parent's instances are partial
instances of the child (Proposition 1).
"""

from __future__ import annotations

import itertools

import numpy as np

from grape_gnn.template import Template

__all__ = ["mutation_chain", "random_template"]

_LARGEST = 8


def mutation_chain(
    steps: int, seed: int, directed: bool = False, max_nodes: int = _LARGEST
) -> list[Template]:
    """Return an edge followed by ``steps`` random mutations of it, each of the one before.

    The chain ends early once nothing can be added.

    Parameters
    ----------
    steps
        Number of mutations.
    seed
        Seed of the random choices.
    directed
        Whether to grow a directed template.
    max_nodes
        No template gets more nodes than this.

    Examples
    --------
    >>> [len(t.edges) for t in mutation_chain(3, seed=0)]
    [1, 2, 3, 4]
    """
    rng = np.random.default_rng(seed)
    edges = [(0, 1)] if not directed or rng.random() < 0.5 else [(1, 0)]
    chain = [Template(edges, directed=directed)]
    for _ in range(steps):
        addition = _random_mutation(edges, directed, max_nodes, rng)
        if addition is None:
            break
        edges = [*edges, addition]
        chain.append(Template(edges, directed=directed))
    return chain


def random_template(
    seed: int, max_nodes: int = 5, directed: bool = False, labels: int = 0, edge_types: int = 0
) -> Template:
    """Return the end of a random chain, whose nodes and edges ask for something if wanted.

    Parameters
    ----------
    seed, max_nodes, directed
        As for `mutation_chain`.
    labels
        Number of labels ``0 .. labels - 1`` to draw constraints from; about half of the
        template nodes stay free. 0: no constraints.
    edge_types
        Number of types ``0 .. edge_types - 1`` for the edges, likewise.

    Examples
    --------
    >>> 2 <= random_template(seed=3, max_nodes=4).num_nodes <= 4
    True
    """
    rng = np.random.default_rng(seed)
    last = mutation_chain(int(rng.integers(0, 2 * max_nodes)), seed, directed, max_nodes)[-1]

    def drawn(count: int, most: int) -> list[int | None]:
        return [int(rng.integers(most)) if rng.random() < 0.5 else None for _ in range(count)]

    wanted = drawn(last.num_nodes, labels) if labels else None
    asked = drawn(len(last.edges), edge_types) if edge_types else [None] * len(last.edges)
    types = dict(zip(last.edges, asked, strict=True))
    return Template(last.edges, directed=directed, labels=wanted, edge_types=types)


def _random_mutation(
    edges: list[tuple[int, int]], directed: bool, max_nodes: int, rng: np.random.Generator
) -> tuple[int, int] | None:
    size = 1 + max(itertools.chain.from_iterable(edges))
    taken = set(edges) if directed else {*edges, *((b, a) for a, b in edges)}
    free = [pair for pair in itertools.permutations(range(size), 2) if pair not in taken]
    if not directed:
        free = [(a, b) for a, b in free if a < b]
    grow = size < max_nodes and (not free or rng.random() < 0.5)
    if not grow and not free:
        return None
    if not grow:
        return free[int(rng.integers(len(free)))]
    old = int(rng.integers(size))
    return (size, old) if directed and rng.random() < 0.5 else (old, size)
