"""Training in mini-batches through the estimators."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.errors import GrapeWarning, ModelError
from grape_gnn.estimator import batch_size as batch_module
from grape_gnn.planning.machine import Machine


@pytest.fixture(scope="module")
def graph() -> grape.Graph:
    return grape.datasets.load("planted-roles", num_shapes=12)


def fitted(graph: grape.Graph, **options: object) -> grape.GrapeClassifier:
    given = {"templates": "edge,3-path,triangle", "epochs": 12, "seed": 1, "hidden": 8, **options}
    return grape.GrapeClassifier(**given).fit(graph)


@pytest.mark.parametrize("preset", ["default", "paper", "released"])
@pytest.mark.parametrize("options", [{}, {"sample_neighbours": 3}, {"label_inputs": True}])
def test_the_same_seed_gives_the_same_and_the_chosen_epoch_is_what_is_predicted(
    graph, preset, options
):
    one, two = (fitted(graph, batch_size=16, preset=preset, **options) for _ in range(2))
    assert one.history_.epochs == two.history_.epochs
    assert np.array_equal(one.outputs(graph), two.outputs(graph))
    chosen = one.history_.epochs[one.history_.best]
    assert one.score(graph, mask=one.split_.validation) == pytest.approx(chosen.validation_accuracy)
    assert one.batch_size_ == 16


def test_a_killed_training_goes_on_to_the_same_end(graph, tmp_path, monkeypatch):
    monkeypatch.setattr("grape_gnn.training.trainer.CHECKPOINT_SECONDS", 0)
    options = {"batch_size": 16, "sample_neighbours": 2, "preset": "released"}
    whole = fitted(graph, **options)

    def kill(_, history):
        if len(history.epochs) == 5:
            raise KeyboardInterrupt

    file = tmp_path / "checkpoint.safetensors"
    classifier = grape.GrapeClassifier(
        templates="edge,3-path,triangle", epochs=12, seed=1, hidden=8, **options
    )
    with pytest.raises(KeyboardInterrupt):
        classifier.fit(graph, checkpoint=file, progress=kill)
    again = classifier.fit(graph, checkpoint=file)
    assert again.history_.epochs == whole.history_.epochs
    assert np.array_equal(again.outputs(graph), whole.outputs(graph))


def test_models_with_batches_are_saved_and_loaded(graph, tmp_path):
    model = fitted(graph, batch_size=16, preset="paper")
    model.save(tmp_path / "model.safetensors")
    loaded = grape.GrapeClassifier.load(tmp_path / "model.safetensors")
    assert np.array_equal(loaded.outputs(graph), model.outputs(graph))
    assert loaded.batch_size == 16


def test_files_from_before_there_was_a_measured_gamma_are_read(graph):
    network = fitted(graph, preset="paper", batch_size=None).network
    old = {k: v for k, v in network.state_dict().items() if not k.endswith("fusion.measured")}
    assert len(old) < len(network.state_dict())
    network.load_state_dict(old)


@pytest.fixture
def larger() -> grape.Graph:
    """Give a graph whose training on all nodes takes more than its batches."""
    ends = np.random.default_rng(0).integers(0, 20_000, (2, 40_000))
    y = np.arange(20_000) % 2
    return grape.Graph.from_edges(*ends[:, ends[0] < ends[1]], num_nodes=20_000, y=y)


@pytest.fixture
def with_memory(monkeypatch):
    """Give a function that sets the memory that is free."""

    def take(memory: float) -> None:
        small = Machine(memory=int(memory), disk=10**9, processors=1)
        monkeypatch.setattr(batch_module, "this_machine", lambda: small)

    return take


def test_auto_takes_mini_batches_where_all_nodes_do_not_fit(larger, with_memory):
    whole, batches, _ = grape.plan(larger, "edge,triangle", hidden=64).training
    assert batches.memory < whole.memory
    options = {"templates": "edge,triangle", "hidden": 64, "epochs": 1}
    with_memory(whole.memory * 1.2)
    assert fitted(larger, **options).batch_size_ is None
    with_memory((whole.memory + batches.memory) / 2 / 0.9)
    with pytest.warns(
        GrapeWarning, match="all nodes at once needs about .* GB and 0.1 GB are free"
    ):
        model = fitted(larger, **options)
    assert (model.batch_size_, model.sample_neighbours_) == (1024, 10)
    # Roles that are there need not be matched: they are looked at as they are.
    roles = grape.match(larger, "edge,triangle")
    given = grape.GrapeClassifier("edge,triangle", hidden=64, epochs=1)
    with pytest.warns(GrapeWarning, match="all nodes at once needs about"):
        given.fit(larger, roles=roles)


def test_what_does_not_fit_is_said_before_anything_is_matched(larger, with_memory, monkeypatch):
    def matched(*_, **__):
        raise AssertionError("matched")

    monkeypatch.setattr("grape_gnn.estimator.method.match", matched)
    _, batches, decoupled = grape.plan(larger, "edge,3-path,triangle", hidden=8).training
    assert decoupled.memory < batches.memory
    between = (decoupled.memory + batches.memory) / 2
    for memory, remedy in ((10_000_000, ""), (between / 0.9, "the preset 'decoupled', ")):
        with_memory(memory)
        with pytest.raises(
            ModelError,
            match=r"needs about 0\.\d GB on all nodes at once and 0\.\d GB in mini-batches, and "
            rf"0\.\d GB are free: use {remedy}fewer templates, or .*; batch_size=1024 and sample_n",
        ):
            fitted(larger)
    with pytest.raises(AssertionError, match="matched"):
        fitted(larger, batch_size=1024, sample_neighbours=10)


def test_a_small_graph_is_not_looked_at_closely(graph, monkeypatch):
    monkeypatch.setattr(batch_module, "MatchEstimator", None)
    assert fitted(graph).batch_size_ is None


def test_bad_sizes_are_refused(graph):
    with pytest.raises(ModelError, match="'all': give a number, 'auto', or None"):
        fitted(graph, batch_size="all")
    with pytest.raises(ModelError, match="sample_neighbours is for mini-batches"):
        fitted(graph, batch_size=None, sample_neighbours=3)
    with pytest.raises(ModelError, match="batch_size"):
        fitted(graph, batch_size=0)


def test_numbers_and_sparse_features(graph):
    rng = np.random.default_rng(0)
    x = np.zeros((graph.num_nodes, 80), np.float32)
    x[np.arange(graph.num_nodes), rng.integers(0, 80, graph.num_nodes)] = 1.0
    edges = graph.edge_array().T
    numbers = rng.normal(size=graph.num_nodes)
    target = grape.Graph.from_edges(*edges, num_nodes=graph.num_nodes, x=x, y=numbers)
    model = grape.GrapeRegressor("edge,3-path", epochs=3, batch_size=20).fit(target)
    assert torch.isfinite(torch.from_numpy(model.predict(target))).all()
