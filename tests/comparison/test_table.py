"""Means, ranks and paired differences."""

from dataclasses import replace

import pytest

from grape_gnn.comparison import compare, comparison_table, table_text
from grape_gnn.comparison.table import metrics_text
from grape_gnn.training import RunResult


def runs_of(model, tests, dataset="cora", stage="run"):
    return [
        RunResult(model, dataset, "original", seed, {}, 3, 9, 0.5, test, 2.0, stage=stage)
        for seed, test in enumerate(tests)
    ]


RUNS = [
    *runs_of("grape", [0.80, 0.84, 0.82]),
    *runs_of("gcn", [0.70, 0.71, 0.72]),
    *runs_of("gin", [0.78, 0.85, 0.82]),
    *runs_of("label-propagation", [0.90, 0.91, 0.92]),
]


def by_name(rows):
    return {row.method: row for row in rows}


def test_order_and_figures():
    rows = comparison_table(RUNS)
    assert [row.method for row in rows] == ["gcn", "gin", "grape", "label-propagation"]
    grape = by_name(rows)["grape"]
    assert (grape.mean, grape.std) == (pytest.approx(82.0), pytest.approx(2.0))
    assert grape.error == pytest.approx(2 / 3**0.5)
    assert (grape.runs, grape.validation, grape.seconds) == (3, 50, 2)


def test_first_and_tied():
    rows = by_name(comparison_table(RUNS))
    assert [rows[n].first for n in ("grape", "gin", "gcn")] == [True, False, False]
    # GIN's mean is 81.67 with a standard error of 2.03, so it reaches 82.
    assert [rows[n].tied for n in ("grape", "gin", "gcn")] == [True, True, False]


def test_reference_methods_are_not_ranked():
    row = by_name(comparison_table(RUNS))["label-propagation"]
    assert row.reference
    assert not row.first
    assert not row.tied
    assert row.against == "grape"


def test_differences_are_paired_by_seed():
    rows = by_name(comparison_table(RUNS))
    assert rows["grape"].against == "gin"
    assert rows["grape"].difference == pytest.approx((2 - 1 + 0) / 3)
    assert rows["gcn"].against == "grape"
    shared = by_name(comparison_table([*runs_of("grape", [0.8]), *runs_of("gin", [0.7, 0.9])]))
    assert shared["grape"].difference == pytest.approx(10.0)


def test_grid_trainings_are_left_out_and_later_runs_count():
    rows = comparison_table(
        [*runs_of("gcn", [None], stage="grid"), *runs_of("gcn", [0.1]), *runs_of("gcn", [0.6])]
    )
    assert [(row.runs, row.mean) for row in rows] == [(1, pytest.approx(60.0))]
    assert comparison_table([]) == []


def test_label_inputs_make_another_row():
    given = [replace(run, settings={"label_inputs": True}) for run in runs_of("gin", [0.9] * 3)]
    rows = comparison_table([*RUNS, *given])
    titles = ["gcn", "gin", "gin + labels", "grape", "(label-propagation)"]
    assert [row.title for row in rows] == titles
    assert by_name(rows)["grape"].against == "gin + labels"
    assert "| gin + labels | **90.0 ± 0.0** |" in table_text(rows)


def test_text():
    text = table_text(comparison_table(RUNS))
    assert "| grape | **82.0 ± 2.0** | 1.15 | +0.33 ± " in text
    assert "| gin | 81.7 ± 3.5 * |" in text
    assert "| (label-propagation) |" in text


def test_all_metrics_are_means_over_the_runs_that_have_them():
    given = [
        replace(run, figures={"macro-f1": value, "roc-auc": None, "log-loss": 2 * value})
        for run, value in zip(runs_of("gcn", [0.5, 0.6, 0.7]), (0.1, 0.2, 0.6), strict=True)
    ]
    (row,) = comparison_table(given)
    assert row.figures == {"macro-f1": pytest.approx(0.3), "log-loss": pytest.approx(0.6)}
    assert metrics_text([row]).splitlines()[-1] == "| cora | original | gcn | 30.0% | 0.6 |"
    assert "30.0%" in comparison_table(given)._repr_html_()
    assert metrics_text(comparison_table(RUNS)) == ""  # of records from before


def test_label_propagation_has_no_probabilities(halves, tiny_profile):
    (run,) = compare(
        halves, ["label-propagation"], dataset="halves", seeds=[0], profile=tiny_profile
    )
    assert (run.figures["log-loss"], run.figures["calibration-error"]) == (None, None)
    assert run.figures["accuracy"] == run.test_score
