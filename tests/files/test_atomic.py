"""Atomic writes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

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


def test_rights_do_not_depend_on_who_writes(tmp_path):
    old = os.umask(0o027)
    try:
        with atomic_write(tmp_path / "a.txt") as temporary:
            temporary.unlink()
            os.close(os.open(temporary, os.O_CREAT, 0o600))
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


def test_a_folder_that_is_read_only_is_named_before_any_work(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "touch", refuse)
    worked = []
    said = r"cannot write .*a\.txt: Permission denied$"
    with pytest.raises(GrapeError, match=said), atomic_write(tmp_path / "a.txt"):
        worked.append(1)
    assert not worked
