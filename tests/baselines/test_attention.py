"""Attention by sparse products and by blocks, against plain indexing and dense attention."""

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.baselines import attention
from grape_gnn.baselines.attention import (
    Neighbourhood,
    drop_entries,
    messages,
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


@pytest.mark.parametrize("block", [1, 7, 8192])
def test_messages_equal_plain_indexing(small, block, monkeypatch):
    monkeypatch.setattr(attention, "_BLOCK", block)
    entries = Neighbourhood(small)
    receiver, sender = (torch.randn(20, 5, requires_grad=True) for _ in range(2))
    constant = torch.randn(entries.rows.numel(), 1)
    slope = torch.randn(5, 2, requires_grad=True)

    def message(a, b, c, weight):
        return c * (torch.tanh(a + b) @ weight)

    places, inputs = ("receiver", "sender", "entry", "all"), (receiver, sender, constant, slope)
    plain = message(receiver[entries.rows], sender[entries.columns], constant, slope)
    ours = messages(message, places, *inputs, entries=entries)
    assert torch.allclose(ours, plain, atol=1e-5)
    assert same_gradients(ours, plain, [receiver, sender, slope])
    summed = torch.zeros(20, 2).index_add(0, entries.rows, plain)
    ours = messages(message, places, *inputs, entries=entries, total=True)
    assert torch.allclose(ours, summed, atol=1e-5)
    plain = message(receiver[entries.rows], sender[entries.columns], constant, slope)
    summed = torch.zeros(20, 2).index_add(0, entries.rows, plain)
    assert same_gradients(ours, summed, [receiver, sender, slope])


def test_messages_of_a_graph_without_entries():
    nobody = Neighbourhood(grape.Graph.from_edges([], [], num_nodes=2), loops=False)
    x = torch.ones(2, 3, requires_grad=True)
    found = messages(torch.mul, ("receiver", "sender"), x, x, entries=nobody, total=True)
    assert found.tolist() == torch.zeros(2, 3).tolist()
    assert torch.autograd.grad(found.sum(), x)[0].tolist() == torch.zeros(2, 3).tolist()


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
    x = torch.randn(20, 3, dtype=torch.float64, requires_grad=True)
    weights = torch.randn(entries.rows.numel(), 3, dtype=torch.float64, requires_grad=True)
    check = torch.autograd.gradcheck
    assert check(lambda w, x: weighted_sum(w, x, entries), (weights, x))
    assert check(lambda scores: row_softmax(scores, entries), (weights,))


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
