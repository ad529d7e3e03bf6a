"""Everything about a trained model at once: its weights and what they are worth."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.estimator.base import GrapeEstimator
from grape_gnn.estimator.known_labels import target_codes
from grape_gnn.explain.features import FeatureGroup, FeatureImportance, feature_importance
from grape_gnn.explain.importance import Importance, permutation_importance
from grape_gnn.explain.measure import MEASURES
from grape_gnn.explain.weights import LayerWeights, layer_weights
from grape_gnn.features.sparse_matrix import MatrixCode
from grape_gnn.graph import Graph
from grape_gnn.graph.targets import labelled_nodes
from grape_gnn.nn import RoleValues
from grape_gnn.template import Template

if TYPE_CHECKING:
    from grape_gnn.runs import RunFolder

__all__ = ["Explanation", "explain_classifier", "explain_run"]


@dataclass(frozen=True, eq=False)
class Explanation:
    """What a model learnt.

    Parameters
    ----------
    templates, classes
        What the numbers are about; models of numbers have no classes.
    measure
        What importance is measured by: accuracy, micro F1 or R2.
    layers
        Alphas and betas of every layer.
    importance
        Accuracy on the validation nodes that each template and role is worth.
    features
        The same for the columns of the features.
    occurs
        Whether a template has instances around a node, shape (templates, nodes).
    """

    templates: tuple[Template, ...]
    classes: tuple[Any, ...]
    measure: str
    layers: tuple[LayerWeights, ...]
    importance: Importance
    features: FeatureImportance
    occurs: NDArray[np.bool_]

    def role_number(self, template: int, role: int) -> int:
        """Return where a role (from 1) stands in ``importance.role_drop``."""
        return sum(t.num_roles - 1 for t in self.templates[:template]) + role - 1

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``; numbers that do not exist are None."""
        return {
            "templates": [
                {"name": t.name, "text": t.text, "roles": t.roles} for t in self.templates
            ],
            "classes": list(self.classes),
            "measure": self.measure,
            "layers": [asdict(layer) for layer in self.layers],
            "egos": self.occurs.sum(axis=1).tolist(),
            "importance": {name: _plain(value) for name, value in vars(self.importance).items()},
            "features": {name: _plain(value) for name, value in vars(self.features).items()},
        }


def explain_run(
    run: str | os.PathLike[str] | RunFolder, *, repeats: int = 5, seed: int = 0
) -> Explanation:
    """Explain the model of a folder that ``grape train`` wrote.

    Parameters
    ----------
    run
        The folder.
    repeats, seed
        Permutations per template and role, and their seed.

    Examples
    --------
    >>> from grape_gnn import explain
    >>> explain.explain_run("runs/amherst").layers[0].alpha  # doctest: +SKIP
    (1.31, 0.87, 0.98, 0.92, 0.92)
    """
    from grape_gnn.runs import RunFolder

    folder = run if isinstance(run, RunFolder) else RunFolder.open(run)
    return explain_classifier(
        folder.model(), folder.graph(), folder.split().validation, repeats=repeats, seed=seed
    )


def explain_classifier(
    model: GrapeEstimator,
    graph: Graph,
    mask: NDArray[np.bool_],
    *,
    repeats: int = 5,
    seed: int = 0,
) -> Explanation:
    """Explain a fitted classifier on a graph.

    Parameters
    ----------
    model
        The classifier.
    graph
        The graph it was trained on, or another one with labels.
    mask
        Nodes to measure importance on; those without a label are left out.
    repeats, seed
        Permutations per template and role, and their seed.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.datasets.load("social-like", num_nodes=100)
    >>> model = grape.GrapeClassifier("edge,triangle", epochs=5).fit(g)
    >>> found = explain_classifier(model, g, model.split_.validation)
    >>> len(found.layers), found.importance.template_drop.shape
    (2, (2,))
    """
    if graph.y is None:
        raise ModelError("the graph has no labels to measure importance with: set y")
    labels = target_codes(graph, model.labels_, model.task_)
    known = mask & labelled_nodes(labels)
    if model.task_ == "regression":
        labels = model.in_units(labels)
    x, roles = model.inputs(graph)
    return Explanation(
        templates=model.templates_,
        classes=tuple(model.labels_),
        measure=MEASURES[model.task_],
        layers=layer_weights(model.layered, x, roles),
        importance=permutation_importance(
            model.layered,
            x,
            roles,
            labels,
            known,
            num_classes=len(model.labels_),
            repeats=repeats,
            seed=seed,
        ),
        features=feature_importance(
            model.layered,
            x,
            roles,
            labels,
            known,
            _columns(model, x.shape[1]),
            repeats=repeats,
            seed=seed,
        ),
        occurs=_occurs(roles),
    )


def _columns(model: GrapeEstimator, width: int) -> list[FeatureGroup]:
    """Return the columns of the user's table, and which features were made of each."""
    labels = width - model.num_features
    codes = [] if model.encoder_ is None else model.encoder_.codes_
    sizes = [(code.name, len(code.feature_names)) for code in codes]
    if not sizes or isinstance(codes[0], MatrixCode):
        sizes = [(f"feature {k}", 1) for k in range(width - labels)]
    if labels:
        sizes.append(("known labels (inputs)", labels))
    ends = np.cumsum([size for _, size in sizes])
    return [
        (name, tuple(range(end - size, end)))
        for (name, size), end in zip(sizes, ends.tolist(), strict=True)
    ]


def _occurs(roles: RoleValues) -> NDArray[np.bool_]:
    """Tell around which nodes each template has instances: somebody plays its role 1."""
    firsts = [np.flatnonzero(roles.group == t)[0] for t in range(len(roles.templates))]
    return np.stack([np.asarray(roles.operators[first].row_sums()) > 0 for first in firsts])


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [_plain(entry) for entry in value.tolist()]
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and np.isnan(value) else value
