"""``grape evaluate``: accuracy, precision, recall and confusion."""

from __future__ import annotations

from grape_gnn.runs import RunFolder


def test_the_test_part_agrees_with_the_metrics(grape, trained):
    metrics = RunFolder.open(trained).metrics
    data = grape.json("evaluate", trained)
    assert data["accuracy"] == metrics["test_accuracy"]
    assert data["confusion"] == metrics["confusion"]
    assert data["nodes"] == metrics["parts"]["test"]
    assert data["part"] == "test"
    validation = grape.json("evaluate", trained, "--part", "validation")
    assert validation["accuracy"] == metrics["validation_accuracy"]
    assert grape.json("evaluate", trained, "--part", "all")["nodes"] == 72


def test_the_table(grape, trained):
    words = grape.output("evaluate", trained, "--part", "all")
    assert "planted-roles, all labelled nodes" in words
    assert "accuracy" in words
    assert "precision" in words
    assert "confusion: a row for each label, a column for each answer" in words
    assert "house roof" in words


def test_another_graph(grape, trained):
    words = ["planted-roles", "--option", "num_shapes=30"]
    data = grape.json("evaluate", trained, *words)
    assert data["nodes"] == 240
    assert data["part"] is None
    assert "planted-roles, all labelled nodes" in grape.output("evaluate", trained, *words)
    message = grape.error("evaluate", trained, *words, "--part", "test")
    assert "--part is about the graph of the run; planted-roles has no parts" in message


def test_the_graph_of_the_training_is_known_by_any_name(grape, trained, tmp_path):
    """Its training nodes must not count as if they were new."""
    RunFolder.open(trained).graph().save(tmp_path / "copy.npz")
    again = grape.json("evaluate", trained, tmp_path / "copy.npz")
    assert again["part"] == "test"
    assert again["figures"] == grape.json("evaluate", trained)["figures"]
    words = grape.output("evaluate", trained, tmp_path / "copy.npz", "--part", "train")
    assert "copy.npz, train nodes" in words


def test_labels_the_model_does_not_know(grape, trained, tmp_path):
    edges, table = tmp_path / "e.csv", tmp_path / "t.csv"
    edges.write_text("0,1\n1,2\n")
    table.write_text("name,role\n0,base\n1,king\n2,base\n")
    words = ["evaluate", trained, edges, "--nodes", table, "--label", "role", "--json"]
    result = grape.run(*words)
    assert result.exit_code == 0
    assert "warning: the model has never seen the labels king" in result.stderr


def test_bad_input(grape, trained, friends):
    assert "unknown part 'tst': choose train" in grape.error("evaluate", trained, "--part", "tst")
    message = grape.error("evaluate", trained, friends)
    assert f"{friends} has no labels to score against: name their column with --label" in message
