"""Parts with a seal: what is damaged or changed is noticed, what was only copied is not."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from grape_gnn.errors import FileError, GrapeWarning
from grape_gnn.files import sealed_folder
from grape_gnn.files.sealed_folder import SealedFolder


class Notes(SealedFolder):
    """A folder of texts."""

    kind, thing, command = "notes", "collection of notes", "grape note"


@pytest.fixture
def notes(tmp_path):
    """Give a folder with two sealed parts."""
    made = Notes.create(tmp_path / "notes", {})
    for name in ("a.txt", "b.txt"):
        made.write_text(name, "sweet")
        made.seal(made.path / name)
    return made


def test_a_part_of_the_same_size_and_time_is_still_noticed(notes):
    file = notes.path / "a.txt"
    before = file.stat()
    file.write_text("swEet")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not notes.holds(file)
    assert notes.holds(notes.path / "b.txt")
    with pytest.raises(FileError, match=r"a\.txt: is damaged, or was changed .* `grape note` ag"):
        notes.check_whole([notes.path / "b.txt", file])


def test_a_copy_is_checked_once(notes, tmp_path, monkeypatch):
    copy = Notes.open(shutil.copytree(notes.path, tmp_path / "copy"))
    file, read = copy.path / "a.txt", []
    checksum = sealed_folder.file_checksum
    monkeypatch.setattr(
        sealed_folder, "file_checksum", lambda path: (read.append(path), checksum(path))[1]
    )
    assert copy.holds(file)
    assert copy.holds(file)
    assert read == [file]


def test_damaged_parts_are_removed_with_one_line(notes):
    for name in ("a.txt", "b.txt"):
        (notes.path / name).write_text("sw")
    files = [notes.path / name for name in ("a.txt", "b.txt")]
    with pytest.warns(GrapeWarning) as said:
        notes.drop_damaged(files)
    assert [str(each.message) for each in said] == [
        f"{files[0]} and 1 more: damaged, or changed after it was written: made again"
    ]
    assert not any(file.exists() for file in files)


def test_a_part_without_a_seal_is_not_complete_and_a_damaged_seal_is_no_seal(notes):
    file = notes.path / "a.txt"
    seal = notes.path / "seals" / "a.txt.json"
    for content in ("{", json.dumps({"bytes": 5}), json.dumps([])):
        seal.write_text(content)
        assert not notes.holds(file)
    seal.unlink()
    assert not notes.holds(file)
    assert not notes.is_sealed(file)
