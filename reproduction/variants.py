"""GRAPE and GIN with label inputs, and GRAPE with one thing changed: methods of the tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import torch

from grape_gnn.baselines import method
from grape_gnn.baselines.gin import GIN
from grape_gnn.estimator.method import Grape
from grape_gnn.nn import GRAPE, Fusion, GRAPELayer
from grape_gnn.template import Template
from grape_gnn.training import Method, Prepared, Shape

__all__ = ["GRAPE_PLAIN", "EqualFusion", "GINWithLabels", "GrapeVariant", "table_method"]


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


class EqualFusion(Fusion):
    """In place of squeeze-and-excitation: every template has weight one.

    Examples
    --------
    >>> EqualFusion(3)(torch.ones(4, 3, 2))[0].tolist()
    [3.0, 3.0]
    """

    def alpha(self, h: torch.Tensor, batch: torch.Tensor | None = None) -> torch.Tensor:
        """Return ones."""
        ones = h.new_ones(h.shape[1])
        return ones if batch is None else ones.expand(int(batch.max()) + 1, -1)


class GrapeVariant(Grape):
    """GRAPE with another weighting or fusion, or without some part.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set.
    preset
        Name of the preset to start from.
    excitation
        Whether the templates are weighted by squeeze-and-excitation, or all alike.
    label_inputs
        Whether the network has training labels among its inputs.
    layers
        Number of layers; None: as the comparison says.
    **changes
        Fields of the preset to change.

    Examples
    --------
    >>> GrapeVariant("edge", weighting="set").describe()["preset"]["weighting"]
    'set'
    """

    def __init__(
        self,
        templates: str | Template | Iterable[str | Template],
        preset: str = "default",
        *,
        excitation: bool = True,
        label_inputs: bool = True,
        layers: int | None = None,
        **changes: Any,
    ) -> None:
        super().__init__(templates, preset)
        self.choices = {
            "label_inputs": (label_inputs,),
            "use_features": (True, False) if label_inputs else (True,),
        }
        self.preset = replace(self.preset, **changes)
        self.excitation = excitation
        self.layers = layers

    def describe(self) -> dict[str, Any]:
        """Return what was changed, too."""
        told = {**super().describe(), "excitation": self.excitation}
        return told if self.layers is None else {**told, "layers": self.layers}

    def network(self, shape: Shape, prepared: Prepared | None = None) -> GRAPE:
        """Return an untrained network."""
        depth = shape.layers if self.layers is None else self.layers
        network = super().network(replace(shape, layers=depth), prepared)
        if not self.excitation:
            for layer in network.modules():
                if isinstance(layer, GRAPELayer):
                    layer.fusion = EqualFusion(len(self.templates))
        return network
