"""GRAPE as a `Method`: what `GrapeClassifier` trains, and what is compared with the baselines.

`RoleMethod` is what its forms share: the templates, and the choice of the edges alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any, TypeVar

from grape_gnn.errors import ModelError
from grape_gnn.estimator.role_batches import RoleBatches
from grape_gnn.graph import Graph
from grape_gnn.nn import GRAPE, RoleValues, find_preset
from grape_gnn.roles import RoleMatches, match
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.training import Batches, FullBatch, Method, Prepared, Shape

__all__ = ["Grape", "RoleMethod", "edges_of"]

M = TypeVar("M", bound="RoleMethod")


def edges_of(templates: Sequence[Template]) -> tuple[Template, ...]:
    """Return the templates of two nodes: what a network without further roles sees.

    Examples
    --------
    >>> [t.name for t in edges_of(find_templates("social"))]
    ['edge']
    """
    found = tuple(template for template in templates if template.num_nodes == 2)
    if not found:
        raise ModelError("edge_only=True, but no template is an edge: add 'edge' to the templates")
    return found


class RoleMethod(Method):
    """A method on the roles of templates; the parameters are those of `Grape`."""

    def __init__(
        self, templates: str | Template | Iterable[str | Template] = "social", engine: str = "auto"
    ) -> None:
        self.templates = tuple(find_templates(templates))
        self.engine = engine
        if 0 < sum(template.num_nodes == 2 for template in self.templates) < len(self.templates):
            # Templates that do not help must not hurt: validation decides whether they are used.
            self.choices = {"edge_only": (False, True)}

    @abstractmethod
    def on_edges(self: M) -> M:
        """Return the same method on the edges alone."""


class Grape(RoleMethod):
    """GRAPE on the roles of templates.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set such as ``"social"``.
    preset
        ``"default"``, ``"paper"`` or ``"released"``.
    engine
        Matching engine, as for `grape_gnn.match`.

    Examples
    --------
    >>> Grape("social").choices
    {'edge_only': (False, True)}
    >>> Grape("edge,triangle").describe()["templates"]
    ['0-1', '0-1 0-2 1-2']
    """

    name = "grape"
    title = "GRAPE"

    def __init__(
        self,
        templates: str | Template | Iterable[str | Template] = "social",
        preset: str = "default",
        engine: str = "auto",
    ) -> None:
        super().__init__(templates, engine)
        self.preset = find_preset(preset)
        self.stopping = self.preset.stopping

    def describe(self) -> dict[str, Any]:
        """Return the templates and all that the preset fixes."""
        preset = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self.preset).items()
        }
        return {"templates": [t.text for t in self.templates], "preset": preset}

    def structure(self, graph: Graph) -> tuple[RoleValues]:
        """Match the templates."""
        return (self.roles(graph),)

    def roles(self, graph: Graph, found: RoleMatches | None = None) -> RoleValues:
        """Return the role matrices as the preset wants them; matched now unless found before."""
        if found is None:
            weighting = self.preset.weighting
            found = match(graph, self.templates, weighting=weighting, engine=self.engine)
        return RoleValues(found, values=self.preset.values)

    def on_edges(self) -> Grape:
        """Return GRAPE on the edges alone."""
        return Grape(edges_of(self.templates), self.preset.name, self.engine)

    def chosen(self, prepared: Prepared, settings: dict[str, Any]) -> tuple[Grape, Prepared]:
        """Understand `edge_only`."""
        if not settings.pop("edge_only", False):
            return self, prepared
        (roles,), alone = prepared.structure, self.on_edges()
        return alone, replace(prepared, structure=alone.structure(roles.graph))

    def batches(
        self, inputs: list[Any], size: int | None, layers: int = 2, sample: int | None = None
    ) -> Batches:
        """Return mini-batches of egos with the roles they need, or all nodes at once."""
        if size is not None:
            return RoleBatches(inputs, size, layers, sample)
        if sample is not None:
            raise ModelError("sample_neighbours is for mini-batches: give batch_size as well")
        return FullBatch(inputs)

    def network(self, shape: Shape, prepared: Prepared | None = None) -> GRAPE:
        """Return an untrained network."""
        return GRAPE(
            self.templates,
            shape.in_features,
            shape.num_classes,
            hidden=shape.hidden,
            layers=shape.layers,
            dropout=shape.dropout,
            preset=self.preset,
            input_dropout=shape.input_dropout,
        )
