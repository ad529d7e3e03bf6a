"""Columns as people have them: balances around 10^4 must not wreck a training."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import grape_gnn as grape
from grape_gnn.errors import GrapeWarning

N = 1500
RNG = np.random.default_rng(0)
BALANCE, AGE = RNG.normal(1e4, 3e3, N), RNG.normal(40, 10, N)
RISK = (BALANCE - 1e4) / 3e3 + (AGE - 40) / 10
LEAVES = np.where(np.quantile(RISK, 0.808) < RISK, "leaves", "stays")
SOURCE = RNG.integers(0, N, 3 * N)
TARGET = (SOURCE + RNG.integers(1, N, 3 * N)) % N


def accuracy(graph: grape.Graph) -> float:
    model = grape.GrapeClassifier("edge", epochs=120, learning_rate=0.02, metric="accuracy")
    return model.fit(graph).score(graph)


@pytest.mark.filterwarnings("ignore:dropped")
def test_a_table_of_raw_numbers_does_as_well_as_standardised_ones() -> None:
    """1,500 nodes, 80.8% of which stay: nothing is lost by not standardising oneself."""
    raw = np.column_stack([BALANCE, AGE])
    edges = pd.DataFrame({"source": SOURCE, "target": TARGET})
    nodes = pd.DataFrame({"id": np.arange(N), "balance": BALANCE, "age": AGE, "leaves": LEAVES})
    table = grape.Graph.from_pandas(edges, nodes, label="leaves")
    # Named nodes come in the order of the edges: the same order gives the same split.
    order = np.array([table.name_of(node) for node in range(N)], dtype=int)
    scaled = grape.Graph.from_edges(
        table.edge_array()[:, 0], table.edge_array()[:, 1], N,
        x=((raw - raw.mean(axis=0)) / raw.std(axis=0))[order], y=LEAVES[order],
    )  # fmt: skip
    majority = (LEAVES == "stays").mean()
    assert majority == pytest.approx(0.808)
    by_hand = accuracy(scaled)
    assert by_hand > majority + 0.1
    assert accuracy(table) == pytest.approx(by_hand, abs=0.015)


@pytest.mark.filterwarnings("ignore:dropped")
def test_a_matrix_of_raw_numbers_is_warned_of() -> None:
    """It is taken as it is, the majority is all that is learnt, and the remedy is said before."""
    graph = grape.Graph.from_edges(SOURCE, TARGET, N, x=np.column_stack([BALANCE, AGE]), y=LEAVES)
    model = grape.GrapeClassifier("edge", epochs=20, metric="accuracy")
    with pytest.warns(GrapeWarning, match=r"values around 1e\+04.*pass scaling=True"):
        model.fit(graph)


def test_a_category_that_only_other_nodes_have_is_spoken_of_on_another_graph_only() -> None:
    """A rare job is not in every training part: cross-validation would say it for every fold."""
    n = 60
    edges = pd.DataFrame({"source": range(n), "target": [(k + 1) % n for k in range(n)]})
    jobs = ["pilot" if k == 41 else ("cook", "clerk")[k % 2] for k in range(n)]
    nodes = pd.DataFrame({"id": range(n), "job": jobs, "team": ["red", "blue"] * (n // 2)})
    nodes["part"] = ["train"] * 30 + ["val"] * 10 + ["test"] * 20
    graph = grape.Graph.from_pandas(edges, nodes, label="team")
    model = grape.GrapeClassifier("edge", epochs=2).fit(graph)
    assert 0 <= model.score(graph) <= 1
    other = grape.Graph.from_pandas(edges[:-1], nodes, label="team")
    with pytest.warns(GrapeWarning, match="'job' has 1 values that training did not have"):
        model.predict(other)


def test_another_table_for_the_same_edges_is_another_table() -> None:
    edges = pd.DataFrame({"source": range(40), "target": np.roll(range(40), 1)})
    nodes = pd.DataFrame({"id": range(40), "job": ["cook", "clerk"] * 20, "age": range(40)})
    nodes["team"] = np.where(nodes.age < 20, "red", "blue")
    graph = grape.Graph.from_pandas(edges, nodes, label="team")
    model = grape.GrapeClassifier("edge", epochs=1).fit(graph)
    model.predict(graph)
    strange = nodes.assign(job=["king", "queen"] * 20)
    with pytest.warns(GrapeWarning, match="'job' has 40 values that training did not have"):
        model.predict(grape.Graph.from_pandas(edges, strange, label="team"))
    words = nodes.assign(age=["young", "old"] * 20)
    with pytest.warns(GrapeWarning, match="'age' was number in training: 40 values"):
        model.predict(grape.Graph.from_pandas(edges, words, label="team"))
