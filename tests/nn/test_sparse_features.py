"""Sparse features against the dense ones they stand for."""

from __future__ import annotations

import numpy as np
import torch

import grape_gnn as grape
from grape_gnn.nn import GRAPE, RoleValues, SparseFeatures, as_sparse


def words(nodes: int = 30, width: int = 100, share: float = 0.05) -> torch.Tensor:
    rng = np.random.default_rng(0)
    return torch.from_numpy((rng.random((nodes, width)) < share).astype(np.float32))


def test_products_and_gradients_equal_the_dense_ones() -> None:
    x = words()
    weight = torch.randn(100, 7, requires_grad=True)
    upstream = torch.randn(30, 7)
    found = SparseFeatures(x) @ weight
    torch.testing.assert_close(found, x @ weight)
    torch.testing.assert_close(
        torch.autograd.grad(found, weight, upstream),
        torch.autograd.grad(x @ weight, weight, upstream),
    )
    assert torch.equal(SparseFeatures(x).to_dense(), x)


def test_dropout_drops_entries_and_keeps_the_rest_in_step_with_the_transpose() -> None:
    x = words(200, 100)
    torch.manual_seed(0)
    dropped = SparseFeatures(x).dropout(0.5, training=True)
    dense = dropped.to_dense()
    kept = dense != 0
    assert 0.4 < kept.sum() / (x != 0).sum() < 0.6
    assert torch.equal(dense[kept], 2 * x[kept])
    columns = dropped.transposed_times(torch.eye(200)[:, None])  # one group
    assert torch.equal(columns[0], dense.T)
    assert torch.equal(SparseFeatures(x).dropout(0.5, training=False).to_dense(), x)


def test_a_model_takes_either() -> None:
    x = words()
    graph = grape.Graph.from_edges(range(29), range(1, 30))
    roles = RoleValues(grape.match(graph, "edge,3-path"))
    for hidden in (8, 128):  # linear first, and aggregation first
        model = GRAPE(roles.templates, 100, 3, hidden=hidden)
        model.train()(SparseFeatures(x), roles)
        model.eval()
        torch.testing.assert_close(model(SparseFeatures(x), roles), model(x, roles))


def test_only_wide_and_mostly_zero_features_are_stored_sparsely() -> None:
    assert isinstance(as_sparse(words()), SparseFeatures)
    assert isinstance(as_sparse(words(share=0.5)), torch.Tensor)
    assert isinstance(as_sparse(words(width=10)), torch.Tensor)


def test_some_rows():
    dense = torch.zeros(5, 4)
    dense[1, 2], dense[3, 0], dense[4, 3] = 2.0, 3.0, 4.0
    rows = torch.tensor([4, 1, 0])
    found = SparseFeatures(dense)[rows]
    assert torch.equal(found.to_dense(), dense[rows])
    assert torch.equal(found @ torch.eye(4), dense[rows])
