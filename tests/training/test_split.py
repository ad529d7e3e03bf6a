"""Splits and masks."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from grape_gnn.errors import ModelError
from grape_gnn.training import as_mask, random_split


def test_shares_and_seeds() -> None:
    labels = np.r_[np.zeros(80, int), np.full(20, -1), np.ones(20, int)]
    split = random_split(labels, seed=1)
    parts = [split.train, split.validation, split.test]
    assert [int(part.sum()) for part in parts] == [60, 20, 20]
    assert np.array_equal(sum(part.astype(int) for part in parts), (labels >= 0).astype(int))
    assert np.array_equal(split.train, random_split(labels, seed=1).train)
    assert not np.array_equal(split.train, random_split(labels, seed=2).train)


def test_too_few_nodes_or_wrong_shares() -> None:
    with pytest.raises(ModelError, match="part of the split is empty: 2 labelled nodes"):
        random_split([0, 1, -1], seed=0)
    with pytest.raises(ModelError, match="add up to 1"):
        random_split([0, 1], seed=0, shares=(0.5, 0.2, 0.2))


def test_masks() -> None:
    assert as_mask(torch.tensor([True, False]), 2, "m").tolist() == [True, False]
    assert as_mask(np.array([1]), 2, "m").tolist() == [False, True]
    assert as_mask([], 2, "m").tolist() == [False, False]
    with pytest.raises(ModelError, match=r"train_mask has shape \(3,\).*\(2,\)"):
        as_mask(np.ones(3, bool), 2, "train_mask")
    with pytest.raises(ModelError, match=r"outside 0\.\.1"):
        as_mask([2], 2, "m")
    with pytest.raises(ModelError, match="boolean mask or a list of node numbers"):
        as_mask([0.5], 2, "m")
