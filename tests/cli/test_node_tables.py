"""Two CSV files as people have them, odd on purpose: from ``grape info`` to ``grape predict``."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from grape_gnn.comparison import Profile, compare
from grape_gnn.estimator import GrapeClassifier
from grape_gnn.graph import Graph, read_graph
from grape_gnn.runs import RunFolder
from grape_gnn.runs.predictions import read_predictions
from grape_gnn.search import SearchSettings, search
from grape_gnn.search.problem import make_problem

N = 400
SMALL = SearchSettings(templates_per_gene=1, population=2, eliminate=1, model={"epochs": 2})
QUICK = ["-t", "edge", "--epochs", 80]


def customers(folder, seed=0):
    """Write customers whose balance, age and plan say who leaves; return both files."""
    rng = np.random.default_rng(seed)
    balance, age = rng.normal(1e4, 3e3, N), rng.normal(40, 10, N)
    plan = rng.choice(["basic", "gold", "family"], N)
    leaves = (balance - 1e4) / 3e3 + (age - 40) / 10 + 3 * (plan == "gold") > 2.2
    edges, table = folder / "calls.csv", folder / "customers.csv"
    with edges.open("w", newline="") as file:
        ends = {(min(u, v), max(u, v)) for u, v in rng.integers(0, N - 5, (900, 2)).tolist()}
        rows = [(f"c{u}", f"c{v}") for u, v in sorted(ends) if u != v]
        csv.writer(file).writerows([("id", "from", "to"), *((k, *r) for k, r in enumerate(rows))])
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["customer", "leaves", "balance", "age", "plan", "joined", "zip", "email"])
        for k in range(N):
            writer.writerow([
                f"c{k}", "yes" if leaves[k] else "no",
                "unknown" if k == 3 else f"{balance[k]:.2f}",
                "" if k % 40 == 5 else f"{age[k]:.0f}",
                "" if k == 8 else plan[k], f"20{10 + k % 10}-0{1 + k % 9}-15", f"{1000 + k % 7:05}",
                f"{k}@example.org",
            ])  # fmt: skip
    return edges, table


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return customers(tmp_path_factory.mktemp("customers"))


@pytest.fixture(scope="module")
def words(files):
    edges, table = files
    return [edges, "--nodes", table, "--label", "leaves"]


def test_info_says_what_was_taken(grape, words):
    result = grape.run("info", *words)
    assert result.stderr.count("\n") == 1
    assert "took 'from' and 'to' for the ends of an edge, and ignored 'id'" in result.stderr
    shown = " ".join(result.stdout.split())
    assert "balance: number, 399 different, 1 missing; 1 no number ('unknown')" in shown
    assert "plan: category, 3 different, 1 missing" in shown
    assert "joined: date" in shown
    assert "email: text" in shown
    assert int(shown.partition("isolated ")[2].split()[0]) >= 5


def test_raw_numbers_do_not_wreck_a_training(grape, words, tmp_path):
    text = grape.output("train", *words, *QUICK, "-o", tmp_path / "run")
    run = RunFolder.open(tmp_path / "run")
    assert run.metrics["test_accuracy"] > 0.85 > run.metrics["majority_share"]
    assert max(map(len, text.split("\n\n")[1].splitlines())) <= 80
    lines = {line.split()[0]: " ".join(line.split()[1:]) for line in text.splitlines() if line}
    assert lines["balance"].startswith("number standardised")
    assert lines["age"].startswith("number standardised, gaps filled with")
    assert lines["plan"].startswith("category one-hot, 3")
    assert lines["joined"] == "date standardised"
    assert lines["email"] == "left out: text that differs from node to node"
    kept = json.loads((tmp_path / "run" / "columns.json").read_text())
    assert [column["name"] for column in kept["columns"]] == [
        "balance", "age", "plan", "joined", "zip",
    ]  # fmt: skip
    model = GrapeClassifier.load(tmp_path / "run" / "model.safetensors")
    assert model.encoder_.to_json() == kept
    grape.output("train", *words, *QUICK, "--no-scaling", "-o", tmp_path / "raw")
    raw = RunFolder.open(tmp_path / "raw")
    assert raw.metrics["test_accuracy"] < run.metrics["test_accuracy"] - 0.05
    assert {column["how"] for column in raw.encoder.to_json()["columns"] if "how" in column} == {
        "as it is"
    }


def test_what_the_user_says_of_columns(grape, words, tmp_path):
    out = tmp_path / "run"
    options = ["--categorical", "zip", "--ignore", "email,joined", "--features", "original"]
    data = grape.json("train", *words, "-t", "edge", "--epochs", 2, *options, "-o", out)
    codes = {column["name"]: column for column in data["columns"]["columns"]}
    assert codes["zip"]["code"] == "category"
    assert codes["zip"]["categories"][0].startswith("010")
    assert set(codes) == {"balance", "age", "plan", "zip"}
    message = grape.error("info", *words, "--ignore", "shoe")
    assert "customers.csv: has no column 'shoe'; it has ['customer', 'leaves', 'balance'" in message


def test_predict_finds_columns_by_name(grape, words, files, tmp_path):
    grape.output("train", *words, *QUICK, "--categorical", "zip", "-o", tmp_path / "run")
    edges, table = files
    rows = list(csv.reader(table.read_text().splitlines()))
    wide = [[row[0], "?", *reversed(row[2:])] for row in rows]  # no label, another order
    wide[0][1] = "shoe size"
    other = tmp_path / "other.csv"
    with other.open("w", newline="") as file:
        csv.writer(file).writerows(wide)
    grape.output("predict", tmp_path / "run", edges, "--nodes", other, "-o", tmp_path / "p.csv")
    told = grape.run("predict", tmp_path / "run", edges, "--nodes", other).stderr
    assert "took 'from' and 'to'" not in told  # it was said by the training
    found = [row.predicted for row in read_predictions(tmp_path / "p.csv")]
    assert found == [row.predicted for row in RunFolder.open(tmp_path / "run").predictions()]
    with other.open("w", newline="") as file:
        csv.writer(file).writerows([row[:4] for row in wide])
    options = ["--nodes", other, "--source", "from", "--target", "to", "--categorical", "email"]
    message = grape.error("predict", tmp_path / "run", edges, *options)
    assert "lacks 'balance', 'age', 'plan', 'joined', which the model was trained with" in message


def test_a_missing_table_is_one_line(grape, files, tmp_path):
    missing = tmp_path / "nobody.csv"
    message = grape.error("train", files[0], "--nodes", missing, "--label", "leaves")
    assert message == f"error: {missing}: no such file: it is to be the table of the nodes"


@pytest.mark.filterwarnings("ignore:.*took 'from' and 'to'")
def test_compare_and_search_take_tables(files):
    graph = read_graph(files[0], nodes=files[1], label="leaves")
    tiny = {"hidden": [16], "dropout": [0.0], "weight_decay": [0.0], "learning_rate": [0.01]}
    runs = compare(graph, ["mlp"], dataset="calls", seeds=[0], profile=Profile("t", tiny, 60))
    assert runs[0].test_score > 0.85
    problem = make_problem(graph, {}, seed=0)
    assert problem.graph.columns is None
    assert abs(problem.graph.x[problem.train, 0].mean()) < 1e-5
    trained_on = set(search(graph, rounds=1, settings=SMALL).templates)
    assert trained_on


def test_a_large_matrix_of_features_is_warned_of(grape, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(1e4, 3e3, (60, 2))
    g = Graph.from_edges(range(59), range(1, 60), x=x, y=(x[:, 0] > 1e4).astype(int))
    g.save(tmp_path / "g.npz")
    told = grape.run("train", tmp_path / "g.npz", *QUICK, "-o", tmp_path / "a").stderr
    assert "of the features has values around 1e+04" in told
    assert "pass --scaling" in told
    result = grape.run("train", tmp_path / "g.npz", *QUICK, "--scaling", "-o", tmp_path / "b")
    assert "values around" not in result.stderr
    assert RunFolder.open(tmp_path / "b").metrics["test_accuracy"] > 0.8
