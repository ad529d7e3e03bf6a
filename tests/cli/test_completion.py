"""What TAB offers."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from grape_gnn.cli.completion import complete_graph, complete_templates


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("amherst.csv", "amigos.npz", "notes.docx", ".hidden.csv", "big.csv.gz"):
        (tmp_path / name).touch()
    (tmp_path / "amazing").mkdir()
    (tmp_path / "amazing" / "in.csv").touch()
    monkeypatch.chdir(tmp_path)


def test_datasets_and_files(folder):
    assert complete_graph("am")[-3:] == ["amazing/", "amherst.csv", "amigos.npz"]
    assert "amherst" in complete_graph("am")
    assert complete_graph("amazing/") == ["amazing/in.csv"]
    assert complete_graph("big") == ["big.csv.gz"]
    assert complete_graph("no/such/folder/") == []
    assert "cora" in complete_graph("")
    assert not any("docx" in word or "hidden" in word for word in complete_graph(""))


def test_templates_one_after_the_other():
    assert "social" in complete_templates("so")
    assert "social,house" in complete_templates("social,hou")
    assert complete_templates("nothing") == []


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("grape match cor", "cora"),
        ("grape match cora --templates tailed", "tailed-triangle"),
        ("grape roles cora -t tailed", "tailed-triangle"),
        ("grape templates soc", "social"),
        ("grape train cora -t edge,tailed", "edge,tailed-triangle"),
        ("grape compare cor", "cora"),
    ],
)
def test_the_shell_gets_it(words, offered):
    code = "from grape_gnn.cli import main; main()"
    asked = {**os.environ, "_GRAPE_COMPLETE": "complete_bash", "COMP_WORDS": words,
             "COMP_CWORD": str(len(words.split()) - 1)}  # fmt: skip
    found = subprocess.run(
        [sys.executable, "-c", code], env=asked, capture_output=True, text=True, check=False
    )
    assert offered in found.stdout.split("\n")
