"""A graph and a budget small enough for a test."""

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.comparison import Profile


@pytest.fixture
def tiny_profile():
    grid = {"hidden": (8,), "dropout": (0.0, 0.5), "weight_decay": (0.0,), "learning_rate": (0.03,)}
    return Profile("tiny", grid, epochs=4, patience=4)


@pytest.fixture(scope="session")
def halves():
    """60 nodes of two classes, mostly linked within their class."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    drawn = np.triu(rng.random((60, 60)) < np.where(y[:, None] == y, 0.2, 0.02), 1)
    x = rng.standard_normal((60, 4)).astype(np.float32)
    return grape.Graph.from_edges(*np.nonzero(drawn), num_nodes=60, x=x, y=y)
