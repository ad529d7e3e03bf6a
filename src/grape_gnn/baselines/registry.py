"""The methods by name; a method's module, and PyG, are imported when it is asked for."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from importlib import import_module

from grape_gnn.errors import ModelError
from grape_gnn.template import Template
from grape_gnn.training import Method

__all__ = ["BASELINES", "METHODS", "REFERENCE_METHODS", "method"]

_CLASSES = {
    "gcn": "baselines.gcn.GCN",
    "sage": "baselines.sage.GraphSAGE",
    "gin": "baselines.gin.GIN",
    "gat": "baselines.gat.GAT",
    "mixhop": "baselines.mixhop.MixHop",
    "geniepath": "baselines.geniepath.GeniePath",
    "meta-gnn": "baselines.meta_gnn.MetaGNN",
    "de-gnn": "baselines.de_gnn.DEGNN",
    "grape": "estimator.method.Grape",
    "label-propagation": "baselines.label_propagation.LabelPropagation",
    "mlp": "baselines.mlp.MLP",
    "linkx": "baselines.linkx.LINKX",
    "logistic-degree": "baselines.logistic.LogisticDegree",
    "logistic-totals": "baselines.logistic.LogisticTotals",
}
_WITH_TEMPLATES = ("meta-gnn", "grape")
REFERENCE_METHODS = ("label-propagation", "mlp", "linkx", "logistic-degree", "logistic-totals")
BASELINES = tuple(name for name in _CLASSES if name not in (*REFERENCE_METHODS, "grape"))
METHODS = tuple(_CLASSES)
"""All names, in the order of the tables."""


def method(name: str, templates: str | Template | Iterable[str | Template] = "social") -> Method:
    """Return a method by its name.

    Parameters
    ----------
    name
        One of `METHODS`.
    templates
        For the methods that match templates, GRAPE and Meta-GNN: templates, their names, or the
        name of a set.

    Examples
    --------
    >>> method("mlp").title
    'MLP'
    """
    if name not in _CLASSES:
        close = difflib.get_close_matches(str(name), METHODS, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ModelError(f"unknown method {name!r}: choose one of {', '.join(METHODS)}{hint}")
    module, kind = _CLASSES[name].rsplit(".", 1)
    made = getattr(import_module(f"grape_gnn.{module}"), kind)
    found: Method = made(templates) if name in _WITH_TEMPLATES else made()
    return found
