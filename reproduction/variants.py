"""GRAPE with one thing changed, as methods of the comparison: what the ablations are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from grape_gnn.baselines.grape import Grape
from grape_gnn.baselines.method import Prepared, Shape
from grape_gnn.nn import Fusion, GRAPELayer
from grape_gnn.template import Template

__all__ = ["EqualFusion", "GrapeVariant"]


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
        Whether the network is shown training labels.
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
        super().__init__(templates, preset, label_inputs=label_inputs)
        self.preset = replace(self.preset, **changes)
        self.excitation = excitation
        self.layers = layers

    def describe(self) -> dict[str, Any]:
        """Return what was changed, too."""
        told = {**super().describe(), "excitation": self.excitation}
        return told if self.layers is None else {**told, "layers": self.layers}

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        depth = shape.layers if self.layers is None else self.layers
        network = super().network(replace(shape, layers=depth), prepared)
        if not self.excitation:
            for layer in network.modules():
                if isinstance(layer, GRAPELayer):
                    layer.fusion = EqualFusion(len(self.templates))
        return network
