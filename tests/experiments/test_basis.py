"""What a line rests on changes with the method, its templates, the grid and the splits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grape_gnn import comparison
from grape_gnn.baselines import method
from grape_gnn.baselines.grape import Grape
from grape_gnn.experiments import EXPERIMENTS, PROFILES
from grape_gnn.experiments.basis import as_json, method_basis, tuned_basis

QUICK = PROFILES["quick"]


def test_another_preset_other_templates_and_other_choices_are_seen():
    ours = Grape("social")
    others = [Grape("edge"), Grape("social", "paper"), Grape("social", label_inputs=False)]
    changed = Grape("social")
    changed.preset = replace(changed.preset, values="matched")
    for other in (*others, changed):
        assert method_basis(other) != method_basis(ours)
    assert method_basis(Grape("social")) == method_basis(ours)


def test_another_grid_and_other_splits_are_seen(monkeypatch):
    before = tuned_basis(method("gin"), QUICK)
    assert tuned_basis(method("gin"), replace(QUICK, seeds=(7, 8))) != before
    monkeypatch.setitem(comparison.PROFILES, "quick", comparison.Profile("quick", {"hidden": [8]}))
    assert tuned_basis(method("gin"), QUICK) != before


def test_a_method_with_a_grid_of_its_own_does_not_rest_on_the_common_one(monkeypatch):
    before = tuned_basis(method("label-propagation"), QUICK)
    monkeypatch.setitem(comparison.PROFILES, "quick", comparison.Profile("quick", {"hidden": [8]}))
    assert tuned_basis(method("label-propagation"), QUICK) == before


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_every_cell_can_tell(experiment):
    told = [as_json(experiment.basis(cell, QUICK)) for cell in experiment.cells(QUICK)]
    assert all(basis["methods"] for basis in told)
