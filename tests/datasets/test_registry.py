"""Datasets by name: the list, the facts, unknown names and options, files from end to end."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

import grape_gnn as grape
from grape_gnn import datasets
from grape_gnn.errors import DatasetError, DatasetUnavailableError, UnknownDatasetError

NAMES = [
    "cora", "citeseer",
    "amherst", "hamilton", "lehigh", "rochester", "jhu",
    "amazon", "amazon-dvd", "amazon-video",
    "brazil-airports", "europe-airports",
    "minesweeper", "chameleon-filtered",
    "planted-roles", "social-like",
    "role-quartile", "heterophilous-roles", "power-law-roles", "directed-roles",
    "cubic-shapes",
]  # fmt: skip


def test_available():
    assert datasets.available() == NAMES
    assert grape.datasets is datasets


@pytest.mark.parametrize("name", NAMES)
def test_facts(name):
    facts = datasets.info(name)
    assert facts.name == name
    assert facts.description
    assert facts.citation
    assert facts.licence
    directed = {template.directed for template in grape.templates(facts.templates)}
    assert directed == {facts.directed}
    for file in facts.files:
        assert all(url.startswith("https://") and " " not in url for url in file.urls)
        assert file.sha256 is None or len(file.sha256) == 64


def test_hashes_are_those_of_the_published_files(shared_data):
    files = [file for name in NAMES for file in datasets.info(name).files if file.sha256]
    assert len(files) == 6 * 2 + 5 + 2 + 2 * 2 + 2
    for file in files:
        assert hashlib.sha256((shared_data / file.path).read_bytes()).hexdigest() == file.sha256


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Cora", "cora"),
        ("johns-hopkins", "jhu"),
        ("Johns Hopkins", "jhu"),
        ("JohnsHopkins55", "jhu"),
        ("Amherst41", "amherst"),
        ("amazon_music", "amazon"),
        ("planted_roles", "planted-roles"),
    ],
)
def test_other_spellings(given, name):
    assert datasets.info(given).name == name


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("amhurst", "no dataset is called 'amhurst'; did you mean amherst"),
        ("citeser", "did you mean citeseer"),
        ("zzz", "known are cora, citeseer, amherst, .*, directed-roles"),
        (None, "cannot find a dataset by None: give a name"),
    ],
)
def test_unknown_names(given, reason):
    with pytest.raises(UnknownDatasetError, match=reason) as caught:
        datasets.load(given)
    assert isinstance(caught.value, KeyError)


def test_options_are_checked_before_anything_is_fetched(empty_cache):
    with pytest.raises(DatasetError, match="'cora' has no option 'missing'; it has none"):
        datasets.load("cora", missing="class")
    with pytest.raises(DatasetError, match="'jhu' has no option 'seed'; it has missing, rare"):
        datasets.load("jhu", seed=1)


def test_options_reach_the_dataset():
    assert datasets.load("planted-roles", num_shapes=12, seed=3).num_nodes == 96
    assert datasets.load("social-like", num_nodes=60).num_nodes == 60


def test_generated_counts_are_the_stated_ones():
    for name in NAMES[NAMES.index("planted-roles") :]:
        g, facts = datasets.load(name), datasets.info(name)
        assert g.num_nodes == facts.num_nodes
        assert facts.num_edges in (None, g.num_edges)
        assert (g.x.shape[1], len(g.label_names)) == (facts.num_features, facts.num_classes)


def test_splits():
    with_splits = [name for name in NAMES if datasets.info(name).num_splits]
    assert with_splits == ["minesweeper", "chameleon-filtered"]
    assert datasets.splits("social-like") == []
    with pytest.raises(UnknownDatasetError, match="no dataset is called 'zzz'"):
        datasets.splits("zzz")


def test_unavailable_offline(empty_cache):
    with pytest.raises(DatasetUnavailableError, match=r"facebook100/Amherst41\.mat is not on this"):
        datasets.load("amherst", download=False)


def test_from_a_mirror_end_to_end(empty_cache, monkeypatch, server, shared_data):
    for file in datasets.info("cora").files:
        server.files[file.path] = (shared_data / file.path).read_bytes()
    monkeypatch.setenv("GRAPE_DATA_URL", server.url)
    first = datasets.load("cora")
    assert (first.num_nodes, first.num_edges) == (2708, 5278)
    assert len(server.requests) == 6
    monkeypatch.setenv("GRAPE_DATA_URL", "http://127.0.0.1:9/")
    assert datasets.load("cora").num_edges == 5278


def test_import_stays_light():
    heavy = "pooch, requests, pandas, networkx, torch_geometric, igraph"
    code = f"import sys, grape_gnn; print(sorted(set({heavy!r}.split(', ')) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
