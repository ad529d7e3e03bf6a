"""Large graphs to measure on: a social network with hubs and cliques, and hubs without cliques.

For the social network, Chung-Lu gives the power-law degrees, but almost no triangles, so a part of
the edges comes from small groups in which everybody knows everybody. Everything is seeded; a
million edges take about a second. `social_blocks` draws as many as a disk holds.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

GROUP = 8
BLOCK = 5_000_000  # edges drawn at once


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
    rng, shares = np.random.default_rng(seed), _shares(num_nodes, exponent)
    codes = np.empty(0, np.int64)
    for target, group in ((round(num_edges * grouped), GROUP), (num_edges, 2)):
        while len(codes) < target:
            pairs = _drawn(rng, shares, group, target - len(codes))
            codes = np.unique(np.concatenate([codes, pairs @ [num_nodes, 1]]))
        codes = np.sort(rng.choice(codes, target, replace=False))
    return np.stack(np.divmod(codes, num_nodes), axis=1)


def social_blocks(
    num_nodes: int,
    num_edges: int,
    exponent: float = 2.8,
    grouped: float = 0.5,
    seed: int = 0,
) -> Iterator[NDArray[np.int64]]:
    """Draw edges like those of `social_edges` in blocks, for graphs that are larger than memory.

    There are ``num_edges`` of them, loops left out. Some come more than once: telling which would
    take all of them at once.
    """
    rng, shares = np.random.default_rng(seed), _shares(num_nodes, exponent)
    in_groups = round(num_edges * grouped)
    for edges, group in ((in_groups, GROUP), (num_edges - in_groups, 2)):
        while edges:
            pairs = _drawn(rng, shares, group, min(edges, BLOCK))[:edges]
            edges -= len(pairs)
            yield pairs


def _shares(num_nodes: int, exponent: float) -> NDArray[np.float64]:
    """Return the weights of nodes, those of all before them added."""
    weights = (np.arange(num_nodes) + 10.0) ** (-1.0 / (exponent - 1.0))
    cumulative: NDArray[np.float64] = np.cumsum(weights / weights.sum())
    return cumulative


def _drawn(
    rng: np.random.Generator, shares: NDArray[np.float64], group: int, edges: int
) -> NDArray[np.int64]:
    """Draw groups with about so many edges; return the pairs in them, the smaller node first."""
    pairs_in_group = list(itertools.combinations(range(group), 2))
    groups = 1 + edges // len(pairs_in_group)
    members = np.searchsorted(shares[:-1], rng.random((groups, group)))
    pairs: NDArray[np.int64] = np.sort(members[:, pairs_in_group].reshape(-1, 2), axis=1)
    return pairs[pairs[:, 0] != pairs[:, 1]]


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
