"""Two small graphs with features and labels."""

import numpy as np
import pytest

import grape_gnn as grape


@pytest.fixture(scope="session")
def small():
    """20 nodes, 50 random edges, 5 features."""
    rng = np.random.default_rng(3)
    pairs = {(int(a), int(b)) for a, b in rng.integers(0, 20, (80, 2)) if a < b}
    src, dst = zip(*sorted(pairs)[:50], strict=True)
    x = rng.standard_normal((20, 5)).astype(np.float32)
    return grape.Graph.from_edges(src, dst, num_nodes=20, x=x, y=rng.integers(0, 3, 20))


@pytest.fixture(scope="session")
def communities():
    """120 nodes in 3 communities; features that tell a little, so that neighbours help."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3
    same = y[:, None] == y[None, :]
    drawn = np.triu(rng.random((120, 120)) < np.where(same, 0.15, 0.02), 1)
    src, dst = np.nonzero(drawn)
    x = np.eye(3, dtype=np.float32)[y] + rng.standard_normal((120, 3)).astype(np.float32)
    return grape.Graph.from_edges(src, dst, num_nodes=120, x=x, y=y)
