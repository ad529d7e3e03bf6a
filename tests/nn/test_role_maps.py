"""Maps behind standardised messages, role by role, against batch normalisation and one product."""

from __future__ import annotations

import pytest
import torch
from torch import nn

import grape_gnn as grape
from grape_gnn import _native
from grape_gnn.nn import RoleValues, messages
from grape_gnn.nn.messages import BLOCK, FORMS
from grape_gnn.nn.role_maps import GivenMessages, RoleMaps

ROLES, WIDTH, OUT = 3, 5, 4


def plain(maps: RoleMaps, norm: nn.BatchNorm1d, means, logs):
    both = torch.stack([means, means * logs[:, :, None]], dim=2)
    return norm(both.flatten(1)) @ maps.weight.T


def twins(seed=0):
    torch.manual_seed(seed)
    maps = RoleMaps(ROLES, WIDTH, OUT).double()
    return maps, nn.BatchNorm1d(ROLES * len(FORMS) * WIDTH, affine=False).double()


def drawn(n, shift=0.0):
    means = torch.randn(n, ROLES, WIDTH, dtype=torch.float64) + shift
    return means.requires_grad_(), torch.rand(n, ROLES, dtype=torch.float64) * 9


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("n", [2, 3, 40])
def test_values_and_derivatives_are_those_of_batch_normalisation(n, training):
    maps, norm = twins()
    for _ in range(3):  # kept statistics, too
        means, logs = drawn(n, shift=2.0)
        maps.train()(means, GivenMessages(logs)), norm.train()(both_forms(means, logs))
    maps.train(training), norm.train(training)
    means, logs = drawn(n, shift=2.0)
    found, wanted = maps(means, GivenMessages(logs)), plain(maps, norm, means, logs)
    torch.testing.assert_close(found, wanted)
    torch.testing.assert_close(maps.running_mean, norm.running_mean)
    torch.testing.assert_close(maps.running_var, norm.running_var)
    weights = torch.randn_like(found)
    inputs = (means, maps.weight)
    by_us = torch.autograd.grad((found * weights).sum(), inputs, retain_graph=True)
    by_torch = torch.autograd.grad((wanted * weights).sum(), inputs)
    for ours, theirs in zip(by_us, by_torch, strict=True):
        torch.testing.assert_close(ours, theirs)


def both_forms(means, logs):
    return torch.stack([means, means * logs[:, :, None]], dim=2).flatten(1)


def test_derivatives_by_differences():
    maps, _ = twins()
    means, logs = drawn(6)
    torch.autograd.gradcheck(lambda given: maps.train()(given, GivenMessages(logs)), (means,))


def test_a_single_node_is_not_standardised_in_training():
    maps, _ = twins()
    means, logs = drawn(1)
    expected = both_forms(means, logs) @ maps.weight.T
    torch.testing.assert_close(
        maps.train()(means, GivenMessages(logs)), expected, rtol=1e-4, atol=1e-4
    )
    assert (maps.running_mean == 0).all()


def test_renewed_statistics_are_kept_and_used_to_the_last_bit():
    maps, _ = twins()
    means, logs = drawn(7, shift=3.0)
    maps.eval()
    before = maps(means, GivenMessages(logs))
    with torch.no_grad(), maps.renewed():
        during = maps(means, GivenMessages(logs))
    assert not torch.allclose(before, during)
    assert torch.equal(maps(means, GivenMessages(logs)), during)
    columns = both_forms(means, logs).detach()
    torch.testing.assert_close(maps.running_var, columns.var(dim=0, correction=0))


def test_messages_that_hardly_differ_are_not_noise():
    maps, norm = twins()
    maps.float(), norm.float()
    means = torch.full((50, ROLES, WIDTH), 1000.0)
    logs = torch.ones(50, ROLES)
    assert maps.train()(means, GivenMessages(logs)).abs().max() < 0.1


