"""Where a graph comes from: datasets, files, and names that are neither."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grape_gnn.datasets.source import GraphSource, find_source
from grape_gnn.errors import DatasetError, GraphFileError, UnknownDatasetError


def test_a_dataset_wins_over_a_file_of_its_name(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cora").write_text("a,b\n")
    assert find_source("cora", {}).is_dataset
    file = find_source("./cora", {"format": "edge_list"})
    assert not file.is_dataset
    assert file.load().num_nodes == 2


def test_aliases_become_the_name() -> None:
    assert find_source("Amherst41", {}).name == "amherst"


def test_unknown_names_and_missing_files() -> None:
    with pytest.raises(UnknownDatasetError, match="no file coar, and no dataset is called 'coar'"):
        find_source("coar", {})
    with pytest.raises(GraphFileError, match="no such file"):
        find_source("coar.csv", {}).load()


def test_json_round_trip_from_another_folder(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "friends.csv").write_text("a,b\nb,c\n")
    (tmp_path / "people.csv").write_text("name,age\na,1\nb,2\nc,3\n")
    monkeypatch.chdir(tmp_path)
    source = find_source("friends.csv", {"nodes": "people.csv"}, "random")
    written = json.dumps(source.to_json())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    again = GraphSource.from_json(json.loads(written))
    assert again.title == "friends"
    assert again.load().x.shape == (3, 64)


def test_kinds_of_features_and_default_templates() -> None:
    source = GraphSource("planted-roles", True, {"num_shapes": 9}, "random")
    assert source.load().x.shape == (72, 64)
    assert (source.load().x == source.load().x).all()
    assert source.default_templates(source.load()) == "social"
    with pytest.raises(DatasetError, match="no option 'num_shape'"):
        GraphSource("planted-roles", True, {"num_shape": 9}).load()


def test_default_templates_of_files_follow_the_direction(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("a,b\nb,c\n")
    for directed, expected in ((False, "social"), (True, "ecommerce")):
        source = find_source(tmp_path / "g.csv", {"directed": directed})
        assert source.default_templates(source.load()) == expected
