"""``grape demo``."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from grape_gnn.errors import MissingExtraError
from grape_gnn.runs import RunFolder

demo = import_module("grape_gnn.cli.demo")  # the package has the function by this name


def test_grape_learns_the_planted_roles_and_gin_does_not(grape, tmp_path, monkeypatch):
    pytest.importorskip("torch_geometric")
    monkeypatch.setattr(demo, "SHAPES", 60)
    folder = tmp_path / "new" / "folder"
    words = grape.output("demo", "--out", folder)
    accuracy = {name: float(value) for name, value in re.findall(r"(GRAPE|GIN) +(\S+)%", words)}
    assert accuracy["GRAPE"] >= 95
    assert accuracy["GIN"] <= 65
    run = RunFolder.open(folder / "planted-roles-1")
    assert f"{100 * run.metrics['test_accuracy']:.1f}" == f"{accuracy['GRAPE']:.1f}"
    assert f"run folder: {run.path}" in words


@pytest.fixture
def hurried(monkeypatch):
    """Train so little that the demo takes no time."""
    monkeypatch.setattr(demo, "SHAPES", 9)
    monkeypatch.setattr(demo, "EPOCHS", 1)


@pytest.mark.usefixtures("hurried")
def test_the_novel_and_its_page(grape, tmp_path, monkeypatch):
    def missing(*args, **options):
        raise MissingExtraError("torch_geometric", "pyg")

    monkeypatch.setattr("grape_gnn.comparison.compare", missing)
    result = grape.run("demo", "--out", tmp_path)
    assert result.exit_code == 0
    assert "GIN is left out" in result.stderr
    assert "pip install 'grape-gnn[pyg]'" in result.stderr
    assert "77 characters, 254 pairs who meet" in result.stdout
    assert "role 1: Listolier 15, Tholomyes 15, Fameuil 15" in result.stdout
    page = (tmp_path / "roles.html").read_text(encoding="utf-8")
    assert "Around Fantine" in page
    assert "://" not in page.replace("http://www.w3.org/2000/svg", "")
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "GRAPE on planted-roles" in report


def test_a_folder_that_cannot_be_made(grape, tmp_path):
    (tmp_path / "file").write_text("")
    assert "error: cannot make the folder" in grape.error("demo", "--out", tmp_path / "file")
