"""``grape info``."""

from __future__ import annotations


def test_summary_is_printed(grape, friends):
    words = " ".join(grape.output("info", friends).split())
    assert str(friends) in words
    assert "nodes 4 edges 4 (undirected, density 0.667)" in words
    assert "degree 1 to 3, mean 2.00, median 2" in words
    assert "components 1, the largest with 4 nodes" in words
    assert "triangles 1 labels none features none" in words


def test_json_has_every_figure(grape, friends):
    data = grape.json("info", friends)
    assert data["file"] == str(friends)
    assert (data["nodes"], data["edges"], data["triangles"], data["degree_max"]) == (4, 4, 1, 3)
    assert data["labels"] is None
    assert data["features"] is None


def test_direction_is_an_option(grape, friends):
    data = grape.json("info", friends, "--directed")
    assert data["directed"] is True
    assert data["triangles"] == 1
    assert "arcs" in grape.output("info", friends, "--directed")


def test_labels_and_features_come_from_a_node_table(grape, friends, tmp_path):
    table = tmp_path / "people.csv"
    table.write_text("name,team,age,score\nann,red,31,0\nbob,,28,1\ncat,blue,0,0\ndan,red,40,2\n")
    data = grape.json("info", friends, "--nodes", table, "--label", "team")
    assert data["labels"] == {
        "classes": 2,
        "missing": 1,
        "largest": [["red", 2], ["blue", 1]],
        "task": "classification",
        "spread": None,
    }
    assert [(c["name"], c["kind"]) for c in data["columns"]] == [
        ("age", "number"),
        ("score", "number"),
    ]
    only = ["--nodes", table, "--label", "team", "--features", "age"]
    assert len(grape.json("info", friends, *only)["columns"]) == 1
    words = " ".join(grape.output("info", friends, *only).split())
    assert "2 classes, 1 missing red: 2, blue: 1" in words
    assert "columns age: number, 4 different" in words


def test_the_empty_graph_is_a_graph(grape, tmp_path):
    path = tmp_path / "empty.csv"
    path.write_text("source,target\n")
    data = grape.json("info", path)
    assert (data["nodes"], data["edges"], data["components"]) == (0, 0, 0)
    assert "nodes" in grape.output("info", path)


def test_dropped_edges_are_a_warning_of_one_line(grape, tmp_path):
    path = tmp_path / "loops.csv"
    path.write_text("a,a\na,b\nb,a\n")
    result = grape.run("info", path, "--json")
    assert result.exit_code == 0
    assert result.stderr.startswith("warning: dropped 1 self-loop and 1 repeated edge")
    assert result.stderr.count("\n") == 1


def test_a_doubtful_header_is_settled_by_an_option(grape, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("who,whom\n" + "".join(f"n{i},n{i + 1}\n" for i in range(20)))
    warning = grape.run("info", path, "--json").stderr
    assert "pass --header if it names the columns, --no-header if not" in warning
    for option, nodes in (("--header", 21), ("--no-header", 23)):
        result = grape.run("info", path, "--json", option)
        assert f'"nodes": {nodes}' in result.stdout
        assert result.stderr == ""


def test_nodes_that_only_the_table_lists_are_nodes(grape, friends, tmp_path):
    table = tmp_path / "people.csv"
    table.write_text("name,age\nann,1\nbob,2\ncat,3\ndan,4\neve,5\n")
    assert grape.json("info", friends, "--nodes", table)["isolated"] == 1


def test_bad_files_are_one_line_and_exit_code_2(grape, tmp_path, friends):
    missing = tmp_path / "missing.csv"
    assert grape.error("info", missing) == f"error: {missing}: no such file"
    ragged = tmp_path / "ragged.csv"
    ragged.write_text("a,b\nc\n")
    assert "ragged.csv, line 2" in grape.error("info", ragged)
    strange = tmp_path / "graph.xyz"
    strange.write_text("a,b\n")
    assert "or pass --format" in grape.error("info", strange)
    assert grape.json("info", strange, "--format", "edge_list")["nodes"] == 2
    assert "pass --nodes as well" in grape.error("info", friends, "--label", "team")


def test_what_there_is_to_say_of_a_file_is_one_line(grape, tmp_path):
    (tmp_path / "calls.csv").write_text("id,from,to,w\n1,a,b,1\n2,b,a,1\n3,b,b,1\n4,b,c,0\n")
    said = grape.run("info", tmp_path / "calls.csv", "--weight", "w").stderr
    assert said.count("warning") == 1
    for part in ("took 'from' and 'to'", "1 edges of weight 0", "1 self-loop and 1 repeated edge"):
        assert part in said.replace("\n", " ")


def test_given_splits_are_listed(grape, tmp_path):
    (tmp_path / "e.csv").write_text("a,b\nb,c\nc,d\n")
    parts = ["train,test", "train,train", "val,val", "test,train"]
    rows = [f"{name},{both}" for name, both in zip("abcd", parts, strict=True)]
    (tmp_path / "n.csv").write_text("\n".join(["id,one,two", *rows]))
    shown = grape.run("info", tmp_path / "e.csv", "--nodes", tmp_path / "n.csv").stdout
    assert "number 0: train 2, validation 1, test 1" in shown
    assert "number 1: train 2, validation 1, test 1" in shown
