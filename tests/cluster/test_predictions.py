"""Predictions in parts: those of one machine, whoever works, and nothing is ever lost."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import grape_gnn as grape
from grape_gnn.cluster import PredictionsFolder, predict_parts
from grape_gnn.cluster import predict as cluster_predict
from grape_gnn.errors import (
    GrapeWarning,
    GraphError,
    GraphFileError,
    ModelError,
    ModelFileError,
    ProductsFileError,
    WorkersError,
)
from grape_gnn.runs.predictions import predict_nodes
from grape_gnn.testing import gnp
from tests.dask_cluster import dask_cluster

NODES = 90


def labelled_graph(features: int = 5) -> grape.Graph:
    """Return a graph with names, features, and labels of half of its nodes."""
    graph, rng = gnp(NODES, 0.08, seed=3), np.random.default_rng(0)
    labels = [["odd", "even"][k % 2] if k % 4 < 2 else None for k in range(NODES)]
    return grape.Graph.from_edges(
        *graph.edge_array().T,
        NODES,
        x=rng.standard_normal((NODES, features)),
        y=labels,
        names=[f"n{k}" for k in range(NODES)],
    )


@pytest.fixture
def place(tmp_path):
    """Give a folder with a graph on disk, ``g.grape``."""
    labelled_graph().save(tmp_path / "g.grape")
    return tmp_path


def fitted(graph, preset="decoupled", kind=grape.GrapeClassifier, **options):
    return kind("edge,triangle,4-path", preset, epochs=8, hidden=8, **options).fit(graph)


def check_equal(found: PredictionsFolder, model, graph, known=None) -> None:
    """Compare the parts with the predictions of one machine."""
    table = pd.concat(
        pd.read_parquet(found.part_path(block), engine="pyarrow") for block in found.blocks
    )
    rows = predict_nodes(
        model, graph, model.split_ if found.config["trained_here"] else None, known
    )
    names = graph.names if graph.names is not None else range(graph.num_nodes)
    assert table["node"].tolist() == list(names)
    for column in ("label", "predicted", "part"):
        assert table[column].tolist() == [getattr(row, column) for row in rows]
    chances = np.array([row.probability for row in rows], float)
    np.testing.assert_allclose(table["probability"].to_numpy(float), chances, atol=2e-6)


@pytest.mark.parametrize("preset", ["decoupled", "default"])
@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("jobs", [1, 2])
def test_parts_together_are_the_predictions(place, preset, labels, jobs):
    graph = grape.read_graph(place / "g.grape")
    model = fitted(graph, preset, label_inputs=labels)
    found = predict_parts(model, place / "g.grape", place / "p", parts=4, jobs=jobs)
    assert len(found.blocks) == 4
    check_equal(found, model, graph)
    manifest = json.loads((place / "p" / "manifest.json").read_text())
    assert [tuple(part["egos"]) for part in manifest["parts"]] == found.blocks
    assert "train" in set(pd.read_parquet(place / "p" / "parts")["part"])


@pytest.mark.parametrize("preset", ["decoupled", "default"])
def test_another_graph_with_labels_that_may_be_seen(place, preset):
    graph = grape.read_graph(place / "g.grape")
    model = fitted(graph, preset, label_inputs=True)
    other = gnp(40, 0.2, seed=5)
    x = np.random.default_rng(1).standard_normal((40, 5))
    y = ["odd", "even"] * 20
    grape.Graph.from_edges(*other.edge_array().T, 40, x=x, y=y).save(place / "h.grape")
    other = grape.read_graph(place / "h.grape")
    found = predict_parts(model, place / "h.grape", place / "p", parts=3, known=other.labelled)
    check_equal(found, model, other, other.labelled)
    assert set(pd.read_parquet(place / "p" / "parts")["part"]) == {""}


@pytest.mark.parametrize("preset", ["decoupled", "default"])
def test_a_table_of_nodes(place, preset):
    pairs = gnp(NODES, 0.08, seed=3).edge_array()
    people = pd.DataFrame(
        {
            "name": np.arange(NODES),
            "age": np.random.default_rng(0).integers(20, 60, NODES),
            "town": np.array(["north", "south", "west"])[np.arange(NODES) % 3],
            "team": np.array(["a", "b"])[np.arange(NODES) % 2],
        }
    )
    edges = pd.DataFrame(pairs, columns=["source", "target"])
    grape.Graph.from_pandas(edges, people, label="team").save(place / "t.grape")
    graph = grape.read_graph(place / "t.grape")
    model = fitted(graph, preset)
    found = predict_parts(model, place / "t.grape", place / "p", parts=3)
    check_equal(found, model, graph)


def test_very_many_features(place):
    labelled_graph(features=600).save(place / "w.grape")
    graph = grape.read_graph(place / "w.grape")
    model = fitted(graph)
    assert model.network.directions is not None
    check_equal(predict_parts(model, place / "w.grape", place / "p", parts=3), model, graph)


@pytest.mark.parametrize("preset", ["decoupled", "default"])
def test_sparse_features(place, preset):
    graph, random = grape.read_graph(place / "g.grape"), np.random.default_rng(0)
    words = csr_array((random.random((NODES, 40)) < 0.05).astype(np.float32))
    grape.Graph.from_edges(*graph.edge_array().T, NODES, x=words, y=np.arange(NODES) % 2).save(
        place / "s.grape"
    )
    graph = grape.read_graph(place / "s.grape")
    assert not isinstance(graph.x, np.ndarray)
    model = fitted(graph, preset)
    check_equal(predict_parts(model, place / "s.grape", place / "p", parts=3), model, graph)


@pytest.mark.parametrize("preset", ["decoupled", "default"])
def test_numbers(place, preset):
    graph = grape.read_graph(place / "g.grape")
    numbers = np.arange(NODES) * 10.0 + 500
    grape.Graph.from_edges(*graph.edge_array().T, NODES, x=graph.x, y=numbers).save(
        place / "n.grape"
    )
    graph = grape.read_graph(place / "n.grape")
    model = fitted(graph, preset, grape.GrapeRegressor)
    predict_parts(model, place / "n.grape", place / "p", parts=3)
    table = pd.read_parquet(place / "p" / "parts").sort_values("node")
    np.testing.assert_allclose(table["predicted"].astype(float), model.predict(graph), rtol=1e-5)


def test_products_that_are_there_are_used(place):
    graph = grape.read_graph(place / "g.grape")
    model = fitted(graph, products=str(place / "products"))
    found = predict_parts(model, place / "g.grape", place / "p", parts=2)
    assert not (place / "p" / "products").exists()
    check_equal(found, model, graph)
    moved = (place / "products").rename(place / "moved")
    again = predict_parts(model, place / "g.grape", place / "q", parts=2, products=moved)
    assert not (place / "q" / "products").exists()
    check_equal(again, model, graph)
    gnp(NODES, 0.08, seed=4).save(place / "o.grape")
    with pytest.raises(ProductsFileError, match="is not complete, or of another graph"):
        predict_parts(fitted_on_constant(place), place / "o.grape", place / "r", products=moved)


def fitted_on_constant(place):
    graph = grape.read_graph(place / "g.grape")
    bare = grape.Graph.from_edges(*graph.edge_array().T, NODES, y=np.arange(NODES) % 2)
    return fitted(bare)


def test_only_what_is_missing_is_done_again(place):
    model = fitted(grape.read_graph(place / "g.grape"))
    found = predict_parts(model, place / "g.grape", place / "p", parts=4, format="csv")
    before = {file: file.stat().st_mtime_ns for file in (place / "p" / "parts").iterdir()}
    lost = found.part_path(found.blocks[2])
    content = lost.read_bytes()
    lost.unlink()
    predict_parts(model, place / "g.grape", place / "p", parts=4, format="csv")
    assert lost.read_bytes() == content
    for file, written in before.items():
        assert (file.stat().st_mtime_ns == written) == (file != lost)


@pytest.mark.parametrize("name", ["parts/predictions", "labels1", "labels2", "known"])
def test_what_is_damaged_is_made_again(place, name):
    model = fitted(grape.read_graph(place / "g.grape"), label_inputs=True)
    found = predict_parts(model, place / "g.grape", place / "p", parts=3, format="csv")
    (file, *_) = sorted(place.glob(f"p/{name}*"))
    content = file.read_bytes()
    file.write_bytes(content[:-3] + b"abc")
    if name.startswith("parts"):
        with pytest.raises(ModelFileError, match=f"{file.name}: is damaged, or was changed after"):
            found.check()
    with pytest.warns(GrapeWarning, match=f"{file.name}: damaged, or changed .*: made again$"):
        predict_parts(model, place / "g.grape", place / "p", parts=3, format="csv")
    found.check()
    found.part_path(found.blocks[0]).unlink()  # all that workers are given is there for it
    predict_parts(model, place / "g.grape", place / "p", parts=3, format="csv")
    assert file.read_bytes() == content


def test_a_full_disk_is_one_line_and_the_rest_is_kept(place, monkeypatch):
    model = fitted(grape.read_graph(place / "g.grape"))
    write = PredictionsFolder.write_part

    def full(self, block, *rest):
        if block[0] == 0:
            raise OSError(28, "No space left on device", "predictions-0")
        write(self, block, *rest)

    monkeypatch.setattr(PredictionsFolder, "write_part", full)
    with pytest.raises(WorkersError, match=r"1 of 4 parts failed.*No space left on device") as e:
        predict_parts(model, place / "g.grape", place / "p", parts=4)
    assert "\n" not in str(e.value)
    assert len(PredictionsFolder.open(place / "p").missing) == 1
    assert not (place / "p" / "manifest.json").exists()
    monkeypatch.setattr(PredictionsFolder, "write_part", write)
    assert not predict_parts(model, place / "g.grape", place / "p", parts=4).missing


def test_what_has_changed_and_what_cannot_be(place):
    graph = grape.read_graph(place / "g.grape")
    model = fitted(graph)
    predict_parts(model, place / "g.grape", place / "p", parts=2)
    with pytest.raises(ModelFileError, match="holds parts of another prediction: the model is an"):
        predict_parts(fitted(graph, seed=1), place / "g.grape", place / "p", parts=2)
    with pytest.raises(ModelFileError, match="the blocks of egos are others"):
        predict_parts(model, place / "g.grape", place / "p", parts=3)
    with pytest.raises(ModelError, match="'paper' weighs templates by averages over all nodes"):
        predict_parts(fitted(graph, "paper"), place / "g.grape", place / "q")
    with pytest.raises(ModelError, match="not fitted yet"):
        predict_parts(grape.GrapeClassifier(), place / "g.grape", place / "q")
    with pytest.raises(GraphError, match=r"features x must have shape \(90, f\), one row per node"):
        predict_parts(model, place / "g.grape", place / "q", x=np.ones((3, 5)))
    with pytest.raises(GraphFileError, match="workers map a graph on disk"):
        predict_parts(model, place / "g.csv", place / "q")
    assert not (place / "q").exists()
    task = cluster_predict.Task(
        cluster_predict.SharedGraph(str(place / "g.grape"), "another"), str(place / "p"), None
    )
    said = cluster_predict.predict_block(task, (0, 1))
    assert "is another graph than where the work began" in said


@pytest.mark.filterwarnings("ignore")  # of a cluster that loses a worker
def test_a_killed_worker_loses_nothing(place):
    pytest.importorskip("distributed")
    graph = grape.read_graph(place / "g.grape")
    model = fitted(graph, label_inputs=True)
    with dask_cluster(place, None, None) as (address, workers):

        def kill_half_way():
            while len(list((place / "p" / "parts").glob("predictions-*"))) < 10:
                time.sleep(0.02)
            os.kill(workers[0].pid, signal.SIGKILL)

        killer = threading.Thread(target=kill_half_way, daemon=True)
        killer.start()
        found = predict_parts(
            model, place / "g.grape", place / "p", parts=40, jobs=-1, backend="dask",
            scheduler=address,
        )  # fmt: skip
        killer.join(30)
        assert workers[0].wait(10) == -signal.SIGKILL
    assert found.missing == []
    check_equal(found, model, graph)


def test_the_command(place, monkeypatch):
    from typer.testing import CliRunner

    from grape_gnn.cli import app

    monkeypatch.chdir(place)

    def run(*words: str):
        return CliRunner().invoke(app, list(words))

    train = ["--preset", "decoupled", "--epochs", "3", "-t", "edge,triangle"]
    for features in ("original", "constant"):
        out = f"run-{features}"
        assert run("train", "g.grape", *train, "--features", features, "--out", out).exit_code == 0
        result = run("predict", out, "--parts", "3", "--out", f"p-{features}")
        assert result.exit_code == 0, result.output
        assert "90 nodes predicted: 3 parts in" in " ".join(result.stdout.split())
        whole = run("predict", out, "g.grape", "--out", "whole.csv")
        assert whole.exit_code == 0, whole.output
        table = pd.read_parquet(Path(f"p-{features}", "parts"))
        expected = pd.read_csv("whole.csv").set_index("node").loc[table["node"]]
        assert table["predicted"].tolist() == expected["predicted"].tolist()
    for wrong, complaint in (
        (["run-original", "--parts", "3"], "--parts needs a folder for the parts: add --out"),
        (["run-original", "--jobs", "2"], "are for predicting in parts: add --parts 64"),
    ):
        result = run("predict", *wrong)
        assert result.exit_code == 2
        assert complaint in " ".join(result.stderr.split())
