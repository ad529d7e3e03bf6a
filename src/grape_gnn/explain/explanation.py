"""Everything about a trained model at once: its weights and what they are worth."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.estimator import GrapeClassifier
from grape_gnn.estimator.known_labels import class_codes
from grape_gnn.explain.importance import Importance, permutation_importance
from grape_gnn.explain.weights import LayerWeights, layer_weights
from grape_gnn.graph import Graph
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
        What the numbers are about.
    layers
        Alphas and betas of every layer.
    importance
        Accuracy on the validation nodes that each template and role is worth.
    """

    templates: tuple[Template, ...]
    classes: tuple[Any, ...]
    layers: tuple[LayerWeights, ...]
    importance: Importance

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
            "layers": [asdict(layer) for layer in self.layers],
            "importance": {name: _plain(value) for name, value in vars(self.importance).items()},
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
        folder.classifier(), folder.graph(), folder.split().validation, repeats=repeats, seed=seed
    )


def explain_classifier(
    model: GrapeClassifier,
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
    if graph.y is None or graph.label_names is None:
        raise ModelError("the graph has no labels to measure importance with: set y")
    labels = class_codes(graph, model.labels_)
    x, roles = model.inputs(graph)
    return Explanation(
        templates=model.templates_,
        classes=model.labels_,
        layers=layer_weights(model.network, x, roles),
        importance=permutation_importance(
            model.network,
            x,
            roles,
            labels,
            mask & (labels >= 0),
            num_classes=len(model.labels_),
            repeats=repeats,
            seed=seed,
        ),
    )


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [_plain(entry) for entry in value.tolist()]
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and np.isnan(value) else value
