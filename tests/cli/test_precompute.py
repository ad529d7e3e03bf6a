"""``grape precompute``, and ``grape train`` on what it left behind."""

from __future__ import annotations

import shlex

import numpy as np
import pytest

import grape_gnn


@pytest.fixture
def saved(tmp_path):
    """Give a graph in a folder, mapped when it is read."""
    rng = np.random.default_rng(0)
    src, dst = np.nonzero(np.triu(rng.random((60, 60)) < 0.15, 1))
    x = rng.normal(size=(60, 6)).astype(np.float32)
    graph = grape_gnn.Graph.from_edges(src, dst, 60, x=x, y=(x[:, 0] > 0).astype(int))
    graph.save(tmp_path / "g.grape")
    return tmp_path / "g.grape"


def test_products_are_written_and_summarised(grape, saved, tmp_path):
    out = tmp_path / "products"
    asked = ("precompute", saved, "--templates", "social", "--hops", 2, "--out", out)
    words = grape.output(*asked, "--memory", "1GB")
    assert "60 nodes, 7 roles, 6 columns, 2 hops: 0.0 MB" in words
    assert f"written: {out}" in words
    said = f"grape train {saved} --templates social --preset decoupled --products {out}"
    assert said in words.replace("\n", "")
    again = grape.json(*asked)
    assert (again["roles"], again["columns"], again["bytes"]) == (7, 6, 4 * 60 * 14 * 7)


def test_what_is_said_to_be_next_trains_on_these_products(grape, tmp_path):
    """It left out templates and options, so that the products were of other data."""
    out = tmp_path / "products"
    asked = ("social-like", "--option", "num_nodes=120", "--templates", "edge,triangle")
    words = grape.output("precompute", *asked, "--out", out)
    said = shlex.split(words.partition("next:")[2])
    assert said[:2] == ["grape", "train"]
    grape.output(*said[1:], "--epochs", 1, "--out", tmp_path / "run")


def test_training_and_asking_a_run(grape, saved, tmp_path):
    products, run = tmp_path / "products", tmp_path / "run"
    grape.output("precompute", saved, "-t", "edge,triangle", "--out", products)
    found = grape.json(
        "train", saved, "-t", "edge,triangle", "--preset", "decoupled", "--products", products,
        "--batch-size", 20, "--epochs", 5, "--out", run,
    )  # fmt: skip
    assert found["epochs"] == 5
    assert grape.json("evaluate", run)
    assert grape.output("predict", run).count("\n") >= 60
    assert "keeps no role matrices to explain it by" in grape.error("explain", run)
    assert "open it in a browser" in grape.output("report", run)


def test_training_makes_the_products_if_they_are_not_there(grape, saved, tmp_path):
    products = tmp_path / "products"
    options = ("--preset", "decoupled", "--products", products, "--epochs", 2)
    grape.output("train", saved, "-t", "edge", *options, "--out", tmp_path / "run")
    assert grape_gnn.products.ProductFolder.open(products).missing == []


def test_refusals_are_one_line(grape, saved, tmp_path):
    out = tmp_path / "products"
    grape.output("precompute", saved, "-t", "edge", "--out", out)
    line = grape.error("precompute", saved, "-t", "triangle", "--out", out)
    assert "holds products of other data: the templates changed since" in line
    line = grape.error("precompute", saved, "-t", "edge", "--out", out / "new", "--hops", 3)
    assert "hops=3 must be at most 2" in line
    line = grape.error("precompute", saved, "-t", "edge", "--out", tmp_path / "n", "--memory", 10)
    assert "one column of products of 1 roles and 60 nodes takes" in line
    line = grape.error(
        "train", saved, "-t", "edge,triangle", "--preset", "decoupled", "--products", out,
        "--out", tmp_path / "run",
    )  # fmt: skip
    assert "the templates changed" in line
    assert not (tmp_path / "run").exists()


def test_a_node_table_needs_the_training_nodes(grape, friends, tmp_path):
    table = tmp_path / "people.csv"
    table.write_text("name,age\nann,1\nbob,2\ncat,3\ndan,4\n")
    asked = ("precompute", friends, "--nodes", table, "-t", "edge", "--out", tmp_path / "p")
    assert "become features by the training nodes: give x" in grape.error(*asked)
