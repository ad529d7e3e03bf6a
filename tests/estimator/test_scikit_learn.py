"""The estimators in the hands of scikit-learn: the graph is given once, X are node numbers."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer, mean_absolute_error, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import grape_gnn as grape
from grape_gnn.errors import GrapeError, ModelError

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def cliques(copies: int = 24) -> grape.Graph:
    """Cliques of four and squares on a ring: told apart by triangles only."""
    edges, labels = [], []
    for k in range(copies):
        a = 4 * k
        square = [(a, a + 1), (a + 1, a + 2), (a + 2, a + 3), (a, a + 3)]
        edges += [*square, (a, a + 2), (a + 1, a + 3)] if k % 2 else square
        edges.append((a, (a + 4) % (4 * copies)))
        labels += ["clique" if k % 2 else "square"] * 4
    return grape.Graph.from_edges(*np.array(edges).T, y=labels)


GRAPH = cliques()
NODES = np.arange(GRAPH.num_nodes)
LABELS = np.array(GRAPH.label_names)[GRAPH.y]


def classifier(**options) -> grape.GrapeClassifier:
    chosen = {"graph": GRAPH, "hidden": 8, "epochs": 40, "learning_rate": 0.03, **options}
    return grape.GrapeClassifier("edge,triangle", **chosen)


def regressor(**options) -> grape.GrapeRegressor:
    chosen = {"graph": GRAPH, "hidden": 8, "epochs": 80, "learning_rate": 0.03, **options}
    return grape.GrapeRegressor("edge", **chosen)


def test_they_are_estimators_of_scikit_learn() -> None:
    assert isinstance(classifier(), BaseEstimator)
    assert (is_classifier(classifier()), is_regressor(classifier())) == (True, False)
    assert (is_classifier(regressor()), is_regressor(regressor())) == (False, True)


def test_cross_validation() -> None:
    assert cross_val_score(classifier(), NODES, LABELS, cv=3).mean() > 0.8
    auc = make_scorer(roc_auc_score, response_method="predict_proba")
    assert cross_val_score(classifier(), NODES, LABELS, cv=3, scoring=auc).mean() > 0.8
    shares = cross_val_predict(classifier(), NODES, LABELS, cv=2, method="predict_proba")
    assert shares.shape == (GRAPH.num_nodes, 2)


def test_numbers_in_cross_validation() -> None:
    y = 1e6 + 1000 * GRAPH.degrees
    assert cross_val_score(regressor(), NODES, y, cv=3).mean() > 0.5
    error = make_scorer(mean_absolute_error, greater_is_better=False)
    mean = np.abs(y - y.mean()).mean()
    assert -cross_val_score(regressor(), NODES, y, cv=3, scoring=error).mean() < mean


def test_a_grid_search_matches_once() -> None:
    seen = []
    original = grape.estimator.method.Grape.roles

    def counted(self, graph, found=None):
        seen.append(graph)
        return original(self, graph, found)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grape_gnn.estimator.method.Grape.roles", counted)
        search = GridSearchCV(classifier(graph=cliques(), epochs=5), {"hidden": [4, 8]}, cv=2)
        search.fit(NODES, LABELS)
    assert search.best_params_["hidden"] in (4, 8)
    assert len(seen) == 1


def test_pipelines_before_and_after() -> None:
    column = FunctionTransformer(lambda nodes: np.asarray(nodes).reshape(-1, 1))
    first = make_pipeline(column, classifier()).fit(NODES, LABELS)
    assert first.score(NODES, LABELS) > 0.8
    last = make_pipeline(classifier(), LogisticRegression(max_iter=1000)).fit(NODES, LABELS)
    assert last.score(NODES, LABELS) > 0.8


def test_set_output() -> None:
    model = classifier(epochs=3).set_output(transform="pandas")
    frame = model.fit(NODES, LABELS).transform(NODES[:5])
    assert frame.shape == (5, 8)
    assert list(frame.columns) == list(model.get_feature_names_out())


def test_only_the_nodes_that_are_given_are_learnt_from() -> None:
    """A quarter of them validates; the others have no label, whatever the graph knows."""
    model = classifier(epochs=3).fit(NODES[:40], LABELS[:40])
    used = model.split_.train | model.split_.validation
    assert (used == (NODES < 40)).all()
    assert (int(model.split_.train.sum()), int(model.split_.validation.sum())) == (30, 10)
    assert not model.split_.test.any()
    own = classifier(epochs=3).fit(NODES[:40])  # the labels of the graph
    assert np.array_equal(own.predict(NODES), model.predict(NODES))


def test_a_copy_has_the_same_parameters_and_the_same_graph() -> None:
    copy = clone(classifier(metric="macro-f1"))
    assert copy.graph is GRAPH
    assert copy.metric == "macro-f1"


def test_messages() -> None:
    with pytest.raises(NotFittedError, match="not fitted yet"):
        classifier().predict(NODES)
    for nodes, message in (
        ([0, 999], r"X has 999: nodes are numbered 0\.\.95"),
        ([0.5, 1.0], "X has 0.5: nodes are numbered"),
        (np.ones((3, 2)), "a list or one column, got shape \\(3, 2\\)"),
        (["ann", "bob"], "dtype <U3; graph.index_of has the number of a name"),
        ([np.nan, 1.0], "X has NaN or inf"),
        ([-1, 2], r"Negative values in data: X are node numbers, 0\.\.95"),
    ):
        with pytest.raises(ModelError, match=message):
            classifier().fit(nodes, LABELS[: len(nodes)])
    with pytest.raises(ModelError, match="3 nodes and 2 labels"):
        classifier().fit(NODES[:3], LABELS[:2])
    with pytest.raises(ModelError, match="Unknown label type: the labels y are numbers"):
        classifier().fit(NODES, np.linspace(0, 1, NODES.size))
    with pytest.raises(GrapeError, match="expected a graph"):
        grape.GrapeClassifier().fit(NODES, LABELS)


TABLE = "takes columns out of X, which is one column of node numbers"
REPEATED = "its numbers are a few nodes, again and again with other labels: too few to learn from"
LEARNABLE = "expects that labels can be told from X, and a node number says nothing"
SPARSE = "a sparse matrix is taken for a graph, not for samples"
DO_NOT_APPLY = {
    "check_array_api_input": "needs an environment of its own",
    "check_class_weight_classifiers": TABLE,
    "check_classifiers_classes": REPEATED,
    "check_classifiers_one_label": "one class is refused: there is nothing to learn",
    "check_classifiers_train": LEARNABLE,
    "check_dict_unchanged": TABLE,
    "check_dont_overwrite_parameters": TABLE,
    "check_dtype_object": "gives numbers as objects, which are refused as node numbers",
    "check_estimator_sparse_array": SPARSE,
    "check_estimator_sparse_matrix": SPARSE,
    "check_estimator_sparse_tag": SPARSE,
    "check_estimators_empty_data_messages": "wants a message that counts features",
    "check_estimators_nan_inf": REPEATED,
    "check_estimators_pickle": REPEATED,
    "check_f_contiguous_array_estimator": TABLE,
    "check_fit2d_1feature": TABLE,
    "check_fit2d_1sample": TABLE,
    "check_fit2d_predict1d": TABLE,
    "check_fit_idempotent": REPEATED,
    "check_fit_score_takes_y": REPEATED,
    "check_methods_sample_order_invariance": TABLE,
    "check_methods_subset_invariance": TABLE,
    "check_n_features_in": "node numbers are no features to count: the graph has those",
    "check_n_features_in_after_fitting": "node numbers are no features to count",
    "check_pipeline_consistency": REPEATED,
    "check_regressors_no_decision_function": TABLE,
    "check_regressors_train": LEARNABLE,
    "check_requires_y_none": "labels may be missing: the graph has them",
    "check_supervised_y_2d": REPEATED,
    "check_transformer_data_not_an_array": TABLE,
    "check_transformer_general": TABLE,
}


def test_the_checks_of_scikit_learn_that_apply() -> None:
    """All pass but those of `DO_NOT_APPLY`, and every one of those fails: none is hidden there."""
    from sklearn.utils.estimator_checks import check_estimator

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [
            (result["check_name"], result["status"])
            for make in (classifier, regressor)
            for result in check_estimator(make(epochs=2), on_fail=None, on_skip=None)
        ]
    failed = {name for name, status in found if status != "passed"}
    # Other versions of scikit-learn may lack some checks.
    assert failed == set(DO_NOT_APPLY) & {name for name, _ in found}
    passed = [name for name, status in found if status == "passed"]
    assert len(passed) >= 55
    assert set(passed) >= {
        "check_estimator_cloneable", "check_estimator_repr", "check_get_params_invariance",
        "check_no_attributes_set_in_init", "check_parameters_default_constructible",
        "check_set_params", "check_valid_tag_types", "check_mixin_order",
        "check_estimators_overwrite_params", "check_readonly_memmap_input",
        "check_fit_check_is_fitted", "check_positive_only_tag_during_fit",
    }  # fmt: skip


def test_node_numbers_without_a_graph_are_told_how() -> None:
    with pytest.raises(ModelError, match="give it once as graph= of GrapeClassifier"):
        grape.GrapeClassifier("edge").fit(np.arange(10), np.arange(10) % 2)
