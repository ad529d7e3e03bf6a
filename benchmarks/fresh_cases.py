"""Cases that no price of `grape plan` was fitted to: other kinds of graphs, templates by lot.

Every seed is another grid: the sizes of the graphs, their edges and the templates are drawn from
it. `plan.py --fresh SEED` runs it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["FRESH_KINDS", "fresh_cases", "fresh_edges"]

FRESH_KINDS = (
    "small world", "blocks", "geometric", "road", "Erdős–Rényi", "clusters", "directed",
)  # fmt: skip
TWICE = ("small world", "blocks", "directed")  # kinds of which there are two sizes
NODES = 4_000, 150_000
DEGREES = {"road": (2, 3), "geometric": (6, 14)}
BLOCK = 60  # nodes of a community
CYCLES, CLIQUES = ("4-cycle", "5-cycle", "6-cycle"), ("4-clique", "5-clique")
DIRECTED = (
    "to", "from", "0>1 1>2", "0>1 2>1", "from-to", "bi-direct", "ecommerce",
    "0>1 1>2 0>2", "0>1 1>2 2>0", "0>1 2>1 2>3", "0>1 0>2 0>3", "0>1 1>2 2>3 0>3",
)  # fmt: skip
TRAINED = ("social", "edge,4-cycle", "edge,triangle,diamond", "citation", "edge,3-path,4-clique")


def fresh_cases(seed: int, kinds: list[str], limit: float) -> list[dict[str, Any]]:
    """Return the jobs of a grid, as `plan_cell` takes them."""
    rng, jobs = np.random.default_rng(seed), []
    for kind in (*FRESH_KINDS, *TWICE):
        nodes = int(np.exp(rng.uniform(*np.log(NODES))))
        degree = rng.uniform(*DEGREES.get(kind, (4, 20)))
        name = f"{kind}, {nodes:,}"
        job = {"name": name, "graph": (kind, nodes, int(nodes * degree / 2)), "seconds": limit}
        job |= {"seed": seed}
        directed = kind == "directed"
        asked = list(rng.choice(DIRECTED, 7, replace=False)) if directed else _drawn(rng)
        if "match" in kinds:
            jobs += [
                job | {"kind": "match", "templates": str(template)}
                | {"weighting": "set" if rng.random() < 0.2 else "count"}
                | {"hidden": 32, "layers": 2, "features": 1}
                for template in asked
            ]  # fmt: skip
        if "train" in kinds:
            jobs += [
                job | {"kind": "train", "weighting": "count"}
                | {"templates": "ecommerce" if directed else str(rng.choice(TRAINED))}
                | {"hidden": int(rng.choice([16, 32, 64])), "layers": int(rng.integers(1, 4))}
                | {"features": int(rng.choice([1, 8, 32, 100]))}
                for _ in range(2)
            ]  # fmt: skip
    return jobs


def _drawn(rng: np.random.Generator) -> list[str]:
    """Draw three templates of four nodes, two of five, a cycle and a clique."""
    from grape_gnn.template import all_templates

    four, five = ([each.text for each in all_templates(size)] for size in (4, 5))
    found = [*rng.choice(four, 3, replace=False), *rng.choice(five, 2, replace=False)]
    return [*map(str, found), str(rng.choice(CYCLES)), str(rng.choice(CLIQUES))]


def fresh_edges(kind: str, nodes: int, edges: int, seed: int) -> NDArray[np.int64]:
    """Generate the edges of a graph; a few may be loops or come twice."""
    rng = np.random.default_rng(seed)
    return {
        "small world": _small_world, "blocks": _blocks, "geometric": _geometric, "road": _road,
        "clusters": _clusters,
    }.get(kind, _random)(rng, nodes, edges)  # fmt: skip


def _random(rng: np.random.Generator, nodes: int, edges: int) -> NDArray[np.int64]:
    return rng.integers(0, nodes, (edges, 2))


def _small_world(rng: np.random.Generator, nodes: int, edges: int) -> NDArray[np.int64]:
    """Watts-Strogatz: a ring whose nodes know the next few, one edge in ten rewired."""
    begin = np.repeat(np.arange(nodes), max(1, edges // nodes))
    step = np.tile(np.arange(1, max(1, edges // nodes) + 1), nodes)
    end = (begin + step) % nodes
    rewired = rng.random(end.size) < 0.1
    end[rewired] = rng.integers(0, nodes, int(rewired.sum()))
    return np.stack([begin, end], axis=1)


def _blocks(rng: np.random.Generator, nodes: int, edges: int) -> NDArray[np.int64]:
    """Stochastic blocks: four edges in five inside a community."""
    pairs = _random(rng, nodes, edges)
    inside = rng.random(edges) < 0.8
    pairs[inside, 1] = pairs[inside, 0] // BLOCK * BLOCK + rng.integers(0, BLOCK, inside.sum())
    return rng.permutation(nodes)[np.minimum(pairs, nodes - 1)]


def _geometric(rng: np.random.Generator, nodes: int, edges: int) -> NDArray[np.int64]:
    """Points in a square, joined to those nearby."""
    from scipy.spatial import cKDTree

    radius = np.sqrt(2 * edges / (np.pi * nodes * (nodes - 1)))
    found: NDArray[np.int64] = cKDTree(rng.random((nodes, 2))).query_pairs(
        radius, output_type="ndarray"
    )
    return found


def _road(rng: np.random.Generator, nodes: int, edges: int) -> NDArray[np.int64]:
    """Crossings of a grid, some streets missing, in no order."""
    side = int(nodes**0.5)
    number = rng.permutation(nodes)[: side * side].reshape(side, side)
    across = np.stack([number[:, :-1], number[:, 1:]], axis=-1).reshape(-1, 2)
    down = np.stack([number[:-1], number[1:]], axis=-1).reshape(-1, 2)
    streets = np.concatenate([across, down])
    return rng.permutation(streets)[:edges]


def _clusters(rng: np.random.Generator, nodes: int, edges: int) -> NDArray[np.int64]:
    """Holme and Kim: a power law with many triangles."""
    import networkx as nx

    each = max(2, edges // nodes)
    graph = nx.powerlaw_cluster_graph(nodes, each, 0.6, seed=int(rng.integers(1 << 30)))
    return np.array(graph.edges())
