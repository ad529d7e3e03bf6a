"""Records survive crashes, replace each other, and say what they were measured on."""

from __future__ import annotations

import json

import pytest

from grape_gnn.errors import FileError
from reproduction.record import Records, new_record

CELL = {"dataset": "cora", "method": "gin"}


def record(value, profile="quick", cell=CELL):
    return new_record("table1", profile, cell, {"value": value}, 1.0, {})


def test_a_later_record_replaces_an_earlier_one(tmp_path):
    records = Records(tmp_path, "table1")
    records.add(record(1))
    records.add(record(2))
    again = Records(tmp_path, "table1")
    assert len(again) == 1
    assert again.find("quick", CELL).result == {"value": 2}
    assert len((tmp_path / "table1.jsonl").read_text().splitlines()) == 2


def test_the_paper_profile_is_preferred(tmp_path):
    records = Records(tmp_path, "table1")
    records.add(record(1, "paper"))
    records.add(record(2, "quick"))
    assert records.best(**CELL).result == {"value": 1}
    assert records.best(dataset="cora", method="gat") is None


def test_a_record_cut_short_by_a_crash_is_left_out_and_harms_no_other(tmp_path):
    records = Records(tmp_path, "table1")
    records.add(record(1))
    with (tmp_path / "table1.jsonl").open("a") as file:
        file.write('{"experiment": "tab')
    records = Records(tmp_path, "table1")
    records.add(record(2, cell={"dataset": "cora", "method": "gat"}))
    assert [each.result["value"] for each in Records(tmp_path, "table1")] == [1, 2]


def test_a_record_without_its_fingerprint_is_named(tmp_path):
    told = vars(record(1)).copy()
    del told["fingerprint"]
    (tmp_path / "table1.jsonl").write_text(json.dumps(told) + "\n")
    with pytest.raises(FileError, match="line 1 is damaged: 'fingerprint' is missing"):
        Records(tmp_path, "table1")


def test_a_record_says_what_it_was_measured_on(tmp_path):
    Records(tmp_path, "table1").add(record(1))
    told = json.loads((tmp_path / "table1.jsonl").read_text())
    assert {"processor", "cores", "versions"} <= set(told["machine"])
    assert told["version"]
    assert told["finished"].endswith("Z")


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "records").write_text("a file")
    with pytest.raises(FileError, match="records: cannot make the folder"):
        Records(tmp_path / "records", "table1").add(record(1))


def test_partial_folders_are_apart_and_plain_names(tmp_path):
    records = Records(tmp_path, "table3")
    one = records.partial("quick", {"dataset": "cora", "template": "0-1 1-2/x"}, {})
    assert one.parent == tmp_path / "partial"
    assert "/" not in one.name
    assert " " not in one.name
    assert one != records.partial("paper", {"dataset": "cora", "template": "0-1 1-2/x"}, {})
    assert one != records.partial("quick", {"dataset": "cora", "template": "0-1 1-2/x"}, {"a": 1})
