"""Large graphs to measure on: a social network with hubs and cliques, and hubs without cliques.

For the social network, Chung-Lu gives the power-law degrees, but almost no triangles, so a part of
the edges comes from small groups in which everybody knows everybody. Everything is seeded; a
million edges take about a second.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

GROUP = 8


def social_edges(
    num_nodes: int = 100_000,
    num_edges: int = 1_000_000,
    exponent: float = 2.8,
    grouped: float = 0.5,
    seed: int = 0,
) -> NDArray[np.int64]:
    """Return ``num_edges`` distinct undirected edges as an ``(m, 2)`` array.

    ``exponent`` is that of the degrees' power law, ``grouped`` the share of the edges that
    come from groups.
    """
    rng = np.random.default_rng(seed)
    weights = (np.arange(num_nodes) + 10.0) ** (-1.0 / (exponent - 1.0))
    cumulative = np.cumsum(weights / weights.sum())
    codes = np.empty(0, np.int64)
    for target, group in ((round(num_edges * grouped), GROUP), (num_edges, 2)):
        pairs_in_group = list(itertools.combinations(range(group), 2))
        while len(codes) < target:
            groups = 1 + (target - len(codes)) // len(pairs_in_group)
            members = np.searchsorted(cumulative[:-1], rng.random((groups, group)))
            pairs = np.sort(members[:, pairs_in_group].reshape(-1, 2), axis=1)
            pairs = pairs[pairs[:, 0] != pairs[:, 1]]
            codes = np.unique(np.concatenate([codes, pairs @ [num_nodes, 1]]))
        codes = np.sort(rng.choice(codes, target, replace=False))
    return np.stack(np.divmod(codes, num_nodes), axis=1)


def hub_edges(num_nodes: int, degree: int, seed: int = 0) -> NDArray[np.int64]:
    """Return the edges of a Barabási-Albert graph whose nodes each bring ``degree`` edges."""
    import networkx as nx

    return np.array(nx.barabasi_albert_graph(num_nodes, degree, seed=seed).edges())


def heavy_tail_edges(num_edges: int, seed: int = 0) -> NDArray[np.int64]:
    """Return distinct undirected edges of ``num_edges // 5`` nodes, drawn by a falling weight."""
    rng = np.random.default_rng(seed)
    nodes = num_edges // 5
    weight = (1.0 + np.arange(nodes)) ** -0.5
    pairs = rng.choice(nodes, (num_edges + num_edges // 4, 2), p=weight / weight.sum())
    low, high = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1).T
    distinct = np.unique(low * nodes + high)
    kept = rng.permutation(distinct)[:num_edges]
    return np.stack([kept // nodes, kept % nodes], axis=1)
