"""Node tables next to edge lists."""

from __future__ import annotations

import gzip

import pytest

from grape_gnn.errors import GrapeWarning, GraphError, GraphFileError
from grape_gnn.graph import read_graph


@pytest.fixture
def read(tmp_path):
    """Give a function that reads an edge list with a node table, both given as texts."""

    def write_and_read(table, edges="alice,bob\nbob,carol\n", **options):
        (tmp_path / "edges.csv").write_text(edges)
        nodes = tmp_path / "nodes.csv"
        nodes.write_bytes(table.encode() if isinstance(table, str) else table)
        return read_graph(tmp_path / "edges.csv", nodes=nodes, **options)

    return write_and_read


PEOPLE = "name,team,age,height\ncarol,blue,45,1.6\nalice,red,31,1.7\nbob,,28,1.8\n"


def values(graph):
    return {column.name: column.objects() for column in graph.columns}


def test_labels_and_columns_find_their_nodes(read):
    g = read(PEOPLE, label="team")
    assert g.names == ("alice", "bob", "carol")
    assert g.y.tolist() == [1, -1, 0]
    assert g.label_names == ("blue", "red")
    assert values(g) == {"age": [31, 28, 45], "height": [1.7, 1.8, 1.6]}
    assert g.x is None
    assert g.has_features


def test_columns_can_be_chosen_and_left_out(read):
    assert values(read(PEOPLE, features=["age"])) == {"age": [31, 28, 45]}
    assert values(read(PEOPLE, ignore=["team", "age"])) == {"height": [1.7, 1.8, 1.6]}
    assert not read(PEOPLE, label="age", features=[]).has_features
    assert read(PEOPLE, label="age", features=[]).label_names == (28, 31, 45)
    with pytest.raises(GraphFileError, match="column 'age' is both wanted and to be ignored"):
        read(PEOPLE, features=["age"], ignore=["age"])


def test_any_column_will_do(read):
    g = read(PEOPLE)
    assert [(c.name, c.kind) for c in g.columns] == [
        ("team", "category"), ("age", "number"), ("height", "number"),
    ]  # fmt: skip
    assert values(g)["team"] == ["red", None, "blue"]
    assert g.y is None


def test_codes_are_categories_when_asked_or_by_their_zeros_which_they_keep(read):
    table = "name,zip\nalice,20095\nbob,10115\ncarol,20095\n"
    assert read(table).columns[0].kind == "number"
    (column,) = read(table, categorical=["zip"]).columns
    assert (column.kind, column.objects()) == ("category", ["20095", "10115", "20095"])
    (column,) = read(table.replace("2", "0")).columns
    assert (column.kind, column.objects()) == ("category", ["00095", "10115", "00095"])


def test_integer_names_tabs_comments_and_gzip(read):
    table = gzip.compress(b"# people\nid\tyear\n20\t2004\n10\t\n")
    g = read(table, edges="10,20\n", label="year")
    assert g.y.tolist() == [-1, 0]
    assert g.label_names == (2004,)


def test_a_node_without_a_line_has_no_label(read):
    assert read("name,team\nbob,red\n", label="team").y.tolist() == [-1, 0, -1]


def test_nodes_without_edges_are_simply_nodes(read):
    g = read(PEOPLE + "dora,red,50,1.5\n", label="team")
    assert g.names == ("alice", "bob", "carol", "dora")
    assert g.neighbours(3).size == 0
    g = read("id,v\n7,1\n2,1\n4,1\n", edges="2,4\n")
    assert g.names.tolist() == [2, 4, 7]
    assert g.edge_array().tolist() == [[0, 1]]
    assert read("id\n2\n1\n", edges="0,1\n").names is None
    assert read("id,v\nx,1\n1,2\n0,3\n", edges="0,1\n").names == ("0", "1", "x")
    with pytest.warns(GrapeWarning, match="found no edges in it"):
        assert read("id\nx\n", edges="").names == ("x",)
    with pytest.warns(GrapeWarning, match="found no edges in it"):
        assert read("id\n7\n", edges="").names.tolist() == [7]


