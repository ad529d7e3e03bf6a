"""Attention by sparse products against plain indexing and dense attention."""

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.baselines.attention import (
    Neighbourhood,
    drop_entries,
    pair_sum,
    relu_sum,
    row_softmax,
    tanh_scores,
    weighted_sum,
)


def same_gradients(ours, plain, inputs):
    steer = torch.linspace(-1, 1, ours.numel()).view(ours.shape)
    mine = torch.autograd.grad((ours * steer).sum(), inputs)
    other = torch.autograd.grad((plain * steer).sum(), inputs)
    return all(torch.allclose(a, b, atol=1e-5) for a, b in zip(mine, other, strict=True))


def test_reverse_points_to_the_opposite_entry(small):
    entries = Neighbourhood(small)
    assert (entries.rows[entries.reverse] == entries.columns).all()
    assert (entries.columns[entries.reverse] == entries.rows).all()


def test_directed_graphs_are_heard_both_ways():
    arc = Neighbourhood(grape.Graph.from_edges([0], [1], directed=True), loops=False)
    assert arc.rows.tolist() == [0, 1]
    assert arc.columns.tolist() == [1, 0]


def test_pairs_and_sums_have_the_derivatives_of_plain_indexing(small):
    entries = Neighbourhood(small)
    a, b = (torch.randn(20, 3, requires_grad=True) for _ in range(2))
    ours = pair_sum(a, b, entries)
    plain = a[entries.rows] + b[entries.columns]
    assert torch.equal(ours, plain)
    assert same_gradients(ours, plain, [a, b])


@pytest.mark.parametrize("columns", [1, 5, 8, 32, 43])
def test_scores_by_a_hidden_layer_equal_plain_indexing(small, columns):
    entries = Neighbourhood(small)
    receiver, sender = (torch.randn(20, columns, requires_grad=True) for _ in range(2))
    slope = torch.randn(columns, requires_grad=True)
    ours = tanh_scores(receiver, sender, slope, entries)
    plain = torch.tanh(receiver[entries.rows] + sender[entries.columns]) @ slope[:, None]
    assert torch.allclose(ours, plain, atol=1e-5)
    assert same_gradients(ours, plain, [receiver, sender, slope])


def test_tanh_is_right_everywhere(small):
    entries = Neighbourhood(small)
    spread = torch.cat([torch.linspace(-100, 100, 30), torch.logspace(-30, 1, 50)])
    for value in [*spread.tolist(), 0.0, float("inf"), float("-inf")]:
        at = torch.full((20, 8), value)
        one = torch.zeros(8).index_fill(0, torch.tensor([3]), 1.0)
        found = tanh_scores(at, torch.zeros(20, 8), one, entries)
        assert (found - torch.tanh(torch.tensor(value))).abs().max() < 3e-7
    broken = tanh_scores(at * float("nan"), at, one, entries)
    assert broken.isnan().all()


@pytest.mark.parametrize("columns", [1, 5, 8, 32, 43])
def test_sums_of_what_is_said_to_each_listener_equal_plain_indexing(small, columns):
    entries = Neighbourhood(small)
    features = torch.randn(20, columns, requires_grad=True)
    counts = torch.randn(entries.rows.numel(), 3)
    weight = torch.randn(3, columns, requires_grad=True)
    ours = relu_sum(features, counts, weight, entries)
    said = torch.relu(features[entries.columns] + counts @ weight)
    plain = torch.zeros(20, columns).index_add(0, entries.rows, said)
    assert torch.allclose(ours, plain, atol=1e-4)
    assert same_gradients(ours, plain, [features, weight])


@pytest.mark.parametrize(("heads", "share"), [(1, 1), (1, 32), (1, 43), (8, 4), (5, 3), (3, 40)])
def test_every_head_sums_its_share_by_its_weights(small, heads, share):
    entries = Neighbourhood(small)
    weights = torch.randn(entries.rows.numel(), heads, requires_grad=True)
    features = torch.randn(20, heads * share, requires_grad=True)
    ours = weighted_sum(weights, features, entries)
    spread = weights.repeat_interleave(share, dim=1) * features[entries.columns]
    plain = torch.zeros(20, heads * share).index_add(0, entries.rows, spread)
    assert torch.allclose(ours, plain, atol=1e-4)
    assert same_gradients(ours, plain, [weights, features])


def test_double_precision(small):
    entries = Neighbourhood(small)
    a, b = (torch.randn(20, 3, dtype=torch.float64, requires_grad=True) for _ in range(2))
    slope = torch.randn(3, dtype=torch.float64, requires_grad=True)
    counts = torch.randn(entries.rows.numel(), 3, dtype=torch.float64)
    weight = torch.randn(3, 3, dtype=torch.float64, requires_grad=True)
    check = torch.autograd.gradcheck
    assert check(lambda *x: tanh_scores(*x, entries), (a, b, slope))
    assert check(lambda x, w: relu_sum(x, counts, w, entries), (a, weight))
    weights = torch.randn(entries.rows.numel(), 3, dtype=torch.float64, requires_grad=True)
    assert check(lambda w, x: weighted_sum(w, x, entries), (weights, a))


def test_shapes_that_do_not_fit_are_refused(small):
    entries, twenty = Neighbourhood(small), torch.zeros(20, 4)
    with pytest.raises(ValueError, match="do not fit"):
        weighted_sum(torch.zeros(3, 1), twenty, entries)
    with pytest.raises(ValueError, match="do not fit"):
        tanh_scores(twenty, torch.zeros(19, 4), torch.zeros(4), entries)
    with pytest.raises(ValueError, match="do not fit"):
        relu_sum(twenty, torch.zeros(entries.rows.numel(), 2), torch.zeros(3, 4), entries)


def test_softmax_and_weighted_sum_equal_dense_attention(small):
    entries = Neighbourhood(small)
    scores = (30 * torch.randn(entries.rows.numel(), 2)).requires_grad_()
    features = torch.randn(20, 6, requires_grad=True)
    ours = weighted_sum(row_softmax(scores, entries), features, entries)
    dense = []
    for head in range(2):
        matrix = torch.full((20, 20), float("-inf"))
        matrix = matrix.index_put((entries.rows, entries.columns), scores[:, head])
        dense.append(torch.softmax(matrix, dim=1) @ features[:, 3 * head : 3 * head + 3])
    plain = torch.cat(dense, dim=1)
    assert torch.allclose(ours, plain, atol=1e-5)
    assert same_gradients(ours, plain, [scores, features])


def test_dropping_keeps_the_mean_and_follows_the_seed():
    ones = torch.ones(1001, 3)
    torch.manual_seed(0)
    first = drop_entries(ones, 0.3, training=True)
    torch.manual_seed(0)
    assert torch.equal(first, drop_entries(ones, 0.3, training=True))
    assert np.isclose((first == 0).float().mean().item(), 0.3, atol=0.04)
    assert np.isclose(first.max().item(), 1 / 0.7, atol=1e-3)
    assert torch.equal(drop_entries(ones, 0.3, training=False), ones)
    assert torch.equal(drop_entries(ones, 0.0, training=True), ones)