def test_going_back_twice_gives_the_same_and_changes_nothing_given():
    graph = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    roles = RoleValues(grape.match(graph, "edge,3-path"))
    maps, _ = twins()
    means, logs = drawn(6)
    before = means.detach().clone()
    h = torch.randn(4, WIDTH, dtype=torch.float64, requires_grad=True)
    for given, of in ((means, GivenMessages(logs)), (h, roles)):
        out = maps.train()(given, of).square().sum()
        first = torch.autograd.grad(out, given, retain_graph=True)
        assert torch.equal(first[0], torch.autograd.grad(out, given)[0])
    assert torch.equal(means, before)


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("n", [BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 7, 17 * BLOCK])
def test_blocks_of_nodes_join(n, fused, monkeypatch):
    if not fused:  # as on other devices than the processor
        monkeypatch.setattr(messages, "can_be_fused", lambda _: False)
    maps, norm = twins()
    means, logs = drawn(n, shift=2.0)
    found, wanted = maps.train()(means, GivenMessages(logs)), plain(maps, norm.train(), means, logs)
    torch.testing.assert_close(found, wanted)
    weights = torch.randn_like(found)
    by_us = torch.autograd.grad((found * weights).sum(), (means, maps.weight))
    by_torch = torch.autograd.grad((wanted * weights).sum(), (means, maps.weight))
    torch.testing.assert_close(by_us, by_torch)


@pytest.mark.parametrize("lanes", [16, 32, 64])
@pytest.mark.parametrize("out_features", [1, 7, 16, 33])
def test_maps_of_any_width_with_any_vectors(out_features, lanes):
    if lanes > _native.widest_lanes():
        pytest.skip(f"no vectors of {lanes} bytes")
    torch.manual_seed(0)
    maps = RoleMaps(ROLES, WIDTH, out_features).double()
    norm = nn.BatchNorm1d(ROLES * len(FORMS) * WIDTH, affine=False).double()
    means, logs = drawn(131, shift=2.0)
    _native.use_lanes(lanes)
    try:
        found = maps.train()(means, GivenMessages(logs))
        weights = torch.randn_like(found)
        by_us = torch.autograd.grad((found * weights).sum(), (means, maps.weight))
    finally:
        _native.use_lanes(_native.widest_lanes())
    wanted = plain(maps, norm.train(), means, logs)
    torch.testing.assert_close(found, wanted)
    by_torch = torch.autograd.grad((wanted * weights).sum(), (means, maps.weight))
    torch.testing.assert_close(by_us, by_torch)


def test_any_number_of_threads_gives_the_same():
    means, logs = drawn(20_000)
    means, logs = means.detach().float().requires_grad_(), logs.float()
    maps = RoleMaps(ROLES, WIDTH, OUT).train()
    before, found = torch.get_num_threads(), []
    for threads in (1, 3):
        torch.set_num_threads(threads)
        try:
            out = maps(means, GivenMessages(logs))
            by = torch.autograd.grad(out.sum() + out[:, 0].square().sum(), (means, maps.weight))
        finally:
            torch.set_num_threads(before)
        found.append((out, *by))
    for one, several in zip(*found, strict=True):
        torch.testing.assert_close(one, several, rtol=1e-6, atol=1e-6)
    assert torch.equal(found[0][0], found[1][0])


def test_large_means_are_kept_of_the_last_layer_only(monkeypatch):
    graph = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    roles = RoleValues(grape.match(graph, "edge,3-path"))
    h = torch.randn(4, WIDTH, dtype=torch.float64, requires_grad=True)
    first, second = RoleMaps(3, WIDTH, WIDTH).double(), RoleMaps(3, WIDTH, OUT).double()
    counted = []
    plain_means = RoleValues.means

    def means(self, features):
        counted.append(features)
        return plain_means(self, features)

    monkeypatch.setattr(RoleValues, "means", means)
    found = {}
    for largest in (0, 1 << 26):
        monkeypatch.setattr("grape_gnn.nn.kept_means.LARGEST_KEPT", largest)
        counted.clear()
        out = second(first(h, roles), roles).square().sum()
        found[largest] = (*torch.autograd.grad(out, (h, first.weight)), len(counted))
    assert (found[0][2], found[1 << 26][2]) == (3, 2)
    for ours, theirs in zip(found[0][:2], found[1 << 26][:2], strict=True):
        assert torch.equal(ours, theirs)
