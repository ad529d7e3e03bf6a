"""Tables of predictions: round trips, and files that are not one."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from grape_gnn.errors import GrapeError, ModelFileError
from grape_gnn.runs.predictions import Prediction, read_predictions, split_of, write_predictions

ROWS = [
    Prediction("ann, the first", "red", "blue", 0.75, "train"),
    Prediction('"bob"', "", "red", 0.5, ""),
    Prediction("line\nbreak", "rot", "red", 1.0, "test"),
]


def test_round_trip_with_awkward_names(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    write_predictions(file, ROWS)
    assert read_predictions(file) == ROWS
    split = split_of(ROWS)
    assert split.train.tolist() == [True, False, False]
    assert split.test.tolist() == [False, False, True]
    assert not split.validation.any()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a table of predictions: expected the columns node, label"),
        (b"a,b\n1,2\n", "not a table of predictions"),
        (b"node,label,predicted,probability,part\nann,red,bl", "cut short"),
        (b"node,label,predicted,probability,part\nann,red,blue,much,test\n", "line 2 is not"),
        (b"node,label,predicted,probability,part\nann,red\n", "line 2 is not a prediction"),
        (b"\xff\xfe\x00", "cannot be read"),
    ],
)
def test_files_that_are_no_predictions(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "p.csv"
    file.write_bytes(content)
    with pytest.raises(ModelFileError, match=message):
        read_predictions(file)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="cannot be read"):
        read_predictions(tmp_path / "none.csv")
    with pytest.raises(GrapeError, match=r"folder .* does not exist"):
        write_predictions(tmp_path / "none" / "p.csv", ROWS)


@pytest.mark.parametrize(
    "cell", ["=1+1", "+x", "-x", "@sum", "\tx", "\rx", "\nx", "'=x", "''-", "＝1"]
)
def test_no_cell_is_a_formula_and_all_come_back(tmp_path: Path, cell: str) -> None:
    file = tmp_path / "p.csv"
    rows = [Prediction(cell, cell, cell, 0.5, "test")]
    write_predictions(file, rows)
    with file.open(encoding="utf-8", newline="") as opened:
        written = list(csv.reader(opened))[1]
    assert written[:3] == [f"'{cell}"] * 3
    assert read_predictions(file) == rows


@pytest.mark.parametrize("cell", ["-1", "+2.5", "-1e-3", "'tis", "''", "ann", "1-2", ""])
def test_numbers_and_plain_names_are_written_as_they_are(tmp_path: Path, cell: str) -> None:
    file = tmp_path / "p.csv"
    rows = [Prediction(cell, cell, cell, 0.5, "test")]
    write_predictions(file, rows)
    assert file.read_text(encoding="utf-8").splitlines()[1] == f"{cell},{cell},{cell},0.5,test"
    assert read_predictions(file) == rows
