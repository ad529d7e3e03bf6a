"""GRAPE and GIN, with label inputs and without: methods of the tables."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from grape_gnn.baselines import method
from grape_gnn.baselines.gin import GIN
from grape_gnn.estimator.method import Grape
from grape_gnn.template import Template
from grape_gnn.training import Method

__all__ = ["GRAPE_PLAIN", "GINWithLabels", "table_method"]

GRAPE_PLAIN = "grape-plain"


def table_method(name: str, templates: str | Template | Iterable[str | Template]) -> Method:
    """Return a method as the tables have it.

    ``"grape"`` has label inputs, ``"grape-plain"`` and the baselines have none.

    Examples
    --------
    >>> table_method("grape", "edge").choices["label_inputs"], table_method("mlp", "edge").title
    ((True,), 'MLP')
    >>> "label_inputs" in table_method("grape-plain", "edge").choices
    False
    """
    if name == GINWithLabels.name:
        return GINWithLabels()
    if name == GRAPE_PLAIN:
        return method(Grape.name, templates)
    found = method(name, templates)
    return found.with_label_inputs() if name == Grape.name else found


class GINWithLabels(GIN):
    """GIN with label inputs: what labels give without roles."""

    name = "gin-labels"
    title = "GIN + labels"
    reference = True
    choices = MappingProxyType({**GIN.choices, "label_inputs": (True,)})
