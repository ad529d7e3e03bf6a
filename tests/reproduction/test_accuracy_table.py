"""Tables of accuracies: what a cell keeps, and what the page says of it."""

from __future__ import annotations

from dataclasses import replace

from grape_gnn.baselines import method
from reproduction import PROFILES, Records
from reproduction.accuracy import mean_and_spread, run_comparison
from reproduction.accuracy_table import METHODS, TABLE_1
from reproduction.record import new_record
from reproduction.table_a3 import TABLE_A3


def record(method, accuracies, profile="quick", dataset="cora"):
    runs = [{"seed": seed, "test_accuracy": value} for seed, value in enumerate(accuracies)]
    cell = {"dataset": dataset, "method": method}
    return new_record("table1", profile, cell, {"runs": runs}, 1.0, {})


def rows_of(text):
    found = {}
    for row in text.splitlines():
        parts = [part.strip() for part in row.strip("|").split("|")]
        found.setdefault(parts[0], parts[1:])
    return found


def test_a_cell_keeps_every_run_and_what_was_tried(tmp_path):
    grid = {"hidden": [8], "dropout": [0.3, 0.5], "weight_decay": [0.0], "learning_rate": [0.01]}
    short = replace(PROFILES["quick"], seeds=(0, 1), grid=grid, epochs=5)
    cell = {"dataset": "planted-roles"}
    result = run_comparison(method("mlp"), cell, short, tmp_path, "random")
    assert [run["seed"] for run in result["runs"]] == [0, 1]
    assert all(0 <= run["test_accuracy"] <= 1 for run in result["runs"])
    assert {each["dropout"] for each in result["grid"]} == {0.3, 0.5}
    assert {"seed", "validation_accuracy"} < set(result["grid"][0])
    assert "learning_rate" not in result["grid"][0]  # one value only: it is among the settings
    assert "seed" not in result["settings"]
    assert result["features"] == "random"
    records = (tmp_path / "runs.jsonl").read_text()
    assert run_comparison(method("mlp"), cell, short, tmp_path, "random") == result
    assert (tmp_path / "runs.jsonl").read_text() == records  # nothing was run again


def test_the_table_shows_ours_next_to_the_papers(tmp_path):
    records = Records(tmp_path, "table1")
    records.add(record("grape-plain", [0.88, 0.90, 0.89]))
    records.add(record("grape", [0.98, 0.97, 0.96]))
    records.add(record("gin-labels", [0.95, 0.95, 0.95]))
    records.add(record("gcn", [0.87, 0.88, 0.86]))
    records.add(record("mlp", [0.94, 0.95, 0.96]))
    text = TABLE_1.section(records).text
    rows = rows_of(text)
    cora = rows["method"].index("Cora")
    assert rows["GRAPE"][cora].startswith("**89.0 ± 1.0**°<br>")
    assert rows["GRAPE"][cora].endswith("<small>paper 87.1</small>")
    assert rows["GCN"][cora] == "87.0 ± 1.0°<br><small>paper 86.9</small>"
    assert rows["*MLP*"][cora] == "95.0 ± 1.0°"  # a reference method is not ranked
    assert rows["GIN"][cora].startswith("not run")
    amazon = rows["method"].index("Amazon (DVD stand-in)")
    assert "paper Music 58.6" in rows["GRAPE"][amazon]
    assert rows["Cora"][:3] == ["the paper's baselines", "GCN", "+2.0 ± 0.6"]
    assert "| Cora | the reference methods | MLP | -6.0 ± 0.6 |" in text
    # Label inputs are compared with label inputs.
    without, given = text.split("**With label inputs**")
    assert "+ labels" not in without
    assert rows_of(given)["GRAPE + labels"][cora] == "**97.0 ± 1.0**°"
    assert "| Cora | label inputs, no roles | GIN + labels | +2.0 ± 0.6 |" in given


def test_the_larger_profile_is_shown_and_compared_within_itself(tmp_path):
    records = Records(tmp_path, "table1")
    records.add(record("grape-plain", [0.88, 0.90, 0.89, 0.91], "paper"))
    records.add(record("grape-plain", [0.1, 0.1]))
    records.add(record("gcn", [0.87, 0.88]))
    text = TABLE_1.section(records).text
    assert "89.5 ± 1.3**<br>" in text
    assert "No dataset has both yet." in text


def test_bold_means_within_one_standard_error_of_the_best():
    assert mean_and_spread(record("gcn", [0.80, 0.82, 0.84]), 83.0).startswith("**82.0")
    assert mean_and_spread(record("gcn", [0.80, 0.82, 0.84]), 83.5).startswith("82.0")


def test_every_method_of_the_comparison_is_in_the_table():
    from grape_gnn.baselines import METHODS as KNOWN

    in_the_arena = {"logistic-degree", "logistic-totals"}
    assert set(METHODS) == {*KNOWN, "grape-plain", "gin-labels"} - in_the_arena
    methods = {cell["method"] for cell in TABLE_1.cells(PROFILES["quick"])}
    assert methods == set(METHODS)


def test_single_templates_without_results(tmp_path):
    text = TABLE_A3.section(Records(tmp_path, "tableA3")).text
    assert text.count("not run") == 6
    assert "26.1 ± 4.0" in text
