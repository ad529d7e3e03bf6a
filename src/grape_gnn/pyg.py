"""GRAPE inside PyTorch Geometric: a convolution and a transform.

Import it explicitly, ``from grape_gnn.pyg import GRAPEConv``: PyG takes seconds to load.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grape_gnn.arguments import whole_number
from grape_gnn.errors import ModelError
from grape_gnn.extras import named_extra
from grape_gnn.graph import Graph
from grape_gnn.nn.model import grape_layer
from grape_gnn.nn.presets import find_preset
from grape_gnn.nn.role_loader import RoleBatch, RoleLoader
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.sparse_features import SparseFeatures
from grape_gnn.roles import match
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates

with named_extra():
    import torch
    from torch_geometric.transforms import BaseTransform

__all__ = ["AddEgoRoles", "GRAPEConv", "RoleBatch", "RoleLoader"]


class AddEgoRoles(BaseTransform):
    """Match templates on ``Data`` and attach their role matrices as ``data.ego_roles``.

    Matching is non-induced: further edges between matched nodes do not matter.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set such as ``"social"``.
    preset
        The preset of the convolutions that will use the roles; it decides between counts and
        sets.
    engine
        Matching engine, as for `grape_gnn.match`.

    Examples
    --------
    >>> from torch_geometric.data import Data
    >>> edges = torch.tensor([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]])
    >>> triangle = Data(edge_index=edges, num_nodes=3)
    >>> AddEgoRoles("edge,triangle")
    AddEgoRoles(templates=['0-1', '0-1 0-2 1-2'], preset='default', engine='auto')
    >>> AddEgoRoles("edge,triangle")(triangle).ego_roles.num_roles
    2
    """

    def __init__(
        self,
        templates: str | Template | Iterable[str | Template] = "social",
        preset: str = "default",
        engine: str = "auto",
    ) -> None:
        self.templates = tuple(find_templates(templates))
        self.preset = find_preset(preset).name
        self.engine = engine

    def forward(self, data: Any) -> Any:
        """Return the data with ``ego_roles`` set; PyG calls this on a shallow copy."""
        data.ego_roles = _match(Graph.from_pyg(data), self.templates, self.preset, self.engine)
        return data

    def __repr__(self) -> str:
        # PyG keys its caches by this text, so it must tell everything apart.
        texts = [template.text for template in self.templates]
        return f"AddEgoRoles(templates={texts}, preset={self.preset!r}, engine={self.engine!r})"


class GRAPEConv(torch.nn.Module):
    """One GRAPE layer with the manners of a PyG convolution.

    The layer of the preset ``default`` ends with its own normalisation and ReLU, and adds its input
    where the widths agree; see `grape_gnn.nn.RoleLayer`.

    Parameters
    ----------
    in_channels, out_channels
        Width before and after.
    templates
        Templates, their names, or the name of a set.
    preset
        See `grape_gnn.nn.presets`.
    dropout
        Share of the layer's values dropped in training.
    cached
        Match the first ``edge_index`` only and use its roles ever after (transductive learning).

    Examples
    --------
    >>> conv = GRAPEConv(16, 32, "edge,triangle")
    >>> conv
    GRAPEConv(16, 32, templates=['edge', 'triangle'], preset='default')
    >>> edge_index = torch.tensor([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]])
    >>> conv(torch.ones(3, 16), edge_index).shape
    torch.Size([3, 32])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        templates: str | Template | Iterable[str | Template] = "social",
        preset: str = "default",
        dropout: float = 0.0,
        cached: bool = False,
    ) -> None:
        super().__init__()
        in_channels = whole_number("in_channels", in_channels, 1, error=ModelError)
        out_channels = whole_number("out_channels", out_channels, 1, error=ModelError)
        self.templates = tuple(find_templates(templates))
        chosen = find_preset(preset)
        self.layer = grape_layer(self.templates, in_channels, out_channels, chosen, dropout)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.preset = chosen.name
        self.cached = cached
        self._cache: RoleValues | None = None

    def reset_parameters(self) -> None:
        """Draw new weights and forget cached roles."""
        self.layer.reset_parameters()
        self._cache = None

    def forward(
        self,
        x: torch.Tensor | SparseFeatures,
        edge_index: torch.Tensor | RoleValues,
        batch: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return new features.

        Parameters
        ----------
        x
            Shape (nodes, in_channels).
        edge_index
            Edges, matched on every call unless ``cached``; or, faster, the ``ego_roles`` that
            `AddEgoRoles` attached.
        batch
            ``data.batch`` of several graphs in one, whose templates are then weighed for each
            graph by itself; None: it is one graph.
        """
        if x.ndim != 2 or x.shape[1] != self.in_channels:
            raise ModelError(
                f"{self!r} got x of shape {tuple(x.shape)}: it was made for in_channels="
                f"{self.in_channels} features of a node; make it with GRAPEConv({x.shape[-1]}, ...)"
            )
        roles = edge_index if isinstance(edge_index, RoleValues) else self._find(x, edge_index)
        wanted = [template.canonical for template in self.templates]
        if [template.canonical for template in roles.templates] != wanted:
            raise ModelError(
                f"{self!r} got roles of other templates: "
                f"{[template.text for template in roles.templates]}; use the same in AddEgoRoles"
            )
        if x.shape[0] != roles.num_nodes:
            raise ModelError(f"x has {x.shape[0]} rows, the roles are of {roles.num_nodes} nodes")
        out: torch.Tensor = self.layer(x, roles, batch)
        return out

    def _find(self, x: torch.Tensor | SparseFeatures, edge_index: torch.Tensor) -> RoleValues:
        if self._cache is not None:
            return self._cache
        from torch_geometric.data import Data

        graph = Graph.from_pyg(Data(edge_index=edge_index, num_nodes=x.shape[0]))
        roles = _match(graph, self.templates, self.preset, "auto")
        if self.cached:
            self._cache = roles
        return roles

    def __repr__(self) -> str:
        names = [template.name or template.text for template in self.templates]
        return (
            f"GRAPEConv({self.in_channels}, {self.out_channels}, templates={names}, "
            f"preset={self.preset!r})"
        )


def _match(graph: Graph, templates: tuple[Template, ...], preset: str, engine: str) -> RoleValues:
    chosen = find_preset(preset)
    found = match(graph, templates, weighting=chosen.weighting, engine=engine)
    return RoleValues(found, values=chosen.values)
