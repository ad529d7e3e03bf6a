"""Records as JSON lines: nothing lost, nothing glued together, nothing half read."""

from __future__ import annotations

import errno
import os

import pytest

from grape_gnn.errors import FileError
from grape_gnn.files import append_records, read_records

RECORDS = [{"seed": number, "name": "ä\u2028\n"} for number in range(3)]


@pytest.fixture
def file(tmp_path):
    append_records(tmp_path / "a.jsonl", RECORDS[:2])
    append_records(tmp_path / "a.jsonl", RECORDS[2:])
    return tmp_path / "a.jsonl"


def test_every_tear_of_the_last_line(file):
    whole = file.read_bytes()
    begin = whole[:-1].rfind(b"\n") + 1
    for end in range(begin, len(whole) + 1):
        file.write_bytes(whole[:end])
        kept = RECORDS if end >= len(whole) - 1 else RECORDS[:2]
        assert read_records(file, dict) == kept, end
        append_records(file, [{"seed": 9}])
        assert read_records(file, dict) == [*kept, {"seed": 9}], end


def test_zeros_that_a_power_cut_leaves(file):
    with file.open("ab") as opened:
        opened.write(bytes(100))
    assert read_records(file, dict) == RECORDS
    append_records(file, [])
    assert read_records(file, dict) == RECORDS


@pytest.mark.parametrize("line", [b"{}", b'{"seed": "\xff"}', b"[1]", b"nonsense", b"[" * 99_999])
def test_a_damaged_line_is_named(file, line):
    file.write_bytes(line + b"\n" + file.read_bytes())
    with pytest.raises(
        FileError, match=r"a\.jsonl: line 1 is damaged: .*; delete the line"
    ) as told:
        read_records(file, lambda record: record["seed"])
    assert "\n" not in str(told.value)


def test_a_full_disk_leaves_whole_records(file, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(FileError, match=r"a\.jsonl: cannot be written: No space left"):
            append_records(file, [{"seed": 9}])
    assert read_records(file, dict) == RECORDS


def test_files_that_are_not_there(tmp_path):
    assert read_records(tmp_path / "none.jsonl", dict) == []
    with pytest.raises(FileError, match="cannot be written: No such file or directory"):
        append_records(tmp_path / "no" / "a.jsonl", RECORDS)
