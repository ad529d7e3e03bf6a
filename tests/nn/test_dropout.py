"""What dropout keeps: what torch draws, and its generator as torch leaves it."""

from __future__ import annotations

import pytest
import torch

from grape_gnn.nn import dropout
from grape_gnn.nn.dropout import drop_out, kept


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("count", [1, 2047, 2048, 5001, 100_000])
@pytest.mark.parametrize("before", [0, 1, 623, 624])
def test_draws_what_torch_draws(count, share, before):
    torch.manual_seed(count)
    torch.rand(before)
    found, next_found = kept(torch.empty(count), share), torch.rand(3)
    torch.manual_seed(count)
    torch.rand(before)
    wanted = torch.empty(count).bernoulli_(share) == 1
    assert torch.equal(found, wanted)
    assert torch.equal(next_found, torch.rand(3))


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("training", [True, False])
def test_is_the_dropout_of_torch(share, training):
    h = torch.randn(70, 50)
    torch.manual_seed(1)
    found = drop_out(h, share, training)
    torch.manual_seed(1)
    torch.testing.assert_close(found, torch.nn.functional.dropout(h, share, training))


def test_torch_draws_itself_where_it_draws_otherwise(monkeypatch):
    dropout._is_as_torch_draws.cache_clear()
    monkeypatch.setattr(dropout, "_WORDS", 312)  # as if its state were another
    assert not dropout._is_as_torch_draws()
    torch.manual_seed(0)
    found = kept(torch.empty(5000), 0.7)
    torch.manual_seed(0)
    assert torch.equal(found, torch.empty(5000, dtype=torch.bool).bernoulli_(0.7))
    dropout._is_as_torch_draws.cache_clear()
