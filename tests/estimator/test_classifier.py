"""GrapeClassifier: scikit-learn's manners, files, inductive use, and every refusal."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.errors import (
    DirectionMismatchError,
    GrapeError,
    GrapeWarning,
    GraphError,
    ModelError,
    ModelFileError,
)
from grape_gnn.estimator import GrapeClassifier
from grape_gnn.files.tensor_file import read_tensors, write_tensors
from grape_gnn.training import History


def planted(copies: int = 20, seed: int = 0, directed: bool = False) -> grape.Graph:
    """Cliques of four and squares on a ring: same degrees, told apart by triangles only."""
    edges, labels = [], []
    for k in range(copies):
        a = 4 * k
        square = [(a, a + 1), (a + 1, a + 2), (a + 2, a + 3), (a, a + 3)]
        clique = [*square, (a, a + 2), (a + 1, a + 3)]
        edges += clique if k % 2 else square
        labels += ["clique" if k % 2 else "square"] * 4
        edges.append((a, (a + 4) % (4 * copies)))
    src, dst = np.array(edges).T
    order = np.random.default_rng(seed).permutation(4 * copies)
    y = np.empty(4 * copies, dtype=object)
    y[order] = labels
    return grape.Graph.from_edges(order[src], order[dst], directed=directed, y=y)


def quick(**options) -> GrapeClassifier:
    return GrapeClassifier(
        **{
            "templates": "edge,triangle",
            "hidden": 8,
            "epochs": 60,
            "learning_rate": 0.03,
            **options,
        }
    )


@pytest.fixture(scope="module")
def fitted() -> tuple[grape.Graph, GrapeClassifier]:
    graph = planted()
    return graph, quick(seed=1).fit(graph)


def test_learns_the_planted_roles_and_scores_on_test_nodes(fitted) -> None:
    graph, clf = fitted
    assert clf.score(graph) == 1.0
    assert clf.classes_.tolist() == ["clique", "square"]
    assert set(clf.predict(graph)) == {"clique", "square"}
    probabilities = clf.predict_proba(graph)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, rtol=1e-5)
    mask = clf.split_.train
    assert (
        clf.score(graph, mask=mask)
        == (clf.predict(graph) == np.array([graph.label_names[c] for c in graph.y]))[mask].mean()
    )


def test_inductive_on_another_graph(fitted) -> None:
    _, clf = fitted
    with pytest.warns(GrapeWarning, match="the score is of all 124 labelled nodes"):
        assert clf.score(planted(copies=31, seed=5)) > 0.9


@pytest.mark.parametrize("preset", ["paper", "released", "default"])
def test_every_preset_fits(preset: str) -> None:
    graph = planted()
    clf = quick(preset=preset, epochs=250 if preset == "paper" else 60).fit(graph)
    assert clf.score(graph, mask=np.ones(graph.num_nodes, bool)) > 0.6


def test_same_seed_same_result() -> None:
    graph = planted()
    one, two, three = (quick(epochs=5, seed=s).fit(graph).predict_proba(graph) for s in (3, 3, 4))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, three)


def test_parameters_follow_scikit_learn() -> None:
    clf = GrapeClassifier(hidden=8)
    assert clf.get_params()["hidden"] == 8
    assert clf.set_params(hidden=4, seed=2) is clf
    assert repr(clf) == "GrapeClassifier(hidden=4, seed=2)"
    with pytest.raises(ModelError, match="no parameter 'hiden'; it has templates, preset"):
        clf.set_params(hiden=1)
    base = pytest.importorskip("sklearn.base")
    assert base.clone(clf).get_params() == clf.get_params()


def test_pyg_data_with_its_own_masks() -> None:
    pytest.importorskip("torch_geometric")
    graph = planted()
    data = graph.to_pyg()
    data.train_mask = torch.arange(80) < 50
    data.val_mask = torch.arange(80) >= 70
    clf = quick(epochs=30).fit(data)
    assert clf.split_.train.sum() == 50
    assert clf.split_.validation.sum() == 10
    assert clf.predict(data).shape == (80,)


def test_missing_labels_are_left_out() -> None:
    graph = planted()
    y = np.array([graph.label_names[c] for c in graph.y], dtype=object)
    y[:30] = None
    edges = graph.edge_array()
    partly = grape.Graph.from_edges(edges[:, 0], edges[:, 1], 80, y=y)
    clf = quick(epochs=20).fit(partly)
    parts = clf.split_.train | clf.split_.validation | clf.split_.test
    assert not parts[:30].any()
    assert parts[30:].all()
    masked = quick(epochs=2).fit(partly, train_mask=np.arange(60), val_mask=np.arange(60, 80))
    assert masked.split_.train.sum() == 30


def test_constant_features_hold_early_stopping_back() -> None:
    graph = planted()
    short = quick(epochs=400, patience=2, min_epochs=0).fit(graph)
    held = quick(epochs=400, patience=2).fit(graph)
    assert len(short.history_.epochs) < 200 <= len(held.history_.epochs)


def test_resuming_an_interrupted_fit(tmp_path: Path) -> None:
    graph, file = planted(), tmp_path / "run.safetensors"
    whole = quick(epochs=40).fit(graph).predict_proba(graph)

    def interrupt(total: int, history: History) -> None:
        if len(history.epochs) == 33:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        quick(epochs=40).fit(graph, checkpoint=file, progress=interrupt)
    again = quick(epochs=40).fit(graph, checkpoint=file).predict_proba(graph)
    assert np.array_equal(again, whole)
    with pytest.raises(ModelFileError, match="another run: data changed"):
        quick(epochs=40).fit(planted(seed=9), checkpoint=file)


# ------------------------------------------------------------------ files


def test_save_and_load(fitted, tmp_path: Path) -> None:
    graph, clf = fitted
    file = tmp_path / "model.safetensors"
    clf.save(file)
    loaded = GrapeClassifier.load(file)
    assert np.array_equal(loaded.predict_proba(graph), clf.predict_proba(graph))
    assert loaded.classes_.tolist() == clf.classes_.tolist()
    assert loaded.score(graph) == clf.score(graph)
    assert {**loaded.get_params(), "templates": 0} == {**clf.get_params(), "templates": 0}


def edited(file: Path, change) -> None:
    """Rewrite the JSON header of a safetensors file."""
    tensors, header = read_tensors(file)
    change(header, tensors)
    write_tensors(file, tensors, header)


def test_loading_refuses_what_does_not_fit(fitted, tmp_path: Path) -> None:
    _, clf = fitted
    file = tmp_path / "model.safetensors"

    def refused(change, message: str) -> None:
        clf.save(file)
        edited(file, change)
        with pytest.raises(ModelFileError, match=message):
            GrapeClassifier.load(file)

    refused(lambda h, t: h.update(version=9), "file version 9.*reads version 2")
    refused(lambda h, t: h.update(format="other"), "not a saved GrapeClassifier")
    refused(lambda h, t: h.pop("templates"), "incomplete description")
    refused(lambda h, t: h["templates"].pop(), "weights do not fit its description")
    refused(lambda h, t: h["params"].update(hidden=9), "no weights of the size hidden = 9")
    refused(lambda h, t: h["params"].update(unknown=9), "weights do not fit its description")
    refused(lambda h, t: t.pop(min(t)), "not fit its description")
    refused(lambda h, t: t.pop("parts"), "the parts of the split are missing")
    refused(lambda h, t: h.update(task="regression"), "the task is 'regression', with 2 labels")


def test_a_model_from_a_machine_with_another_device(fitted, tmp_path: Path) -> None:
    graph, clf = fitted
    file = tmp_path / "model.safetensors"
    clf.save(file)
    edited(file, lambda h, t: h["params"].update(device="abacus"))
    with pytest.warns(GrapeWarning, match="trained on 'abacus', which this machine lacks"):
        loaded = GrapeClassifier.load(file)
    assert np.array_equal(loaded.predict(graph), clf.predict(graph))


def test_damaged_and_foreign_files(fitted, tmp_path: Path) -> None:
    _, clf = fitted
    file = tmp_path / "model.safetensors"
    with pytest.raises(ModelFileError, match="no such file"):
        GrapeClassifier.load(file)
    clf.save(file)
    file.write_bytes(file.read_bytes()[:-10])
    with pytest.raises(ModelFileError, match="damaged or not a safetensors file"):
        GrapeClassifier.load(file)
    torch.save({"weights": torch.ones(2)}, file)  # a pickle is never opened
    with pytest.raises(ModelFileError, match="damaged or not a safetensors file"):
        GrapeClassifier.load(file)


def test_a_model_is_as_readable_as_any_other_file(fitted, tmp_path: Path) -> None:
    _, clf = fitted
    clf.save(tmp_path / "model.safetensors")
    (tmp_path / "any").touch()
    modes = {file.stat().st_mode for file in tmp_path.iterdir()}
    assert len(modes) == 1


def test_a_full_disk_keeps_the_old_file(
    fitted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, clf = fitted
    file = tmp_path / "model.safetensors"
    clf.save(file)
    before = file.read_bytes()

    def full(*args, **options) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(GrapeError, match=r"cannot write .*No space left on device"):
        clf.save(file)
    assert file.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


# ------------------------------------------------------------------ bad input


def labelled(y, x=None, n: int = 10) -> grape.Graph:
    return grape.Graph.from_edges(range(n - 1), range(1, n), n, x=x, y=y)


def test_bad_labels_and_splits() -> None:
    with pytest.raises(ModelError, match="no labels to learn from"):
        quick().fit(labelled(None))
    with pytest.raises(ModelError, match="one class only"):
        quick().fit(labelled([1] * 10))
    with pytest.raises(ModelError, match="training nodes have one class only"):
        quick().fit(labelled([0] * 5 + [1] * 5), train_mask=[0, 1], val_mask=[8])
    with pytest.raises(ModelError, match="validation part is empty"):
        quick().fit(labelled([0, 1] * 5), train_mask=[0, 1], val_mask=[])
    with pytest.raises(ModelError, match="part of the split is empty: 2 labelled nodes"):
        quick().fit(labelled([0, 1] + [-1] * 8))
    with pytest.raises(ModelError, match="give both train_mask and val_mask"):
        quick().fit(labelled([0, 1] * 5), train_mask=[0])
    with pytest.raises(ModelError, match="share 1 nodes: make them disjoint"):
        quick().fit(labelled([0, 1] * 5), train_mask=[0, 1], val_mask=[1, 2])
    graph = labelled([0, 1] * 5)
    raw = grape.Graph(
        False, graph.indptr, graph.indices, graph.in_indptr, graph.in_indices,
        y=np.array([0, 1, 7, 0, 1, 0, 1, 0, 1, 0]), label_names=(0, 1),
    )  # fmt: skip
    with pytest.raises(ModelError, match="label code 7 of node 2 is out of range: there are 2"):
        quick().fit(raw)


def test_features_that_are_not_finite() -> None:
    graph = labelled([0, 1] * 5)
    x = np.ones((10, 2), np.float32)
    x[3, 1] = np.nan
    raw = grape.Graph(
        False, graph.indptr, graph.indices, graph.in_indptr, graph.in_indices,
        x=x, y=graph.y, label_names=(0, 1),
    )  # fmt: skip
    with pytest.raises(ModelError, match=r"must be finite .* x\[3, 1\] is nan; fill in"):
        quick().fit(raw)


def test_dropout_and_devices_that_do_not_exist() -> None:
    with pytest.raises(ModelError, match=r"dropout=1\.5 must be a number, at least 0 and below 1"):
        quick(dropout=1.5).fit(planted())
    with pytest.raises(ModelError, match="the device 'abacus' is not available"):
        quick(device="abacus").fit(planted())


def test_a_template_without_instances_works_and_says_so() -> None:
    with pytest.warns(GrapeWarning, match="no instance of triangle in the graph"):
        clf = quick(epochs=3).fit(labelled([0, 1] * 5))
    assert clf.predict(labelled([0, 1] * 5)).shape == (10,)


def test_prediction_refuses_what_the_model_was_not_trained_for(fitted) -> None:
    _, clf = fitted
    with pytest.raises(ModelError, match="has 3 features per node, the model was trained with 1"):
        clf.predict(labelled([0, 1] * 5, x=np.ones((10, 3))))
    with pytest.raises(DirectionMismatchError, match="trained on an undirected graph"):
        clf.predict(planted(directed=True))
    with pytest.raises(ModelError, match="not fitted yet"):
        quick().predict(planted())
    with pytest.raises(GraphError, match="expected a graph, got the text"):
        clf.predict("graph.csv")
    with pytest.raises(ModelError, match="no labels to score against"):
        clf.score(labelled(None))
    with pytest.raises(ModelError, match="no labelled node to score on"):
        clf.score(labelled([0, 1] * 5), mask=[])


def test_importing_the_library_does_not_import_torch() -> None:
    code = "import grape_gnn, sys; assert 'torch' not in sys.modules; grape_gnn.GrapeClassifier"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_roles_that_are_there_already_are_used():
    graph = planted()
    roles = grape.match(graph, "edge,triangle", engine="esu")
    fresh = GrapeClassifier("edge,triangle", epochs=3).fit(graph)
    given = GrapeClassifier("edge,triangle", epochs=3).fit(graph, roles=roles)
    losses = [[epoch.loss for epoch in clf.history_.epochs] for clf in (fresh, given)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)


def test_roles_that_do_not_fit_are_refused():
    graph = planted()
    clf = GrapeClassifier("edge,triangle", epochs=1)
    with pytest.raises(ModelError, match="of other templates or of another graph"):
        clf.fit(graph, roles=grape.match(graph, "edge"))
    with pytest.raises(ModelError, match="of other templates or of another graph"):
        clf.fit(graph, roles=grape.match(planted(seed=1), "edge,triangle"))
    with pytest.raises(ModelError, match=r"'default' needs non-induced roles.*weighting='count'"):
        clf.fit(graph, roles=grape.match(graph, "edge,triangle", weighting="set"))


def test_a_graph_of_another_library_is_converted_once() -> None:
    loops = nx.Graph([(k, (k + 1) % 12) for k in range(12)] + [(3, 3)])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        grape.GrapeClassifier("edge", epochs=1).fit(loops, np.arange(12) % 2)
    assert [str(one.message) for one in said if "dropped" in str(one.message)] == [
        "dropped 1 self-loop among 13 edges"
    ]
