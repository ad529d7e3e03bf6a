"""Every format that is read: the examples are valid, and damage gives typed errors only."""

from __future__ import annotations

import pytest

from file_formats import FORMATS, damage_case, make_examples

CASES = 25


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    """Give the examples of all formats."""
    folder = tmp_path_factory.mktemp("examples")
    make_examples(folder)
    return folder


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_files_are_read_or_refused_by_one_typed_line(examples, tmp_path, name):
    wrong = {n: damage_case(examples, name, n, tmp_path / "case") for n in range(CASES)}
    assert {n: finding for n, finding in wrong.items() if finding is not None} == {}


def test_a_reader_that_fails_is_found(examples, tmp_path, monkeypatch):
    def read(folder):
        raise IndexError(f"line 7 of {len(list(folder.iterdir()))} files")

    example = FORMATS["integer edge list"]._replace(read=read)
    monkeypatch.setitem(FORMATS, "integer edge list", example)
    finding = damage_case(examples, "integer edge list", 0, tmp_path / "case")
    assert finding == "e.txt: IndexError: line 7 of 1 files"


def test_the_same_number_makes_the_same_damage(examples, tmp_path):
    contents = []
    for folder in ("one", "two"):
        damage_case(examples, "edge list", 3, tmp_path / folder)
        contents.append((tmp_path / folder / "e.csv").read_bytes())
    assert contents[0] == contents[1] != (examples / "edge list" / "e.csv").read_bytes()
