"""JSON files: read back as written, and every way they can be wrong."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

import pytest

from grape_gnn.errors import FileError, ModelFileError
from grape_gnn.files import Count, Share, check_shape, read_json, write_json


def test_what_is_written_is_read(tmp_path):
    data = {"name": "grüße \ud800", "values": [1, 2.5, None, True]}
    write_json(tmp_path / "a.json", data)
    assert read_json(tmp_path / "a.json") == data


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is damaged: not valid JSON"),
        (b'{"a": ', "is damaged: not valid JSON"),
        (b'{"a": "\xff"}', "is damaged: not valid JSON: it is not UTF-8 at byte 7"),
        (b"[1]", r"is damaged: it is \[1\], expected an object"),
        (b"[" * 100_000, "is damaged: not valid JSON: it is nested too deeply"),
        (b'{"a": ' + b"7" * 5000 + b"}", "is damaged: not valid JSON: it holds a number"),
    ],
)
def test_damage_is_named(tmp_path, content, reason):
    file = tmp_path / "a.json"
    file.write_bytes(content)
    with pytest.raises(ModelFileError, match=rf"a\.json: {reason}.*; buy a new one") as caught:
        read_json(file, error=ModelFileError, remedy="buy a new one")
    assert "\n" not in str(caught.value)


def test_what_is_no_file(tmp_path):
    with pytest.raises(FileError, match="cannot be read: No such file"):
        read_json(tmp_path / "none.json")
    os.mkfifo(tmp_path / "pipe.json")
    for name, kind in (("", "a folder"), ("pipe.json", "a named pipe")):
        with pytest.raises(FileError, match=f"is {kind}, not an ordinary file"):
            read_json(tmp_path / name)


class Nested(TypedDict):
    part: Literal["train", "test"]
    sizes: dict[str, Count]


@dataclass
class Plain:
    seed: int
    score: Share | None
    table: list[list[float]]
    nested: Nested
    note: str = ""


GOOD: dict[str, Any] = {
    "seed": 1, "score": 0.5, "table": [[1, 2.5]], "nested": {"part": "test", "sizes": {"a": 0}},
}  # fmt: skip


@pytest.mark.parametrize("more", [{}, {"score": None}, {"score": 1}, {"table": []}, {"note": "x"}])
def test_shapes_that_fit(more):
    check_shape({**GOOD, **more}, Plain)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"seed": True}, "'seed' is True, expected a whole number"),
        ({"seed": 1.5}, "'seed' is 1.5, expected a whole number"),
        ({"score": float("nan")}, "'score' is nan, expected a number from 0 to 1"),
        ({"score": "0.5"}, "'score' is '0.5', expected a number from 0 to 1"),
        ({"table": [[1], [None]]}, "'table.1.0' is None, expected a number"),
        ({"table": {}}, "'table' is {}, expected a list"),
        ({"nested": []}, r"'nested' is \[\], expected an object"),
        ({"nested": {"part": "x", "sizes": {}}}, "'nested.part' is 'x', expected 'train' or"),
        ({"nested": {"part": "test", "sizes": {"a": -1}}}, "'nested.sizes.a' is -1, expected a co"),
        ({"nested": {"part": "test"}}, "'nested.sizes' is missing"),
        ({"other": 1}, "'other' is unknown"),
        ({"note": ["y" * 99]}, r"'note' is \['y+\.\.\., expected a text"),
    ],
)
def test_shapes_that_do_not_fit(more, message):
    with pytest.raises(ValueError, match=message):
        check_shape({**GOOD, **more}, Plain)
