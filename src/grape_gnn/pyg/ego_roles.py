"""Roles as plain tensors of a ``Data`` object, and as a layer takes them.

PyG stacks graphs by the names of their tensors: what is called ``..._index`` is shifted by the
number of nodes and put side by side, anything else one below the other. So three tensors do:

======================  ===========  =================================================
``ego_role_index``      (2, entries) ego and member
``ego_role``            (entries,)   number of the role over all templates, egos' left out
``ego_role_value``      (entries,)   how often the member plays the role (or by the preset)
``ego_role_templates``  (1,)         a checksum of templates and preset
======================  ===========  =================================================
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from grape_gnn.errors import ModelError
from grape_gnn.nn.presets import Preset
from grape_gnn.nn.written_roles import WrittenRoles
from grape_gnn.roles import RoleMatches
from grape_gnn.template import Template

__all__ = ["MOST_ENTRIES", "EgoRoles", "fingerprint", "write_roles"]

MOST_ENTRIES = 50_000_000  # 1 GB of tensors


def fingerprint(templates: Sequence[Template], preset: Preset) -> int:
    """Return a number that tells whether roles were matched for the same layer."""
    texts = [template.canonical for template in templates]
    return zlib.crc32(repr((texts, preset.weighting, preset.values)).encode())


def write_roles(data: Any, matches: RoleMatches, preset: Preset) -> None:
    """Set the tensors of the table on a ``Data`` object."""
    from grape_gnn.nn.half_sums import half_sum

    operators = [op for roles in matches for op in roles[1:]]
    size = sum(op.nnz for op in operators)
    if size > MOST_ENTRIES:
        raise ModelError(
            f"the roles have about {size:,} members, too many to write out: for one large graph "
            f"give the layer grape_gnn.nn.RoleValues(grape_gnn.match(...)) instead"
        )
    halved = preset.values == "half-sums"
    matrices = [(half_sum(op) if halved else op).to_scipy() for op in operators]
    egos = [np.repeat(np.arange(m.shape[0]), np.diff(m.indptr)) for m in matrices]
    index = np.stack([_joined(egos), _joined([m.indices for m in matrices])])
    numbers = np.repeat(np.arange(len(matrices)), [m.nnz for m in matrices])
    values = np.concatenate([np.empty(0, np.float32), *(m.data for m in matrices)])
    data.ego_role_index = torch.from_numpy(index)
    data.ego_role = torch.from_numpy(numbers.astype(np.int64))
    data.ego_role_value = torch.from_numpy(values.astype(np.float32))
    data.ego_role_templates = torch.tensor([fingerprint([r.template for r in matches], preset)])


def _joined(parts: list[Any]) -> Any:
    return np.concatenate([np.empty(0, np.int64), *parts]).astype(np.int64)


class EgoRoles:
    """The roles that `AddEgoRoles` put into ``Data`` or a batch, arranged for the layers.

    Make one per batch and give it to all `GRAPEConv`: they share the arrangement.

    Parameters
    ----------
    data
        ``Data`` or ``Batch`` behind `AddEgoRoles`.

    Examples
    --------
    >>> from torch_geometric.data import Data
    >>> from grape_gnn.pyg import AddEgoRoles, GRAPEConv
    >>> edges = torch.tensor([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]])
    >>> data = AddEgoRoles("edge,triangle")(Data(edge_index=edges, num_nodes=3))
    >>> GRAPEConv(16, 32, "edge,triangle")(torch.ones(3, 16), EgoRoles(data)).shape
    torch.Size([3, 32])
    """

    def __init__(self, data: Any) -> None:
        if getattr(data, "ego_role_index", None) is None:
            raise ModelError(
                "the data has no roles: put AddEgoRoles into the transforms of the dataset"
            )
        self.index, self.role, self.value = (
            getattr(data, name).cpu() for name in ("ego_role_index", "ego_role", "ego_role_value")
        )
        self.num_nodes = int(data.num_nodes)
        self._templates = set(data.ego_role_templates.tolist())
        self._arranged: WrittenRoles | None = None

    def for_layer(self, templates: Sequence[Template], preset: Preset) -> WrittenRoles:
        """Return the roles as a layer multiplies by them; refuse those of other templates."""
        if self._templates - {fingerprint(templates, preset)}:
            names = ", ".join(template.name or template.text for template in templates)
            raise ModelError(
                f"got roles of other templates, or for another preset: use AddEgoRoles with the "
                f"templates {names} and the preset {preset.name!r}"
            )
        if self._arranged is None:
            ego, member = self.index.numpy()
            parts = (self.role.numpy(), ego, member, self.value.numpy())
            self._arranged = WrittenRoles.of_entries(templates, self.num_nodes, *parts)
        return self._arranged
