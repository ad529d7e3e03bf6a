"""Folders have one writer, whose name the second one is told."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from grape_gnn.errors import FileError, GrapeWarning, ModelFileError
from grape_gnn.files import Folder, FolderLock, holder_of

HOLD = """
import sys, time
from grape_gnn.files import FolderLock
FolderLock(sys.argv[1]).acquire()
print("locked", flush=True)
time.sleep(600)
"""


class Notes(Folder):
    kind, thing, command, error = "notes", "collection", "grape note", ModelFileError


@pytest.fixture
def holder(tmp_path):
    """Give a process that has locked the folder."""
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, tmp_path, "--out", "it's mine"], stdout=subprocess.PIPE
    )
    assert child.stdout.readline() == b"locked\n"
    yield child
    child.kill()
    child.communicate()


def test_the_second_writer_is_told_of_the_first(holder, tmp_path):
    said = (
        rf"is being written by process {holder.pid} \(-c .* --out 'it'\"'\"'s mine'\), "
        rf"since {time.strftime('%Y')}-\d\d-\d\d \d\d:\d\d:\d\d: wait until it ends, or stop it$"
    )
    lock = FolderLock(tmp_path)
    with pytest.raises(FileError, match=said):
        lock.acquire()
    with pytest.raises(ModelFileError, match=said):
        Notes.create(tmp_path, {})
    assert holder_of(tmp_path).startswith(f"process {holder.pid} ")


def test_a_killed_holder_frees_the_lock(holder, tmp_path):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert (tmp_path / ".lock").exists()
    assert holder_of(tmp_path) is None
    with Notes.create(tmp_path, {}):
        assert holder_of(tmp_path).startswith(f"process {os.getpid()} ")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["config.json"]


def test_one_process_is_refused_twice_too(tmp_path):
    with Notes.create(tmp_path / "a", {}) as notes, notes:  # is the writer already
        pass
    again = Notes.open(tmp_path / "a")
    said = rf"by process {os.getpid()} "
    with Notes.open(tmp_path / "a"), pytest.raises(ModelFileError, match=said), again:
        pass


def test_what_the_lock_file_says_is_not_trusted(holder, tmp_path):
    for text in ("", "{", '{"pid": []}', '{"pid": 1, "host": "h", "command": "\\u001b[31m"}'):
        (tmp_path / ".lock").write_text(text)
        assert holder_of(tmp_path) == "another process"
    (tmp_path / ".lock").write_text(
        '{"pid": 1, "host": "far", "command": "\\u001b[31m", "since": "ever"}'
    )
    assert holder_of(tmp_path) == "process 1 on far (?[31m), since ever"


def test_many_at_once_have_one_winner(tmp_path):
    script = (
        "import sys\nfrom grape_gnn.errors import GrapeError\nfrom grape_gnn.files import Folder\n"
        "class Notes(Folder):\n    kind, thing, command = 'notes', 'collection', 'grape note'\n"
        "sys.stdin.read(1)\n"
        "try:\n    Notes.create(sys.argv[1], {}); print('mine', flush=True); sys.stdin.read()\n"
        "except GrapeError as error:\n    print(error, flush=True)\n"
    )
    path = tmp_path / "new"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    children = [subprocess.Popen([sys.executable, "-c", script, path], **pipes) for _ in range(6)]
    try:
        for child in children:
            child.stdin.write("g")
            child.stdin.flush()
        said = [child.stdout.readline() for child in children]
    finally:
        for child in children:
            child.communicate()
    assert sum(line == "mine\n" for line in said) == 1
    winner = children[said.index("mine\n")].pid
    for line in said:
        assert line == "mine\n" or f"is being written by process {winner} " in line


def test_a_file_system_without_locks_is_a_warning(tmp_path, monkeypatch):
    def unsupported(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("fcntl.flock", unsupported)
    lock = FolderLock(tmp_path)
    with pytest.warns(GrapeWarning, match="is on a file system without locks"):
        lock.acquire()
    lock.release()


def test_places_where_nobody_may_write(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        with pytest.raises(ModelFileError, match=r": cannot be written: Permission denied$"):
            FolderLock(tmp_path, ModelFileError).acquire()
    with monkeypatch.context() as patch:
        patch.setattr(os, "mkdir", refuse)
        with pytest.raises(ModelFileError, match="cannot make the folder: Permission denied"):
            Notes.create(tmp_path / "a", {})


def test_folders_that_are_refused(tmp_path):
    path = tmp_path / "a"
    with pytest.raises(ModelFileError, match="there is no such folder; `grape note` makes one"):
        Notes.open(path)
    path.mkdir()
    with pytest.raises(ModelFileError, match=r"is not the folder of a collection: it has no conf"):
        Notes.open(path)
    for text, reason in (
        ('{"kind": "train", "version": 1}', "is a folder of kind 'train', not of a collection"),
        ('{"kind": "notes", "version": 7}', "has version 7, this release reads version 1"),
        ('{"kind": "notes"}', "has version None, this release reads version 1"),
        ("[]", r"config.json: is damaged: it is \[\], expected an object"),
    ):
        (path / "config.json").write_text(text)
        with pytest.raises(ModelFileError, match=reason):
            Notes.open(path)
    with pytest.raises(ModelFileError, match="already holds a collection: choose another"):
        Notes.create(path, {})
    (path / "config.json").rename(path / "mine.json")
    with pytest.raises(ModelFileError, match="already holds other files: choose another"):
        Notes.create(path, {})
    with pytest.raises(ModelFileError, match="is a file, not a folder"):
        Notes.create(path / "mine.json", {})
    with pytest.raises(ModelFileError, match="cannot make the folder: Not a directory"):
        Notes.create(path / "mine.json" / "below", {})


def test_a_folder_that_is_discarded(tmp_path):
    Notes.create(tmp_path / "a", {}).discard()
    assert not (tmp_path / "a").exists()
    notes = Notes.create(tmp_path / "b", {})
    notes.write_text("thesis.txt", "precious")
    notes.discard()
    assert [file.name for file in (tmp_path / "b").iterdir()] == ["thesis.txt"]
    assert re.fullmatch(r"Notes\('.*b'\)", repr(notes))