def test_nodes_that_the_table_lacks_have_no_values(read):
    with pytest.warns(GrapeWarning, match="lacks 2 of the 3 nodes .*, the first is 'alice'"):
        g = read("name,age\nbob,1\n")
    assert values(g) == {"age": [None, 1, None]}


def test_a_table_without_rows(read):
    with pytest.warns(GrapeWarning, match="the table lacks 3 of the 3 nodes"):
        assert values(read("name,age\n")) == {"age": [None] * 3}


def test_a_table_without_a_line_of_names(read):
    with pytest.raises(GraphFileError, match="line 1: the first line must name the columns, and"):
        read("alice,31\nbob,28\n")


def test_semicolons_and_decimal_commas(read):
    g = read("name;height;note, if any\nalice;1,7;a,b\nbob;;c\ncarol;2;d\n")
    assert values(g) == {"height": [1.7, None, 2], "note, if any": ["a,b", "c", "d"]}


def test_decimal_commas_with_gaps_points_and_a_word(read):
    g = read("name;height;paid\nalice;1,234;1.234,50 €\nbob;NA;NA\ncarol;2,5;12,00 €\n")
    assert values(g) == {"height": [1.234, None, 2.5], "paid": [1234.5, None, 12]}


def test_columns_without_names(read):
    g = read(",,age,name,,\n0,x,31,alice,,\n1,x,28,bob,,\n2,x,45,carol,,\n", id="name")
    assert list(values(g)) == ["column 1", "column 2", "age", "column 5", "column 6"]


def test_the_names_are_found_in_another_column_or_said(read):
    table = ",age,person\n0,31,alice\n1,28,bob\n2,45,carol\n"
    with pytest.warns(GrapeWarning, match="took the column 'person' for the names of the nodes"):
        found = read(table)
    said = read(table, id="person")
    assert values(found)["age"] == values(said)["age"] == [31, 28, 45]
    table = "name,age\nAlice,31\nBob,28\n"
    with pytest.raises(GraphFileError, match="no name in the column 'name' is a node of the edge"):
        read(table)


@pytest.mark.parametrize(
    ("table", "line", "reason"),
    [
        (PEOPLE + "bob,red,50,1.5\n", 5, "node 'bob' was already on line 4"),
        (PEOPLE + ",red,50,1.5\n", 5, "the node name is empty"),
        (PEOPLE + "dora,red\n", 5, "found 2 columns where the first line has 4"),
        ('name,age\nbob,"1\n', 2, "unexpected end of data"),
        (b"name,age\nb\xffb,1\n", 2, "is not UTF-8"),
        ("name,age,age\n", 1, r"column names must be distinct, got \['name', 'age', 'age'\]"),
        ("", None, "is empty; the first line must name the columns"),
    ],
)
def test_broken_tables(read, table, line, reason):
    with pytest.raises(GraphFileError, match=reason) as caught:
        read(table, label="team" if "team" in str(table) else None)
    assert caught.value.line == line
    assert "nodes.csv" in str(caught.value)


@pytest.mark.parametrize("option", [{"label": "shoe"}, {"features": ["shoe"]}])
def test_unknown_columns(read, option):
    with pytest.raises(
        GraphFileError, match=r"has no column 'shoe'; it has \['name', 'team', 'age'"
    ):
        read(PEOPLE, **option)


def test_options_that_need_a_table(tmp_path):
    (tmp_path / "e.csv").write_text("0,1\n")
    with pytest.raises(GraphError, match="the option label needs a node table: pass nodes="):
        read_graph(tmp_path / "e.csv", label="team")


