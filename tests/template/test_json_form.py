"""Template files: atomic, versioned, and clear about what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grape_gnn.errors import TemplateError
from grape_gnn.template import Template, load_templates, save_templates

EDGE = {"format": "grape-template", "version": 1, "edges": [[0, 1]]}


def test_single_template_file(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(Template("0<1 1:a", name="x").to_json()))
    assert load_templates(path) == [Template("0<1 1:a")]


def test_labels_and_names_are_left_out_when_absent() -> None:
    assert Template("0-1").to_json() == {**EDGE, "directed": False}
    assert Template("0-1 0:b").to_json()["labels"] == ["b", None]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, r'not a template: expected an object with "format"'),
        ({"version": 3}, r"has version 3, this release reads up to version 2: update grape-gnn"),
        ({"edge_types": ["a", "b"]}, r"'edge_types': \['a', 'b'\]: expected one type or null"),
        ({"edge_types": "a"}, r"'edge_types': 'a': expected one type or null per edge"),
        ({"edges": [0], "edge_types": ["a"]}, r"\[0\] are no pairs of nodes"),
        ({"version": None}, r"has version None"),
        ({"edges": "0-1"}, r"has no list 'edges'"),
        ({"edges": [[0, 0]]}, r"the JSON template: .*self-loop"),
        ({"edges": [[0, "1"]]}, r"where an edge is expected"),
        ({"directed": "yes"}, r"has 'directed': 'yes': expected true or false"),
        ({"name": 3}, r"has 'name': 3: expected text"),
        ({"labels": {"1": "a"}}, r"has 'labels': .*expected one label or null per node"),
        ({"labels": ["a"]}, r"has 2 nodes but 1 labels"),
    ],
)
def test_malformed_template(change: dict[str, object], message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        Template.from_json({**EDGE, **change})


def test_malformed_json_text() -> None:
    with pytest.raises(
        TemplateError, match=r"the JSON text is not valid JSON: .* line 1, column 2"
    ):
        Template.from_json("{")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"format": "grape-templates", "ver', r"bad\.json is not valid JSON: .*column"),
        (b"", r"bad\.json is not valid JSON"),
        (b"[" * 100_000, r"bad\.json is not valid JSON: it is nested too deeply"),
        (b"9" * 5000, r"bad\.json is not valid JSON: it holds a number of thousands of digits"),
        (b"\xff\xfe\x00", r"bad\.json is not a UTF-8 text file"),
        (b"[1, 2]", r"bad\.json is not a template: expected an object"),
        (b'{"format": "grape-templates", "version": 9}', r"bad\.json has version 9"),
        (b'{"format": "grape-templates", "version": 1}', r"bad\.json has no list 'templates'"),
        (
            b'{"format": "grape-templates", "version": 1, "templates": [7]}',
            r"template 0 of .*bad\.json is not a template",
        ),
    ],
)
def test_malformed_file(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(TemplateError, match=message):
        load_templates(path)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match=r"cannot read templates from .*no\.json: No such file"):
        load_templates(tmp_path / "no.json")


def test_unwritable_place(tmp_path: Path) -> None:
    with pytest.raises(
        TemplateError, match=r"cannot write .*nowhere does not exist; choose a writable"
    ):
        save_templates([], tmp_path / "nowhere" / "x.json")


def test_failed_writing_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.json"
    save_templates([Template("0-1")], path)

    def full_disk(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(TemplateError, match="No space left on device; choose a writable place"):
        save_templates([Template("0-1 1-2")], path)
    assert load_templates(path) == [Template("0-1")]
    assert [p.name for p in tmp_path.iterdir()] == ["mine.json"]


def test_files_with_types_of_edges_are_not_for_older_releases() -> None:
    # They would leave the types out and count too much.
    assert Template("0-1").to_json()["version"] == 1
    typed = Template("0-1=double 1-2")
    assert typed.to_json()["version"] == 2
    assert typed.to_json()["edge_types"] == ["double", None]
