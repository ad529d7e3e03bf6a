"""Attention by sparse products against plain indexing and dense attention."""

import numpy as np
import torch

import grape_gnn as grape
from grape_gnn.baselines.attention import (
    Neighbourhood,
    drop_entries,
    entry_sum,
    from_sender,
    pair_sum,
    row_softmax,
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
    ours, plain = from_sender(a, entries), a[entries.columns]
    assert torch.equal(ours, plain)
    assert same_gradients(ours, plain, [a])
    values = torch.randn(entries.rows.numel(), 3, requires_grad=True)
    plain = torch.zeros(20, 3).index_add(0, entries.rows, values)
    assert torch.allclose(entry_sum(values, entries), plain, atol=1e-5)
    assert same_gradients(entry_sum(values, entries), plain, [values])


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