def test_a_missing_table(tmp_path):
    (tmp_path / "e.csv").write_text("0,1\n")
    with pytest.raises(GraphFileError, match=r"none\.csv: no such file: it is to be the table"):
        read_graph(tmp_path / "e.csv", nodes=tmp_path / "none.csv")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_only_ends_of_lines_end_a_line(read, end):
    odd = "a\u2028b\x85c\x1cd\x0be\x0cf"
    lines = ["name,team", f'alice,"{odd}"', "# remark", f"bob,{odd}", 'carol,"red', 'hat"', ""]
    g = read(end.join(lines), label="team")
    assert g.label_names == (odd, f"red{end}hat")
    assert g.y.tolist() == [0, 0, 1]
    with pytest.raises(GraphFileError, match=r"nodes\.csv, line 4: found 3 columns"):
        read(end.join(["name,team", f'alice,"{odd}"', "", "bob,x,y", ""]), label="team")


@pytest.mark.parametrize(
    ("edges", "table"),
    [("007,042\n", "7\n42\n"), ("7,42\n", "007\n042\n"), ("1,2\n", "1.0\n2.0\n"),
     ("Ann,Bob\n", "ann\nbob\n")],
)  # fmt: skip
def test_names_that_are_written_otherwise_in_the_table(read, edges, table):
    one, other = table.split()[0], edges.split(",")[0]
    with pytest.raises(GraphFileError) as error:
        read(f"id\n{table}", edges=f"source,target\n{edges}")
    assert f"the table has {one!r} and the edge list {other!r}: write them alike" in str(
        error.value
    )


def test_a_few_names_that_are_written_otherwise(read):
    edges = "source,target\n007,100\n100,123\n"
    with pytest.warns(GrapeWarning, match="the table has '7' and the edge list '007': write them"):
        read("id,team\n7,red\n100,blue\n123,red\n", edges=edges, label="team")
    both = "source,target\n007,7\n7,100\n"  # two nodes, and only one of them has a row
    assert read("id,team\n7,red\n100,blue\n", edges=both, label="team").num_nodes == 3


def test_the_names_are_never_taken_from_a_column_that_repeats_them(read):
    table = "person,age\nx,0\ny,1\nz,1\n"
    with pytest.raises(GraphFileError, match="no name in the column 'person' is a node"):
        read(table, edges="0,1\n1,2\n")


def test_words_for_missing_labels(read):
    with pytest.warns(GrapeWarning, match="took 1 labels such as 'NA' for missing"):
        g = read("name,team\nalice,red\nbob,NA\ncarol,none\n", label="team")
    assert g.label_names == ("none", "red")
    assert g.y.tolist() == [1, -1, 0]


@pytest.mark.parametrize("start", [0, 1])
def test_a_column_that_counts_rows_has_no_names(read, start):
    """What pandas and R write before a table is no name where another column has all of them."""
    rows = [("2", "red", 31), ("0", "blue", 28), ("1", "red", 45)]
    table = ",person,team,age\n"
    table += "".join(f"{start + k},{','.join(map(str, row))}\n" for k, row in enumerate(rows))
    with pytest.warns(GrapeWarning, match="the first one, '', counts rows and is left out"):
        g = read(table, edges="0,1\n1,2\n", label="team")
    assert {str(g.name_of(v)): age for v, age in enumerate(values(g)["age"])} == {
        "2": 31, "0": 28, "1": 45,
    }  # fmt: skip
    assert list(values(g)) == ["age"]
    wanted = read(table, edges=f"{start},{start + 1}\n{start + 1},{start + 2}\n", id="")
    assert values(wanted)["age"] == [31, 28, 45]
    # Alone it has the names, and so has a first column that does not count.
    assert values(read(",age\n0,7\n1,8\n2,9\n", edges="0,1\n1,2\n")) == {"age": [7, 8, 9]}
    assert values(read(",age\n2,7\n1,8\n0,9\n", edges="0,1\n1,2\n")) == {"age": [9, 8, 7]}
