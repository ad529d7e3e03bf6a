"""The preset decoupled: products in memory or on disk, batches of any size, the same model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn import GrapeClassifier, GrapeRegressor
from grape_gnn.errors import GrapeWarning, ModelError, ProductsFileError
from grape_gnn.estimator import decoupled as decoupled_module
from grape_gnn.estimator.decoupled import Decoupled
from grape_gnn.explain import explain_classifier
from grape_gnn.nn import GRAPE
from grape_gnn.training import ProductBatches


def noisy_blocks(n: int = 120, seed: int = 0) -> grape.Graph:
    """Two groups that are denser inside; features say a little."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    likely = np.where(y[:, None] == y[None, :], 0.15, 0.03)
    src, dst = np.nonzero(np.triu(rng.random((n, n)) < likely, 1))
    x = (rng.normal(size=(n, 4)) + 0.4 * y[:, None]).astype(np.float32)
    return grape.Graph.from_edges(src, dst, n, x=x, y=y)


@pytest.fixture(scope="module")
def graph() -> grape.Graph:
    return noisy_blocks()


def fitted(graph: grape.Graph, **options) -> GrapeClassifier:
    chosen = {"preset": "decoupled", "hidden": 8, "epochs": 40, **options}
    return GrapeClassifier("edge,3-path,triangle", **chosen).fit(graph)


def test_it_learns(graph: grape.Graph) -> None:
    assert fitted(graph).score(graph) > 0.85
    assert fitted(graph, label_inputs=True).score(graph) > 0.9


def test_folder_and_memory_give_the_same_model(graph: grape.Graph, tmp_path: Path) -> None:
    inside = fitted(graph, batch_size=16)
    outside = fitted(graph, batch_size=16, products=str(tmp_path / "products"))
    assert inside.history_ == outside.history_
    np.testing.assert_array_equal(inside.outputs(graph), outside.outputs(graph))
    products = grape.precompute(graph, "edge,3-path,triangle", tmp_path / "before")
    assert products.hops == 2
    before = fitted(graph, batch_size=16, products=str(tmp_path / "before"))
    assert before.history_ == inside.history_


def test_scores_do_not_depend_on_the_batch(graph: grape.Graph) -> None:
    model = fitted(graph, batch_size=16)
    found = model.outputs(graph)
    model.batch_size = 7
    np.testing.assert_allclose(model.outputs(graph), found, rtol=1e-5, atol=1e-5)
    model.batch_size = None
    np.testing.assert_allclose(model.outputs(graph), found, rtol=1e-5, atol=1e-5)


