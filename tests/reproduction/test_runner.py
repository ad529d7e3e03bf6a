"""Cells are run once, go on after failures and interruptions, and may run side by side."""

from __future__ import annotations

import signal
from dataclasses import replace

import pytest

from grape_gnn.errors import GrapeError
from reproduction import PROFILES, Records, missing_cells, run_cells
from reproduction.prop2 import PROP_2
from reproduction.record import new_record

QUICK = PROFILES["quick"]


def missing(experiment, folder, **options):
    ((_, cells),) = missing_cells([experiment], QUICK, folder, **options)
    return cells


def test_what_is_done_is_not_done_again(tiny, tmp_path):
    records = Records(tmp_path, "tiny")
    reports = run_cells(tiny, missing(tiny, tmp_path), QUICK, records)
    assert [bool(report.failure) for report in reports] == [False, False, False, True]
    assert reports[-1].failure == "the file is not there"
    assert missing(tiny, tmp_path) == [{"dataset": "there", "method": "two"}]
    assert len(missing(tiny, tmp_path, again=True)) == 4


def test_a_failed_cell_goes_on_from_its_folder(tiny, tmp_path):
    for _ in range(2):
        records = Records(tmp_path, "tiny")
        run_cells(tiny, missing(tiny, tmp_path), QUICK, records)
    assert records.find("quick", {"dataset": "there", "method": "two"}).result["tries"] == 2
    assert list((tmp_path / "partial").iterdir()) == []


def test_a_cell_whose_method_has_changed_is_run_again(tiny, tmp_path):
    records = Records(tmp_path, "tiny")
    for _ in range(2):
        run_cells(tiny, missing(tiny, tmp_path), QUICK, records)
    assert missing(tiny, tmp_path) == []

    def other_fingerprint(cell, profile):
        changed = {"width": 8} if cell["method"] == "two" else {}
        return {**tiny.fingerprint(cell, profile), **changed}

    changed = replace(tiny, fingerprint=other_fingerprint)
    assert [cell["method"] for cell in missing(changed, tmp_path)] == ["two", "two"]
    run_cells(changed, missing(changed, tmp_path), QUICK, records)
    assert (
        records.find("quick", {"dataset": "there", "method": "one"}).fingerprint["method"] == "one"
    )
    assert missing(changed, tmp_path) == [{"dataset": "there", "method": "two"}]  # it failed


def test_a_record_of_another_fingerprint_is_out_of_date(tiny, tmp_path):
    cell = {"dataset": "here", "method": "one"}
    Records(tmp_path, "tiny").add(new_record("tiny", "quick", cell, {}, 1.0, {}))
    assert cell in missing(tiny, tmp_path)


def test_profiles_are_apart(tiny, tmp_path):
    run_cells(tiny, missing(tiny, tmp_path), QUICK, Records(tmp_path, "tiny"))
    ((_, cells),) = missing_cells([tiny], PROFILES["paper"], tmp_path)
    assert len(cells) == 4


def test_only_some_cells(tiny, tmp_path):
    only = {"dataset": ["here"], "method": ["two"]}
    assert missing(tiny, tmp_path, only=only) == [{"dataset": "here", "method": "two"}]
    with pytest.raises(GrapeError, match="no cell of tiny has the dataset 'hare'; known are here"):
        missing(tiny, tmp_path, only={"dataset": ["hare"]})


def test_a_name_need_not_mean_something_to_every_experiment(tiny, tmp_path):
    plan = missing_cells([tiny, PROP_2], QUICK, tmp_path, only={"dataset": ["here"]})
    assert [len(cells) for _, cells in plan] == [2, 0]


def test_interrupted_by_sigterm_keeps_what_is_done(tiny, tmp_path):
    records = Records(tmp_path, "tiny")

    def stop(report):
        signal.raise_signal(signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt):
        run_cells(tiny, missing(tiny, tmp_path), QUICK, records, progress=stop)
    assert signal.getsignal(signal.SIGTERM) is before
    assert len(Records(tmp_path, "tiny")) == 1


def test_side_by_side_gives_the_same_records(tmp_path):
    pytest.importorskip("torch_geometric")
    found = []
    for jobs in (1, 2):
        records = Records(tmp_path / str(jobs), "prop2")
        reports = run_cells(PROP_2, PROP_2.cells(QUICK), QUICK, records, jobs=jobs)
        assert not any(report.failure for report in reports)
        found.append({record.key: record.result for record in records})
    assert found[0] == found[1]
    assert len(found[0]) == 3
