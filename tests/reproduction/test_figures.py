"""The figures' and the case study's cells on a small generated network, and what the page shows."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grape_gnn import GrapeClassifier, datasets
from grape_gnn.datasets.synthetic_social import social_like
from reproduction import PROFILES, Records
from reproduction.accuracy_table import BASELINES
from reproduction.fig3a import FIG_3A
from reproduction.fig3bc import FIG_3BC
from reproduction.record import new_record
from reproduction.table2 import TABLE_2
from reproduction.table3 import TABLE_3

SHORT = {**GrapeClassifier.__init__.__kwdefaults__, "epochs": 3}


NETWORK = social_like(num_nodes=100)
POINT = {"hidden": [8], "dropout": [0.3], "weight_decay": [5e-5], "learning_rate": [0.01]}
TINY = replace(
    PROFILES["quick"], grid=POINT, epochs=3, seeds=(0, 1), search_seconds=2, timed_epochs=3
)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Give a small network, whatever dataset is asked for, and short trainings."""
    monkeypatch.setattr(datasets, "load", lambda name: NETWORK)
    monkeypatch.setattr(GrapeClassifier.__init__, "__kwdefaults__", SHORT)


def run(experiment, cell, folder, **stored):
    """Run a cell and put its result into the records of another one, which the page shows."""
    records = Records(folder, experiment.name)
    fingerprint = experiment.fingerprint(cell, TINY)
    partial = records.partial("quick", cell, fingerprint)
    partial.mkdir(parents=True, exist_ok=True)
    result = experiment.run(cell, TINY, partial)
    records.add(new_record(experiment.name, "quick", {**cell, **stored}, result, 1.0, fingerprint))
    return records, result


def check_pictures(section, *names):
    assert set(section.pictures) == set(names)
    for name, picture in section.pictures.items():
        ElementTree.fromstring(picture)
        assert f"images/results/{name}" in section.text


def test_training_time_in_multiples_of_pygs_gin(tmp_path):
    pytest.importorskip("torch_geometric")
    results = {}
    for method in ("pyg-gin", "gcn"):
        records, results[method] = run(FIG_3A, {"dataset": "lehigh", "method": method}, tmp_path)
    ratio = results["gcn"]["epoch_seconds"] / results["pyg-gin"]["epoch_seconds"]
    text = FIG_3A.section(records).text
    assert re.search(rf"\| GCN \| [0-9.]+ \| [0-9.]+ \| {ratio:.2f} \|", text)
    assert "| GIN (ours) | not run |" in text


def test_training_time(tmp_path):
    records, found = run(FIG_3A, {"dataset": "lehigh", "method": "grape"}, tmp_path)
    assert found["epochs"] == 3
    assert 0 < found["epoch_seconds"] < found["train_seconds"]
    assert found["parameters"] > 0
    section = FIG_3A.section(records)
    check_pictures(section, "fig3a.svg")
    assert "| GIN (PyG) | not run |" in section.text
    assert FIG_3A.alone


def test_learned_weights(tmp_path):
    for seed in ("0", "1"):
        records, found = run(FIG_3BC, {"dataset": "lehigh", "seed": seed}, tmp_path)
    assert len(found["layers"]) == 2
    first = found["layers"][0]
    assert sum(first["share"]) + first["own"] == pytest.approx(1, abs=1e-3)
    section = FIG_3BC.section(records)
    check_pictures(section, "fig3b.svg", "fig3c.svg")
    assert "Mean over 2 trainings" in section.text
    assert "tailed-triangle, role 2" in section.pictures["fig3c.svg"]


def test_the_case_is_right_by_grape_alone(tmp_path):
    # Predictions kept by an interrupted run are taken over; GCN alone is trained here.
    cell = {"dataset": "lehigh"}
    kept = Records(tmp_path, "table2").partial("quick", cell, TABLE_2.fingerprint(cell, TINY))
    kept.mkdir(parents=True)
    for name in ("grape", *BASELINES):
        wrong = (NETWORK.y + 1) % len(NETWORK.label_names)
        predicted = (NETWORK.y if name == "grape" else wrong).tolist()
        told = {"predicted": predicted, "settings": {}, "tuned": False}
        if name != "gcn":
            (kept / f"{name}.json").write_text(json.dumps(told))
    records, found = run(TABLE_2, cell, tmp_path)
    label = found["label"]
    assert found["predicted"].pop("grape") == label
    assert label not in found["predicted"].values()
    assert not any(found["tuned"].values())
    hops, triangle = (found["sets"][name] for name in ("2-hop neighbourhood", "triangle, role 1"))
    assert hops["nodes"] >= triangle["nodes"]
    section = TABLE_2.section(records)
    check_pictures(section, "fig4.svg")
    assert f"class of {label}" in section.text
    assert "some of them not tuned" in section.text


def test_a_search_and_what_it_starts_from(tmp_path):
    for method in ("edge", "genetic-auto"):
        records, found = run(TABLE_3, {"dataset": "lehigh", "method": method}, tmp_path)
    assert 1 <= len(found["templates"]) <= 3  # the same twice is one
    assert found["evaluations"] >= 1
    assert found["curve"][0][1] <= found["curve"][-1][1]
    section = TABLE_3.section(records)
    check_pictures(section, "fig5-curves.svg", "fig5-templates.svg")
    assert f"{found['evaluations']} genes" in section.text
    assert "Budget of a search: 2 s" in section.text
    assert ">edge<" in section.pictures["fig5-templates.svg"]


def test_sections_without_lines(tmp_path):
    for experiment in (FIG_3A, FIG_3BC, TABLE_2, TABLE_3):
        section = experiment.section(Records(tmp_path, experiment.name))
        assert "ot run" in section.text
        assert not section.pictures
    assert not list(Path(tmp_path).iterdir())