def test_large_products_go_to_a_temporary_folder(
    graph: grape.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoupled_module, "IN_MEMORY", 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    inputs = Decoupled("edge").inputs(graph, graph.x)
    (folder,) = tmp_path.iterdir()
    assert (folder / "config.json").exists()
    assert inputs.rows(torch.tensor([3]))[2].shape == (1, 1, 4)
    del inputs
    assert not folder.exists()


def test_products_of_other_data_are_refused(graph: grape.Graph, tmp_path: Path) -> None:
    grape.precompute(graph, "edge", tmp_path / "p")
    with pytest.raises(ProductsFileError, match="the templates changed"):
        fitted(graph, products=str(tmp_path / "p"))


def test_a_model_asks_no_folder_for_another_graph(graph: grape.Graph, tmp_path: Path) -> None:
    model = fitted(graph, products=str(tmp_path / "p"))
    other = noisy_blocks(seed=1)
    assert model.predict(other).shape == (120,)
    with pytest.warns(GrapeWarning, match="not the graph of the training"):
        assert model.score(other) > 0.7


@pytest.mark.parametrize("label_inputs", [False, True])
def test_saved_and_loaded(graph: grape.Graph, tmp_path: Path, label_inputs: bool) -> None:
    model = fitted(graph, label_inputs=label_inputs)
    model.save(tmp_path / "m.safetensors")
    again = GrapeClassifier.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(again.outputs(graph), model.outputs(graph))
    assert again.transform(graph).shape == (120, 8)
    assert again.num_features == 4


def test_very_many_features_are_reduced_and_the_model_knows_how(
    graph: grape.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoupled_module, "WIDE", 3)
    monkeypatch.setattr(decoupled_module, "KEPT", 2)
    model = fitted(graph)
    directions = model.network.directions.numpy()
    assert directions.shape == (4, 2)
    _, _, wanted = np.linalg.svd(graph.x, full_matrices=False)
    np.testing.assert_allclose(np.abs(directions.T @ wanted[:2].T), np.eye(2), atol=1e-4)
    model.save(tmp_path / "m.safetensors")
    again = GrapeClassifier.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(again.outputs(graph), model.outputs(graph))


def test_tasks(graph: grape.Graph) -> None:
    rng = np.random.default_rng(0)
    src, dst = np.nonzero(np.triu(rng.random((60, 60)) < 0.1, 1))
    x = rng.normal(size=(60, 3)).astype(np.float32)
    several = grape.Graph.from_edges(
        src, dst, 60, x=x, y=[{"a", "b"} if each > 0 else {"b"} for each in x[:, 0]]
    )
    options = {"preset": "decoupled", "epochs": 5, "batch_size": 20}
    found = GrapeClassifier("edge", label_inputs=True, **options).fit(several)
    assert found.predict(several).shape == (60, 2)
    numbers = grape.Graph.from_edges(src, dst, 60, x=x, y=x[:, 0] * 100.0 + 7.5)
    for label_inputs in (False, True):
        model = GrapeRegressor("edge", label_inputs=label_inputs, **options).fit(numbers)
        assert model.predict(numbers).shape == (60,)


def test_every_training_node_is_in_one_batch_of_an_epoch(graph: grape.Graph) -> None:
    inputs = Decoupled("edge").inputs(graph, graph.x)
    nodes = torch.arange(10, 110)
    seen = [batch.nodes for batch in ProductBatches(inputs, 32).drawn(nodes)]
    assert [len(part) for part in seen] == [32, 32, 32, 4]
    assert torch.cat(seen).sort().values.tolist() == nodes.tolist()


def test_windows_and_runs_lose_no_node(graph: grape.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    module = __import__("grape_gnn.training.product_inputs", fromlist=["RUN"])
    monkeypatch.setattr(module, "RUN", 7)
    monkeypatch.setattr(module, "WINDOW_BYTES", 1)
    inputs = Decoupled("edge").inputs(graph, graph.x)
    for batch in (batches := list(ProductBatches(inputs, 20).drawn(torch.arange(120)))):
        torch.testing.assert_close(batch.inputs[0], torch.from_numpy(graph.x[batch.nodes]))
    assert torch.cat([batch.nodes for batch in batches]).sort().values.tolist() == list(range(120))


def test_shares_make_up_the_batches_and_read_their_own_rows_only(
    graph: grape.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = Decoupled("edge").inputs(graph, graph.x)
    batches, rows, asked = ProductBatches(inputs, 16), inputs.rows, []
    monkeypatch.setattr(inputs, "rows", lambda nodes: asked.append(nodes) or rows(nodes))

    def epoch(*share: int) -> list[torch.Tensor]:
        torch.manual_seed(3)
        drawn = list(batches.drawn(torch.arange(100), share))
        for batch in drawn:
            torch.testing.assert_close(batch.inputs[0], torch.from_numpy(graph.x[batch.nodes]))
        return [batch.nodes for batch in drawn]

    whole, one, two = epoch(0, 1), epoch(0, 2), epoch(1, 2)
    assert [len(nodes) for nodes in asked] == [100, 50, 50]
    for together, *halves in zip(whole, one, two, strict=True):
        assert torch.equal(together, torch.cat(halves))


def test_what_it_cannot_do_is_said_in_a_line(graph: grape.Graph) -> None:
    model = fitted(graph, epochs=2)
    with pytest.raises(ModelError, match="keeps no role matrices to explain it by"):
        explain_classifier(model, graph, model.split_.validation)
    with pytest.raises(ModelError, match="'decoupled' has no layers to build"):
        GRAPE(model.templates_, 2, 2, preset="decoupled")
    with pytest.raises(ModelError, match=r"roles= is for presets with layers"):
        GrapeClassifier("edge", preset="decoupled").fit(graph, roles=grape.match(graph, "edge"))


def test_checkpoints_go_on_to_the_same_model(graph: grape.Graph, tmp_path: Path) -> None:
    whole = fitted(graph, batch_size=16, label_inputs=True)

    def kill(total: int, history: object) -> None:
        if len(history.epochs) == 30:  # type: ignore[attr-defined]
            raise KeyboardInterrupt

    options = {"preset": "decoupled", "hidden": 8, "epochs": 40, "batch_size": 16}
    model = GrapeClassifier("edge,3-path,triangle", label_inputs=True, **options)
    file = tmp_path / "c.safetensors"
    with pytest.raises(KeyboardInterrupt):
        model.fit(graph, checkpoint=file, progress=kill)
    model.fit(graph, checkpoint=file)
    np.testing.assert_array_equal(model.outputs(graph), whole.outputs(graph))
