"""The compiled pass against the plain torch form: values, gradients, threads, bad sizes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn import _native
from grape_gnn.nn import RoleValues
from grape_gnn.nn.fused import fused_product as fused_roles
from grape_gnn.nn.fused import plain_product as plain_roles
from grape_gnn.nn.structure import Structure


def random_structure(
    n: int, entries: int, roles: int, groups: int, seed: int, egos: int | None = None
) -> Structure:
    rng = np.random.default_rng(seed)
    egos = egos or n
    keys = np.sort(rng.choice(egos * n, size=entries, replace=False))
    ptr = np.searchsorted(keys, np.arange(egos + 1) * n).astype(np.int64)
    group = np.sort(rng.integers(0, groups, roles)).astype(np.int32)
    values = rng.integers(0, 5, (roles, entries)).astype(float)
    numbers = np.arange(roles, dtype=np.int32)
    return Structure(ptr, (keys % n).astype(np.int32), tuple(values), numbers, group, groups, n)


def fused_product(structure: Structure, *given: torch.Tensor) -> torch.Tensor:
    return fused_roles(SimpleNamespace(stored=(structure,), lazy=()), *given)


def plain_product(structure: Structure, *given: torch.Tensor) -> torch.Tensor:
    return plain_roles(SimpleNamespace(stored=(structure,), lazy=()), *given)


def operands(
    structure: Structure, columns: int, shared: bool, seed: int, dtype: torch.dtype
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    random = torch.Generator().manual_seed(seed)
    n, egos = structure.num_columns, structure.num_rows
    shape = (n, columns) if shared else (n, structure.num_groups, columns)
    return (
        torch.randn(structure.num_groups, generator=random, dtype=dtype).requires_grad_(),
        torch.randn(structure.group.size, egos, generator=random, dtype=dtype).requires_grad_(),
        torch.randn(shape, generator=random, dtype=dtype).requires_grad_(),
    )


@pytest.mark.parametrize("columns", [1, 7, 8, 32, 45])
@pytest.mark.parametrize(("roles", "groups"), [(1, 1), (3, 2), (4, 4), (7, 5), (11, 3)])
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("egos", [20, 7])
def test_values_and_gradients_equal_the_oracle(
    columns: int, roles: int, groups: int, shared: bool, egos: int
) -> None:
    structure = random_structure(20, 90, roles, groups, seed=roles, egos=egos)
    given = operands(structure, columns, shared, columns, torch.float64)
    fused, plain = fused_product(structure, *given), plain_product(structure, *given)
    torch.testing.assert_close(fused, plain)
    upstream = torch.randn(fused.shape, dtype=torch.float64)
    for a, b in zip(
        torch.autograd.grad(fused, given, upstream),
        torch.autograd.grad(plain, given, upstream),
        strict=True,
    ):
        torch.testing.assert_close(a, b)


@pytest.mark.parametrize("shared", [True, False])
def test_gradcheck(shared: bool) -> None:
    structure = random_structure(6, 14, 4, 2, seed=0)
    given = operands(structure, 3, shared, 0, torch.float64)
    assert torch.autograd.gradcheck(lambda *a: fused_product(structure, *a), given)


def test_single_precision_and_parts_without_gradient() -> None:
    structure = random_structure(20, 90, 5, 3, seed=1)
    ego, scale, h = operands(structure, 32, True, 1, torch.float32)
    torch.testing.assert_close(
        fused_product(structure, ego, scale, h), plain_product(structure, ego, scale, h)
    )
    constant = h.detach()
    out = fused_product(structure, ego, scale, constant)
    expected = torch.autograd.grad(plain_product(structure, ego, scale, constant).sum(), scale)
    torch.testing.assert_close(torch.autograd.grad(out.sum(), scale), expected)
    fixed = fused_product(structure, ego.detach(), scale.detach(), h)
    (found,) = torch.autograd.grad(fixed.square().sum(), h)
    (wanted,) = torch.autograd.grad(plain_product(structure, ego, scale, h).square().sum(), h)
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-3)


def test_threads_do_not_change_the_result() -> None:
    structure = random_structure(600, 60_000, 5, 4, seed=2)
    ego, scale, h = operands(structure, 64, True, 2, torch.float32)
    before = torch.get_num_threads()
    results = []
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            out = fused_product(structure, ego, scale, h)
            results.append([out, *torch.autograd.grad(out.square().sum(), (ego, scale, h))])
    finally:
        torch.set_num_threads(before)
    for one, two in zip(*results, strict=True):
        assert torch.equal(one, two)


def test_rows_without_entries_and_no_rows() -> None:
    empty = Structure(
        np.zeros(4, np.int64),
        np.zeros(0, np.int32),
        (np.zeros(0),),
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
        1,
        3,
    )
    h = torch.arange(6.0).reshape(3, 2)
    out = fused_product(empty, torch.tensor([2.0]), torch.ones(1, 3), h)
    assert torch.equal(out[:, 0], 2 * h)


def test_wrong_sizes_are_refused_before_anything_is_read() -> None:
    structure = random_structure(5, 8, 2, 1, seed=0)
    with pytest.raises(ValueError, match="scale has the wrong size"):
        fused_product(structure, torch.ones(1), torch.ones(1, 5), torch.ones(5, 2))
    with pytest.raises(ValueError, match="features has the wrong size"):
        fused_product(structure, torch.ones(1), torch.ones(2, 5), torch.ones(4, 2))


def test_sums_over_neighbours_are_those_of_a_role_and_not_asked_for_twice() -> None:
    n, columns = 5, 2
    compiled = random_structure(n, 8, 2, 1, seed=0).single
    ego, scale = np.ones(1, np.float32), np.ones((2, n), np.float32)
    h, over = np.ones((n, columns), np.float32), np.empty((n, columns), np.float32)
    out = np.zeros((n, 1, columns), np.float32)
    for unit in (-1, 2):
        with pytest.raises(ValueError, match="unit is no role"):
            compiled.forward(ego, scale, h, None, out, 1, unit, over)
        with pytest.raises(ValueError, match="unit is no role"):
            compiled.backward_features(ego, scale, out, over, 1, unit, h, h)
    sums = np.empty((n, 2, columns), np.float32)
    with pytest.raises(ValueError, match="sums of all roles, or over the neighbours"):
        compiled.forward(ego, scale, h, sums, out, 1, 0, over)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("shared", [True, False])
def test_aggregation_is_the_weighted_sum_of_role_products(directed: bool, shared: bool) -> None:
    rng = np.random.default_rng(3)
    src, dst = np.nonzero(np.triu(rng.random((14, 14)) < 0.4, 1))
    graph = grape.Graph.from_edges(src, dst, 14, directed)
    names = "to,from-to,directed-triangle" if directed else "edge,3-path,4-cycle,tailed-triangle"
    found = grape.match(graph, names)
    roles = RoleValues(found)
    shape = (14, 3) if shared else (14, len(found), 3)
    h = torch.from_numpy(rng.normal(size=shape))
    ego = torch.from_numpy(rng.normal(size=len(found)))
    scale = torch.from_numpy(rng.normal(size=(roles.num_roles, 14)))
    for product in (fused_roles, plain_roles):
        out = product(roles, ego, scale, h)
        role = 0
        for g, template in enumerate(found):
            mine = h if shared else h[:, g]
            expected = ego[g] * mine
            for operator in template[1:]:
                expected = expected + scale[role][:, None] * (operator @ mine)
                role += 1
            torch.testing.assert_close(out[:, g], expected)


def test_a_directed_graph_keeps_arcs_both_ways_on_shared_rows() -> None:
    graph = grape.Graph.from_edges([0, 1], [1, 2], directed=True)
    roles = RoleValues(grape.match(graph, "to,from"))
    assert not roles.far
    assert roles.stored[0].ptr.tolist() == [0, 1, 3, 4]
    assert [each.tolist() for each in roles.stored[0].values] == [[0, 1, 0, 1], [1, 0, 1, 0]]


def test_vectors_of_all_widths_agree() -> None:
    widest = _native.widest_lanes()
    rng = np.random.default_rng(0)
    src, dst = np.nonzero(np.triu(rng.random((30, 30)) < 0.3, 1))
    roles = RoleValues(grape.match(grape.Graph.from_edges(src, dst, 30), "edge,3-path,triangle"))
    ego, scale = torch.rand(3), torch.rand(roles.num_roles, 30)
    h = torch.randn(30, 45, requires_grad=True)
    expected = plain_roles(roles, ego, scale, h)
    (gradient,) = torch.autograd.grad(expected.sum(), h)
    try:
        for lanes in (16, 32, 64):
            if lanes > widest:
                with pytest.raises(ValueError, match="this processor has no vectors of so many"):
                    _native.use_lanes(lanes)
                continue
            _native.use_lanes(lanes)
            assert _native.lanes_in_use() == lanes
            found = roles.aggregate(ego, scale, h)
            torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-3)
            (by_h,) = torch.autograd.grad(found.sum(), h)
            torch.testing.assert_close(by_h, gradient, rtol=1e-5, atol=1e-3)
    finally:
        _native.use_lanes(widest)
    with pytest.raises(ValueError, match="vectors have 16, 32 or 64 bytes"):
        _native.use_lanes(24)


def random_graph(nodes: int, share: float, seed: int) -> grape.Graph:
    rng = np.random.default_rng(seed)
    src, dst = np.nonzero(np.triu(rng.random((nodes, nodes)) < share, 1))
    return grape.Graph.from_edges(src, dst, nodes)


@pytest.mark.parametrize("columns", [1, 8, 45])
@pytest.mark.parametrize("names", ["edge,3-path,triangle", "3-path,edge", "3-path,triangle"])
def test_path_ends_go_on_from_the_sums_of_an_edge(names: str, columns: int, monkeypatch) -> None:
    monkeypatch.setattr("grape_gnn.nn.role_values.LARGEST_WRITTEN_OUT", 0)
    roles = RoleValues(grape.match(random_graph(25, 0.3, seed=1), names))
    assert [operator.is_path_end for _, _, operator in roles.lazy] == [True]
    assert (roles.stored[0].unit is None) == ("edge" not in names)
    random = torch.Generator().manual_seed(0)
    ego, scale, h = (
        torch.randn(shape, generator=random, dtype=torch.float64)
        for shape in [(len(roles.templates),), (roles.num_roles, 25), (25, columns)]
    )
    h.requires_grad_()
    found, wanted = fused_roles(roles, ego, scale, h), plain_roles(roles, ego, scale, h)
    torch.testing.assert_close(found, wanted)
    upstream = torch.randn(found.shape, generator=random, dtype=torch.float64)
    by_us, by_torch = (torch.autograd.grad(each, h, upstream) for each in (found, wanted))
    torch.testing.assert_close(by_us, by_torch)


def test_a_path_that_returns_leaves_nothing_behind(monkeypatch) -> None:
    monkeypatch.setattr("grape_gnn.nn.role_values.LARGEST_WRITTEN_OUT", 0)
    leaves = 1000  # around node 0, and one of them has a neighbour of its own
    star = grape.Graph.from_edges([0] * leaves + [1], [*range(1, leaves + 1), leaves + 1])
    roles = RoleValues(grape.match(star, "edge,3-path"))
    h = torch.randn(leaves + 2, 3, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(roles.means(h)[0, 2], h[leaves + 1], rtol=0, atol=5e-7)
