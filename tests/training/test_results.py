"""Results files and the grid."""

from __future__ import annotations

from pathlib import Path

import pytest

from grape_gnn.errors import ModelFileError
from grape_gnn.training import RunResult, append_results, read_results


def result(seed: int) -> RunResult:
    return RunResult("GRAPE", "cora", "random", seed, {"hidden": 8}, 3, 54, 0.5, 0.4, 1.0, {"L": 5})


def test_appending_and_a_line_cut_short(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    append_results(file, [result(0)])
    append_results(file, [result(1)])
    assert read_results(file) == [result(0), result(1)]
    file.write_bytes(file.read_bytes()[:-20])
    assert read_results(file) == [result(0)]
    append_results(file, [result(2)])  # not glued to the cut line
    assert read_results(file) == [result(0), result(2)]
    file.write_bytes(file.read_bytes()[:-1])  # only the end of the line is missing
    append_results(file, [result(3)])
    assert read_results(file) == [result(0), result(2), result(3)]


def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    append_results(file, [result(0), result(1)])
    file.write_text("{}\n" + file.read_text())
    with pytest.raises(
        ModelFileError, match="line 1 is damaged: 'model' is missing; delete the line"
    ):
        read_results(file)
    with pytest.raises(ModelFileError, match="there is no such file"):
        read_results(tmp_path / "none.jsonl")
    with pytest.raises(ModelFileError, match="cannot be written"):
        append_results(tmp_path / "no" / "folder.jsonl", [result(0)])


def test_files_from_before_there_was_a_choice_of_metrics(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    append_results(file, [result(0)])
    line = file.read_text().replace("_score", "_accuracy").replace(', "metric": "accuracy"', "")
    file.write_text(line)
    assert "test_accuracy" in line
    assert read_results(file) == [result(0)]
