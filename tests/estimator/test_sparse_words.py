"""Words of papers as a sparse matrix: no step of a training makes it dense."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy import sparse

from grape_gnn import GrapeClassifier, NodeEncoder, read_graph
from grape_gnn.baselines.registry import METHODS, method
from grape_gnn.errors import GraphError
from grape_gnn.estimator.input import node_features
from grape_gnn.explain import explain_classifier
from grape_gnn.graph import Graph, feature_matrix
from grape_gnn.nn import SparseFeatures, as_sparse
from grape_gnn.search.columns import narrowed
from grape_gnn.training import LabelInputs, is_constant

NODES, WORDS = 60, 600


@pytest.fixture
def papers() -> Graph:
    """Two topics; a topic has ten words of its own."""
    random = np.random.default_rng(0)
    topic = np.arange(NODES) % 2
    words = np.zeros((NODES, WORDS))
    for paper in range(NODES):
        words[paper, random.choice(10, 4, replace=False) + 10 * topic[paper]] = 1
        words[paper, random.choice(np.arange(20, WORDS), 5, replace=False)] = 1
    pairs = [(u, v) for u in range(NODES) for v in range(u + 2, NODES, 2) if (u * v) % 5 == 1]
    return Graph.from_edges(*np.transpose(pairs), NODES, x=sparse.csr_array(words), y=topic)


@pytest.fixture(autouse=True)
def nothing_dense(monkeypatch):
    """No one may have all words of all papers as a dense matrix."""
    monkeypatch.setattr(feature_matrix, "DENSE_BYTES", 4 * NODES * WORDS - 1)
    plain = sparse.csr_array.toarray

    def toarray(matrix, *rest, **more):
        assert np.prod(matrix.shape) < NODES * WORDS, "made dense"
        return plain(matrix, *rest, **more)

    monkeypatch.setattr(sparse.csr_array, "toarray", toarray)


@pytest.mark.parametrize(
    "options",
    [{}, {"label_inputs": True}, {"preset": "paper"}, {"preset": "decoupled"},
     {"batch_size": 16}, {"scaling": True}],
    ids=str,
)  # fmt: skip
def test_training_predicting_and_the_model_file(papers, options, tmp_path):
    model = GrapeClassifier("edge,triangle", epochs=25, **options).fit(papers)
    assert model.score(papers) > 0.7
    model.save(tmp_path / "model.safetensors")
    papers.save(tmp_path / "papers.npz")
    again = GrapeClassifier.load(tmp_path / "model.safetensors")
    answers = again.predict_proba(read_graph(tmp_path / "papers.npz"))
    np.testing.assert_allclose(answers, model.predict_proba(papers), atol=1e-5)


def test_it_is_the_training_of_the_dense_matrix(papers, monkeypatch):
    sparsely = GrapeClassifier("edge,triangle", epochs=5).fit(papers).predict_proba(papers)
    monkeypatch.undo()
    dense = replace(papers, x=papers.x.toarray())
    as_before = GrapeClassifier("edge,triangle", epochs=5).fit(dense).predict_proba(dense)
    np.testing.assert_allclose(sparsely, as_before, atol=1e-5)


@pytest.mark.parametrize("name", [name for name in METHODS if name != "label-propagation"])
def test_baselines(papers, name):
    chosen = method(name, "edge,triangle")
    prepared = chosen.prepare(papers, node_features(papers))
    network = {"hidden": 8, "dropout": 0.1, "learning_rate": 0.01, "weight_decay": 0.0}
    point = network if chosen.grid is None else {"penalty": 1.0}
    settings = chosen.settings(False, point, epochs=2, patience=2, seed=0)
    half = torch.arange(NODES) < 40
    fitted = chosen.fit(prepared, torch.from_numpy(papers.y.copy()), half, ~half, 2, settings)
    assert fitted.scores.shape == (NODES, 2)


def test_explanations_name_the_words_that_tell(papers):
    model = GrapeClassifier("edge", epochs=60).fit(papers)
    found = explain_classifier(model, papers, np.ones(NODES, bool)).features
    assert found.columns > 200
    told = [int(name.removeprefix("feature ")) for name in found.names[:10]]
    assert sum(word < 20 for word in told) >= 4  # one of them by chance; seeds give 4 to 8


def test_scaling_divides_by_the_largest_training_value(papers):
    raw = replace(papers, x=sparse.csr_array(papers.x * np.float32(50)))
    encoder = NodeEncoder().fit(raw)
    assert encoder.transform(raw).max() == 1
    kept = NodeEncoder.from_json(encoder.to_json())
    assert (kept.transform(raw) != encoder.transform(raw)).nnz == 0
    assert encoder.describe()[0][:2] == ("x", "sparse matrix")


def test_what_hides_a_label_hides_all_of_it():
    x = SparseFeatures(torch.eye(4))
    several = torch.tensor([[1, 1, 0], [0, 1, 1], [1, 1, 1], [-1, -1, -1]])
    numbers = torch.tensor([3.0, 5.0, 9.0, float("nan")])
    for labels, outputs in ((several, 3), (numbers, 1)):
        drawn, hidden = LabelInputs(x, labels, outputs).draw()
        assert drawn.to_dense()[hidden, 4:].abs().sum() == 0


def test_narrowing_for_the_search(papers, monkeypatch):
    found = narrowed(papers.x, 3)
    monkeypatch.undo()
    np.testing.assert_allclose(found, narrowed(papers.x.toarray(), 3), atol=1e-4)


def test_constant_and_other_devices(papers):
    same = sparse.csr_array(np.tile([0, 1.0, 2.0], (NODES, 1)))
    assert is_constant(Graph.from_edges([0], [1], NODES, x=same).x)
    assert not is_constant(papers.x)
    with pytest.raises(GraphError, match="the device meta needs the features as a dense matrix"):
        as_sparse(papers.x, "meta")
