"""The rows of all roles for a batch of egos: exactly what a layer needs to compute those egos.

Roles that are written out give their rows. The others are applied to the surroundings of the egos
(`grape_gnn.nn.local_role`). With a bound on the members, every role and ego has a sample of them
(`grape_gnn.nn.sampled_rows`).

A network of several layers needs, below the rows of the batch, the rows of everybody who is a
member there, and so on: `RowSource.batch`. The egos come first among the nodes of a batch, as in
PyG, so that a layer finds them in the first rows of its input.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import whole_number
from grape_gnn.errors import ModelError
from grape_gnn.graph.surroundings import induced, places_of_rows, within
from grape_gnn.nn.half_sums import HalfSumRole
from grape_gnn.nn.local_role import LocalRole
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.sampled_rows import Rows, rows_of_matrix, sample_path_ends, sample_rows
from grape_gnn.nn.structure import Structure
from grape_gnn.roles.elsewhere import roles_on
from grape_gnn.roles.engine import make_settings
from grape_gnn.roles.enumerate import enumerate_roles
from grape_gnn.roles.operator import RoleOperator
from grape_gnn.template import Template

__all__ = ["RoleRows", "RowSource"]

Nodes = NDArray[np.int64]
Lazy = tuple[int, int, RoleOperator]


class RoleRows(RoleValues):
    """The roles of some egos; a layer takes it in the place of `RoleValues`.

    Parameters
    ----------
    roles
        The roles of the whole graph.
    egos
        Number of egos, the first of the nodes.
    nodes
        All nodes of the batch, by their number in the graph.
    stored, lazy
        The roles, with members numbered among the nodes.
    """

    def __init__(
        self,
        roles: RoleValues,
        egos: int,
        nodes: Nodes,
        stored: tuple[Structure, ...],
        lazy: tuple[Lazy, ...],
    ) -> None:
        vars(self).update(vars(roles), _kept={}, _arranged=(stored, lazy), recent=roles.recent)
        vars(self).pop("_apart", None)
        self.nodes = nodes
        self._egos = egos
        vars(self)["row_sums"] = np.ascontiguousarray(roles.row_sums[:, nodes[:egos]])
        vars(self)["degrees"] = roles.degrees[nodes]

    @property
    def num_nodes(self) -> int:
        """Number of nodes of the batch."""
        return len(self.nodes)

    @property
    def num_egos(self) -> int:
        """Number of egos, which come first."""
        return self._egos

    def __reduce__(self) -> tuple[Any, ...]:
        raise ModelError("the rows of a batch cannot be copied: make the batch again instead")


class RowSource:
    """Gives the rows of roles for batches of egos.

    Parameters
    ----------
    roles
        The roles of the whole graph.
    sample
        Members per role and ego, drawn anew for every batch; None: all.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> path = grape.Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 3, 4, 5])
    >>> source = RowSource(RoleValues(grape.match(path, "edge,triangle")))
    >>> nodes, (below, above) = source.batch(np.array([0]), layers=2)
    >>> nodes.tolist(), below.num_egos, above.num_egos
    ([0, 1, 2], 2, 1)
    """

    def __init__(self, roles: RoleValues, sample: int | None = None) -> None:
        self.roles = roles
        self.sample = sample
        if sample is not None:
            whole_number("sample_neighbours", sample, 1, error=ModelError)
        # Room for the number of every node within a batch.
        self._number = np.full(roles.graph.num_nodes, -1, np.int32)

    def batch(
        self, egos: Nodes, layers: int, random: np.random.Generator | None = None
    ) -> tuple[Nodes, tuple[RoleRows, ...]]:
        """Return the nodes that a network needs for some egos, and the rows of its layers.

        Parameters
        ----------
        egos
            Different nodes.
        layers
            Number of layers.
        random
            Draws members, if they are sampled.
        """
        nodes, found = egos, []
        for _ in range(layers):
            found.append(self.rows(nodes, random))
            nodes = found[-1].nodes
        return nodes, tuple(reversed(found))

    def rows(self, egos: Nodes, random: np.random.Generator | None = None) -> RoleRows:
        """Return the rows of one layer."""
        if self.sample is not None:
            return self._sampled(egos, random or np.random.default_rng(0))
        taken = [places_of_rows(structure.ptr, egos) for structure in self.roles.stored]
        members = [
            structure.idx[places]
            for structure, (_, places) in zip(self.roles.stored, taken, strict=True)
        ]
        if self.roles.lazy:
            reach = max(_reach(operator.template) for _, _, operator in self.roles.lazy)
            members.append(within(self.roles.graph, egos, reach).astype(np.int32))
        nodes = self._joined(egos, members)
        stored = tuple(
            Structure(
                ptr,
                self._number[idx],
                tuple(values[places] for values in structure.values),
                structure.role,
                structure.group,
                structure.num_groups,
                len(nodes),
            )
            for structure, (ptr, places), idx in zip(
                self.roles.stored, taken, members, strict=False
            )
        )
        self._number[nodes] = -1
        return RoleRows(self.roles, len(egos), nodes, stored, self._local(nodes, len(egos)))

    def _joined(self, egos: Nodes, members: list[NDArray[np.int32]]) -> Nodes:
        """Return egos and members without repetition, the egos first; number them."""
        number = self._number
        number[egos] = np.arange(len(egos), dtype=np.int32)
        others = np.unique(np.concatenate([idx[number[idx] < 0] for idx in members]))
        number[others] = np.arange(len(egos), len(egos) + len(others), dtype=np.int32)
        return np.concatenate([egos, others.astype(np.int64)])

    def _local(self, nodes: Nodes, num_egos: int) -> tuple[Lazy, ...]:
        """Return the roles that are not written out, on the graph between the nodes."""
        if not self.roles.lazy:
            return ()
        ascending = np.sort(nodes)
        places = np.searchsorted(ascending, nodes)
        between = induced(self.roles.graph, ascending)
        lazy = [operator for _, _, operator in self.roles.lazy]
        counted = [each.operator if isinstance(each, HalfSumRole) else each for each in lazy]
        roles = roles_on(between, counted)
        found = []
        for (number, group, operator), role in zip(self.roles.lazy, roles, strict=True):
            weights: list[Any] = []
            if isinstance(operator, HalfSumRole):
                weights = [operator.by_row[nodes[:num_egos]], operator.by_column[nodes]]
            found.append((number, group, LocalRole(role, places, num_egos, *weights)))
        return tuple(found)

    # ------------------------------------------------------------ sampled

    def _sampled(self, egos: Nodes, random: np.random.Generator) -> RoleRows:
        """Return rows with a sample of the members, every role by itself."""
        drawn: list[tuple[int, Rows]] = []
        most = self.sample or 0
        for structure in self.roles.stored:
            ptr, places = places_of_rows(structure.ptr, egos)
            idx = structure.idx[places]
            for role, values in zip(structure.role.tolist(), structure.values, strict=True):
                rows = Rows(ptr, idx, values[places].astype(np.float64))
                drawn.append((role, sample_rows(rows, most, random)))
        for role, _, operator in self.roles.lazy:
            drawn.append((role, self._sampled_lazy(operator, egos, random)))
        nodes = self._joined(egos, [rows.idx for _, rows in drawn])
        groups, count = self.roles.group, int(self.roles.group.max()) + 1
        stored = tuple(
            Structure(
                rows.ptr,
                self._number[rows.idx],
                (rows.values.astype(np.float32),),
                np.array([role], np.int32),
                groups[[role]].astype(np.int32),
                count,
                len(nodes),
            )
            for role, rows in drawn
        )
        self._number[nodes] = -1
        return RoleRows(self.roles, len(egos), nodes, stored, ())

    def _sampled_lazy(
        self, operator: RoleOperator, egos: Nodes, random: np.random.Generator
    ) -> Rows:
        graph, most = self.roles.graph, self.sample or 0
        counts: Any = operator.operator if isinstance(operator, HalfSumRole) else operator
        if counts.is_path_end:
            rows = sample_path_ends(graph, egos, most, random)
        else:
            found = enumerate_roles(graph, counts.template, make_settings(threads=1), egos.tolist())
            rows = sample_rows(rows_of_matrix(found.matrices[counts.role - 1][egos]), most, random)
        if isinstance(operator, HalfSumRole):
            ego = np.repeat(egos, np.diff(rows.ptr))
            halves = (operator.by_row[ego] + operator.by_column[rows.idx]) / 2
            rows = rows._replace(values=rows.values * halves)
        return rows


def _reach(template: Template) -> int:
    """Return how far from the ego the furthest node of a template is."""
    reached, steps = {0}, 0
    while len(reached) < template.num_nodes:
        ends = [edge for edge in template.edges if reached & set(edge)]
        reached |= {node for edge in ends for node in edge}
        steps += 1
    return steps
