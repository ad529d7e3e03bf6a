"""Features that are the same for all nodes."""

import torch

from grape_gnn.training import hold_back, is_constant


def test_constant_features():
    assert is_constant(torch.full((5, 3), 2.0))
    assert is_constant(torch.tensor([[1.0, 2.0]] * 4))
    changed = torch.ones(5, 3)
    changed[4, 2] = 0
    assert not is_constant(changed)


def test_epochs_to_wait():
    assert hold_back(True) == 200
    assert hold_back(False) == 0
    assert hold_back(False, "window") == 200
