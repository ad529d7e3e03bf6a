"""Labels as inputs: what is hidden is asked for, what is asked for is hidden."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from grape_gnn.nn import SparseFeatures
from grape_gnn.training import LabelInputs, TrainSettings, train, with_all_labels

LABELS = torch.tensor([2, -1, 0, 1, -1, 0, 2, 1])


def dense(x) -> torch.Tensor:
    return x.to_dense() if isinstance(x, SparseFeatures) else x


@pytest.fixture(params=["dense", "sparse"])
def inputs(request) -> LabelInputs:
    x = torch.rand(8, 5, generator=torch.Generator().manual_seed(1)) * (torch.arange(5) % 2)
    return LabelInputs(SparseFeatures(x) if request.param == "sparse" else x, LABELS, 3)


def test_complete_inputs_are_features_and_labels(inputs):
    whole = dense(inputs.complete())
    assert whole.shape == inputs.shape == (8, 8)
    assert whole[:, 5:].argmax(dim=1)[LABELS >= 0].equal(LABELS[LABELS >= 0])
    assert whole[LABELS < 0, 5:].sum() == 0


def test_labels_that_are_asked_for_are_hidden_and_the_others_shown(inputs):
    whole = dense(inputs.complete()).clone()
    torch.manual_seed(0)
    seen = set()
    for _ in range(50):
        drawn, hidden = inputs.draw()
        values = dense(drawn)
        assert hidden.any()
        assert not hidden[LABELS < 0].any()
        assert values[hidden, 5:].sum() == 0
        assert values[~hidden].equal(whole[~hidden])
        assert values[:, :5].equal(whole[:, :5])
        seen.add(tuple(hidden.tolist()))
    assert len(seen) > 20
    assert dense(inputs.complete()).equal(whole)


def test_a_single_label_is_asked_for():
    inputs = LabelInputs(torch.ones(2, 1), torch.tensor([0, -1]), 2)
    torch.manual_seed(0)
    assert all(inputs.draw()[1].tolist() == [True, False] for _ in range(10))


def test_other_arguments_are_left_alone():
    inputs = LabelInputs(torch.ones(2, 1), torch.tensor([0, -1]), 2)
    complete, other = with_all_labels([inputs, "roles"])
    assert complete.tolist() == [[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    assert other == "roles"


class CopiesItsLabel(nn.Module):
    """The best score for the class a node is shown; nothing to learn but a useless number."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(4.0))

    def forward(self, x):
        return self.scale * x[:, -2:] + 0 * self.scale


def test_a_network_gains_nothing_by_copying_labels():
    labels = torch.tensor([0, 1] * 20)
    training = torch.from_numpy(np.arange(40) < 20)
    shown = torch.where(training, labels, -1)
    settings = TrainSettings(epochs=3)
    model = CopiesItsLabel()
    history = train(
        model, [LabelInputs(torch.ones(40, 1), shown, 2)], labels, training, ~training, settings
    )
    # Hidden labels are zeros in the input, so that the scores are equal: log 2, whatever the scale.
    assert history.epochs[0].loss == pytest.approx(np.log(2))
