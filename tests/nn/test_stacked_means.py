"""The means of all roles of many graphs as one matrix."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.graphs.cut import Cut
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.written_roles import WrittenRoles
from grape_gnn.testing import gnp

SETS = grape.GraphSet.of([gnp(n, 0.4, n) for n in (6, 1, 9, 12, 4)])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("which", [[0, 1, 2, 3, 4], [3, 1], [2, 2, 0], [1]])
def test_means_and_their_derivative_are_those_of_the_passes_role_by_role(dtype, which):
    matches = grape.match(SETS, "molecule")
    cut = WrittenRoles.of(matches).cut(Cut.of(SETS.ptr, np.array(which)))
    alone = RoleValues(grape.match(SETS[which], "molecule"))
    h = torch.randn(cut.num_nodes, 5, dtype=dtype, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(cut.means(h), alone.means(h))
    torch.testing.assert_close(cut.log_totals(h), alone.log_totals(h))
    by_means = torch.randn_like(alone.means(h))
    torch.testing.assert_close(cut.means_backward(h, by_means), alone.means_backward(h, by_means))
    assert cut.num_entries == sum(s.idx.size * len(s.values) for s in cut.stored)


def test_a_role_without_members_has_zeros():
    roles = WrittenRoles.of(grape.match(SETS, "edge,3-path"))
    h = torch.randn(roles.num_nodes, 3)
    without = roles.without(1)
    assert (without.means(h)[:, 1] == 0).all()
    assert np.array_equal(roles.without(0).degrees, roles.degrees)
    torch.testing.assert_close(without.means(h)[:, [0, 2]], roles.means(h)[:, [0, 2]])
