"""The loss of every task, class weights, and numbers in their units."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.training import InUnits, LabelInputs, Objective, TrainSettings, train
from grape_gnn.training.objective import hide_labels, label_columns

EVERYONE = torch.ones(4, dtype=torch.bool)


def test_balanced_classes_have_the_same_weight_together() -> None:
    labels = torch.tensor([0, 0, 0, 1])
    scores = torch.randn(4, 3, generator=torch.Generator().manual_seed(0))
    each = nn.functional.cross_entropy(scores, labels, reduction="none")
    plain, balanced = Objective(labels, EVERYONE), Objective(labels, EVERYONE, "balanced")
    assert plain(scores, labels, weighted=True).item() == pytest.approx(each.mean().item())
    expected = (each[:3].mean() + each[3]) / 2
    assert balanced(scores, labels, weighted=True).item() == pytest.approx(expected.item())
    assert balanced(scores, labels).item() == pytest.approx(each.mean().item())  # validation


def test_balanced_labels_weigh_each_yes_like_all_noes() -> None:
    labels = torch.tensor([[1, 0], [0, 0], [0, 1], [0, 1]])
    scores = torch.zeros(4, 2)
    plain = Objective(labels, EVERYONE)(scores, labels, weighted=True).item()
    balanced = Objective(labels, EVERYONE, "balanced")(scores, labels, weighted=True).item()
    half = -torch.tensor(0.5).log().item()
    assert plain == pytest.approx(half)
    assert balanced == pytest.approx(half * (3 + 3 + 2 + 2) / 8)


def test_numbers_have_no_class_weight() -> None:
    with pytest.raises(ModelError, match="class_weight is for classes"):
        Objective(torch.tensor([1.0, 2.0, 3.0, 4.0]), EVERYONE, "balanced")


@pytest.mark.parametrize(("centre", "spread"), [(0.0, 1.0), (1.7e9, 10.0), (-3.0, 1e-6)])
def test_numbers_are_learnt_whatever_their_units(centre: float, spread: float) -> None:
    """A year, a price, a share: the same numbers in other units make the same training."""
    torch.manual_seed(0)
    x = torch.randn(40, 3)
    y = (x @ torch.tensor([1.0, -2.0, 0.5])).double() * spread + centre
    first = torch.arange(40) < 30
    torch.manual_seed(1)
    model = InUnits(nn.Linear(3, 1), y[first])
    settings = TrainSettings(epochs=400, patience=400, learning_rate=0.05, metric="rmse")
    history = train(model, [x], y, first, ~first, settings)
    assert history.epochs[history.best].score > -0.05 * spread
    assert history.epochs[-1].validation_accuracy is None


def test_labels_of_every_task_as_columns() -> None:
    several = label_columns(torch.tensor([[1, 0], [-1, -1], [1, 1]]), 2)
    assert several.tolist() == [[1, 0, 1], [0, 0, 0], [1, 1, 1]]
    hidden = hide_labels(torch.tensor([2.0, 4.0, 9.0]), torch.tensor([True, True, False]))
    assert label_columns(hidden, 1).tolist() == [[-1, 1], [1, 1], [0, 0]]
    inputs = LabelInputs(torch.zeros(3, 5), hidden, 1)
    assert inputs.shape == (3, 7)
    _, drawn = inputs.draw()
    assert not drawn[2]
