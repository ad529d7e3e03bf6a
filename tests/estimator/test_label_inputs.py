"""`GrapeClassifier(label_inputs=True)`: what it gains, what it may see, and its files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import GrapeWarning, ModelError, ModelFileError
from grape_gnn.files.tensor_file import read_tensors, write_tensors
from grape_gnn.training import History


@pytest.fixture(scope="module")
def communities() -> grape.Graph:
    """Three communities that look alike: only labels tell which is which."""
    rng = np.random.default_rng(0)
    team = np.repeat([0, 1, 2], 40)
    chance = np.where(team[:, None] == team, 0.25, 0.01)
    src, dst = np.nonzero(np.triu(rng.random((120, 120)) < chance, 1))
    return grape.Graph.from_edges(
        src, dst, num_nodes=120, y=np.array(["red", "green", "blue"])[team]
    )


def classifier(**options) -> grape.GrapeClassifier:
    settings = {"hidden": 8, "epochs": 80, "min_epochs": 0, "seed": 0, **options}
    return grape.GrapeClassifier("edge,triangle", **settings)


@pytest.fixture(scope="module")
def fitted(communities) -> grape.GrapeClassifier:
    return classifier(label_inputs=True).fit(communities)


def test_labels_around_a_node_tell_its_own(communities, fitted):
    assert fitted.score(communities) > 0.9
    assert classifier().fit(communities).score(communities) < 0.7


def test_labels_of_validation_and_test_nodes_are_never_seen(communities, fitted):
    other = communities.y.copy()
    unseen = ~fitted.split_.train
    other[unseen] = (other[unseen] + 1) % 3
    changed = grape.Graph.from_edges(
        *communities.edge_array().T, num_nodes=120, y=np.array(communities.label_names)[other]
    )
    assert np.array_equal(fitted.predict_proba(changed), fitted.predict_proba(communities))


def test_a_saved_model_remembers_the_training_labels(communities, fitted, tmp_path: Path):
    file = tmp_path / "model.safetensors"
    fitted.save(file)
    again = grape.GrapeClassifier.load(file)
    assert again.label_inputs
    assert np.array_equal(again.predict_proba(communities), fitted.predict_proba(communities))


def test_a_file_without_the_training_labels_is_refused(fitted, tmp_path: Path):
    file = tmp_path / "model.safetensors"
    fitted.save(file)
    weights, header = read_tensors(file)
    del weights["label inputs"]
    write_tensors(file, weights, header)
    with pytest.raises(ModelFileError, match="the training labels are missing"):
        grape.GrapeClassifier.load(file)


def test_another_graph_shows_the_labels_one_names(communities, fitted):
    order = np.random.default_rng(1).permutation(120)
    other = grape.Graph.from_edges(
        *order[communities.edge_array().T],
        num_nodes=120,
        y=np.array(communities.label_names)[communities.y[np.argsort(order)]],
    )
    with pytest.warns(GrapeWarning, match="say by known= which labels"):
        blind = fitted.predict(other)
    known = np.arange(120) % 2 == 0
    truth = np.array([other.label_names[code] for code in other.y])
    seeing = fitted.predict(other, known=known)
    assert (seeing == truth)[~known].mean() > 0.9
    assert (blind == truth)[~known].mean() < 0.7


def test_resuming_draws_the_same_labels(communities, tmp_path: Path):
    whole = classifier(label_inputs=True, epochs=40).fit(communities).predict_proba(communities)

    def interrupt(total: int, history: History) -> None:
        if len(history.epochs) == 33:
            raise KeyboardInterrupt

    file = tmp_path / "run.safetensors"
    with pytest.raises(KeyboardInterrupt):
        classifier(label_inputs=True, epochs=40).fit(
            communities, checkpoint=file, progress=interrupt
        )
    again = classifier(label_inputs=True, epochs=40).fit(communities, checkpoint=file)
    assert np.array_equal(again.predict_proba(communities), whole)


def test_misuse(communities, fitted):
    with pytest.raises(ModelError, match="not fitted yet"):
        classifier(label_inputs=True).predict(communities)
    with pytest.raises(ModelError, match="known= is for models with label_inputs=True"):
        classifier(epochs=1).fit(communities).predict(communities, known=[0])
    bare = grape.Graph.from_edges([0, 1], [1, 2])
    with pytest.raises(ModelError, match="the graph has no labels"):
        fitted.predict(bare, known=[0])
    wide = grape.Graph.from_edges([0, 1], [1, 2], x=np.ones((3, 4)))
    with pytest.raises(ModelError, match="has 4 features per node, the model was trained with 1"):
        fitted.predict(wide)
