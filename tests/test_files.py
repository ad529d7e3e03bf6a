"""Atomic writes."""

from __future__ import annotations

import stat

import pytest

from grape_gnn.errors import GrapeError
from grape_gnn.files import atomic_write


def test_the_file_appears_complete_with_ordinary_rights(tmp_path):
    target = tmp_path / "a.txt"
    with atomic_write(target) as temporary:
        assert temporary.suffix == ".txt"
        temporary.write_text("new")
        assert not target.exists()
    plain = tmp_path / "b.txt"
    plain.touch()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.txt", "b.txt"]


def write_and_fail(target):
    with atomic_write(target) as temporary:
        temporary.write_text("half")
        raise RuntimeError("power cut")


def test_an_error_leaves_the_old_file(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(RuntimeError, match="power cut"):
        write_and_fail(target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_unwritable_places_are_named(tmp_path):
    for target, reason in (
        (tmp_path / "no" / "a.txt", "the folder .*no does not exist"),
        (tmp_path, "it is a folder"),
        (tmp_path / ("x" * 300), ".*File name too long"),
    ):
        with pytest.raises(GrapeError, match=rf"cannot write .*: {reason}"):
            write_and_fail(target)
