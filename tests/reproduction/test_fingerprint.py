"""What a record rests on changes with the method, its templates, the grid and the splits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grape_gnn.baselines import method
from grape_gnn.estimator.method import Grape
from reproduction import EXPERIMENTS, PROFILES
from reproduction.fingerprint import as_json, method_fingerprint, tuned_fingerprint

QUICK = PROFILES["quick"]


def test_another_preset_other_templates_and_other_choices_are_seen():
    ours = Grape("social")
    others = [Grape("edge"), Grape("social", "paper"), Grape("social").with_label_inputs()]
    changed = Grape("social")
    changed.preset = replace(changed.preset, weighting="set")
    for other in (*others, changed):
        assert method_fingerprint(other) != method_fingerprint(ours)
    assert method_fingerprint(Grape("social")) == method_fingerprint(ours)


def test_another_grid_and_other_splits_are_seen():
    before = tuned_fingerprint(method("gin"), QUICK)
    assert tuned_fingerprint(method("gin"), replace(QUICK, seeds=(7, 8))) != before
    assert tuned_fingerprint(method("gin"), replace(QUICK, grid={"hidden": [8]})) != before


def test_a_method_with_a_grid_of_its_own_does_not_rest_on_the_common_one():
    before = tuned_fingerprint(method("label-propagation"), QUICK)
    other = replace(QUICK, grid={"hidden": [8]})
    assert tuned_fingerprint(method("label-propagation"), other) == before


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_every_cell_can_tell(experiment):
    told = [as_json(experiment.fingerprint(cell, QUICK)) for cell in experiment.cells(QUICK)]
    assert all(fingerprint["methods"] for fingerprint in told)
