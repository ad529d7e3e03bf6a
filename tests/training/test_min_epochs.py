"""Features that are the same for all nodes."""

import torch

from grape_gnn.training import is_constant, min_epochs


def test_constant_features():
    assert is_constant(torch.full((5, 3), 2.0))
    assert is_constant(torch.tensor([[1.0, 2.0]] * 4))
    changed = torch.ones(5, 3)
    changed[4, 2] = 0
    assert not is_constant(changed)


def test_epochs_to_wait():
    assert min_epochs(True) == 200
    assert min_epochs(False) == 0
    assert min_epochs(False, "window") == 200
