"""Edge lists in every dress, and every way in which one can be broken."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grape_gnn import _native
from grape_gnn.errors import GrapeWarning, GraphFileError
from grape_gnn.graph import Graph, read_graph


@pytest.fixture
def read(tmp_path):
    """Give a function that writes a text to a file and reads it as an edge list."""

    def write_and_read(content: str | bytes, **options) -> Graph:
        path = tmp_path / "edges.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_graph(path, **options)

    return write_and_read


def named_edges(graph: Graph) -> list[tuple]:
    return [(graph.name_of(u), graph.name_of(v)) for u, v in graph.edge_array().tolist()]


@pytest.mark.parametrize(
    "content",
    [
        "0,1\n1,2\n",
        "0,1\n1,2",
        "0\t1\n1\t2\n",
        "0 1\n1   2\n",
        " 0\t1 \r\n1\t2\r\n",
        "0;1\n1;2\n",
        "0, 1\n1 , 2\n",
        "source,target\n0,1\n1,2\n",
        "Source\tTarget\n0\t1\n1\t2\n",
        "who,whom\n0,1\n1,2\n",
        "# SNAP\n% KONECT\n0 1\n\n   \n1 2\n# end",
        "\ufeff0,1\n1,2\n",
        '"0","1"\n"1","2"\n',
    ],
)
def test_the_same_path_in_many_dresses(read, content):
    g = read(content)
    assert g.names is None
    assert g.edge_array().tolist() == [[0, 1], [1, 2]]


def test_texts_are_numbered_as_they_appear(read):
    g = read('from,to\nzoe,"Ann, B."\n"Ann, B.","say ""hi"""\nzoe,Ünal\n')
    assert g.names == ("zoe", "Ann, B.", 'say "hi"', "Ünal")
    assert g.edge_array().tolist() == [[0, 1], [0, 3], [1, 2]]


def test_integers_with_gaps_are_names_in_ascending_order(read):
    g = read("30,10\n10,7000000000000\n")
    assert g.names.tolist() == [10, 30, 7_000_000_000_000]
    assert named_edges(g) == [(10, 30), (10, 7_000_000_000_000)]
    assert read("5,9\n").names.tolist() == [5, 9]


def test_one_text_makes_all_names_texts(read):
    g = read("1,2\n2,x\n3,1\n")
    assert g.names == ("1", "2", "x", "3")
    assert named_edges(g) == [("1", "2"), ("1", "3"), ("2", "x")]


@pytest.mark.parametrize("name", ["007", "+7", "7.0", "99999999999999999999", "-0"])
def test_unusual_numbers_are_texts(read, name):
    assert read(f"{name},1\n1,2\n", header=False).names == (name, "1", "2")


def test_the_header_can_be_said(read):
    assert read("a,b\nb,c\n").num_edges == 2
    assert read("a,b\nb,c\n", header=True).names == ("b", "c")
    assert read("source,target\na,b\n", header=False).num_edges == 2
    assert read("source,target\na,b\n").names == ("a", "b")


def test_an_unknown_header_is_doubted(read):
    lines = "who,whom\n" + "".join(f"n{i},n{i + 1}\n" for i in range(9))
    with pytest.warns(GrapeWarning, match="between 'who' and 'whom', which do not occur again"):
        assert read(lines).num_nodes == 12
    assert read(lines, header=True).num_nodes == 10
    assert read(lines, header=False).num_nodes == 12
    assert read(lines.replace("whom", "to").replace("who", "from")).num_nodes == 10
    with pytest.warns(GrapeWarning, match="pass header=True if it names the columns"):
        assert read("who,whom\nann,bob\nbob,cat\n").num_nodes == 5  # three rows
    with pytest.warns(GrapeWarning, match="between 'name' and 'name', which do not occur again"):
        assert read("name,name\nann,bob\nbob,cat\n").num_edges == 2


def test_the_node_table_settles_the_doubt(read, tmp_path):
    table = tmp_path / "nodes.csv"
    table.write_text("name,age\nann,1\nbob,2\ncat,3\nwho,4\n")
    assert read("person,friend\nann,bob\nbob,cat\n", nodes=table).names == (
        "ann", "bob", "cat", "who",
    )  # fmt: skip
    with pytest.warns(GrapeWarning, match="the table lacks 1 of the 5 nodes of the edge list"):
        assert read("who,whom\nann,bob\nbob,cat\n", nodes=table).num_edges == 3


TYPICAL = [
    "source,target", "from,to", "src,dst", "Source,Target", "FromNodeId,ToNodeId", "node 1,node 2",
    "from_id,to_id", "Sender,Recipient", "ego,alter", "user_1,user_2", "u,v",
    "origin,destination", "Von,Nach",
]  # fmt: skip


@pytest.mark.parametrize("names", TYPICAL)
def test_typical_names_are_found_in_a_file_of_three_rows(read, names):
    assert named_edges(read(f"{names}\nann,bob\nbob,cat\n")) == [("ann", "bob"), ("bob", "cat")]
    with pytest.warns(GrapeWarning, match=r"took '.*' and '.*' for the ends .* ignored 'id'"):
        g = read(f"id,{names}\n0,ann,bob\n1,bob,cat\n")
    assert named_edges(g) == [("ann", "bob"), ("bob", "cat")]


def test_a_name_above_decimal_commas_is_a_name_and_one_above_yes_and_no_is_not(read):
    text = "Person;Freund;Dauer\nann;bob;3,5\nbob;cat;2,25\n"
    with pytest.raises(GraphFileError, match=r"the columns are \['Person', 'Freund', 'Dauer'\]"):
        read(text)
    with pytest.warns(GrapeWarning, match="left out 0 edges of weight 0"):
        g = read(text, weight="Dauer")
    assert named_edges(g) == [("ann", "bob"), ("bob", "cat")]
    with pytest.warns(GrapeWarning, match="ignored 1 column after the two"):
        g = read("ann\tbob\tx\nbob\tcat\ty\n")
    assert named_edges(g) == [("ann", "bob"), ("bob", "cat")]


def test_weights_with_decimal_commas(read):
    with pytest.warns(GrapeWarning, match="left out 1 edges of weight 0"):
        g = read("ann;bob;0,0\nbob;cat;0,5\n", weight="3")
    assert named_edges(g) == [("bob", "cat")]


def test_columns_can_be_named(read):
    text = "id,friend,person,kind\n0,bob,ann,x\n1,cat,bob,y\n"
    with pytest.warns(GrapeWarning, match="ignored 'kind'; edge_types='kind' makes it the types"):
        g = read(text, source="person", target="friend", directed=True)
    assert named_edges(g) == [("ann", "bob"), ("bob", "cat")]
    with pytest.raises(GraphFileError, match="cannot tell which columns are the two ends of an ed"):
        read(text, header=True)
    with pytest.raises(GraphFileError, match=r"has no column 'x'; it has \['id', 'friend'"):
        read(text, source="person", target="x")
    with pytest.raises(GraphFileError, match="give both source= and target=, or neither"):
        read(text, source="person")
    with pytest.raises(GraphFileError, match="source= and target= are the same column, 'id'"):
        read(text, source="id", target="id")
    g = read("0,ann,bob\n1,bob,cat\n", source="2", target="3")
    assert named_edges(g) == [("ann", "bob"), ("bob", "cat")]
    with pytest.raises(GraphFileError, match="without a line of names columns are 1 to 2"):
        read("ann,bob\n", source="2", target="3")


def test_a_name_above_numbers_tells_a_header(read):
    text = "who,whom,strength\nann,bob,1.5\nbob,cat,2\n"
    with pytest.raises(GraphFileError, match=r"strength'\] \(header=False if the first line is an"):
        read(text)
    assert read(text, source="who", target="whom").names == ("ann", "bob", "cat")
    with pytest.warns(GrapeWarning, match="ignored 1 column after the two node names"):
        assert read(text, header=False).num_nodes == 5


def test_weights_are_never_lost_in_silence(read):
    text = "source,target,weight\nann,bob,1.5\nbob,cat,0.0\ncat,ann,-2\n"
    with pytest.warns(GrapeWarning, match="ignored 'weight'; matching counts edges and ignores"):
        assert read(text).num_edges == 3
    with pytest.warns(GrapeWarning, match="left out 1 edges of weight 0; all others count alike"):
        assert named_edges(read(text, weight="weight")) == [("ann", "bob"), ("ann", "cat")]
    with pytest.raises(GraphFileError, match="line 2: the weight 'high' is not a number"):
        read(text.replace("1.5", "high"), weight="weight")
    with pytest.raises(GraphFileError, match="'target' cannot be both an end and the weight"):
        read(text, weight="target")


def test_an_index_without_a_name_comes_first(read):
    with pytest.warns(GrapeWarning, match="and ignored one without a name"):
        assert read(",source,target\n0,1,2\n1,2,3\n").names.tolist() == [1, 2, 3]


def test_the_separator_can_be_said(read):
    assert read("a|b\nb|c\n", separator="|").names == ("a", "b", "c")
    assert read("a,b c,d\n", separator=" ").names == ("a,b", "c,d")
    with pytest.raises(GraphFileError, match="separator must be one character, got '::'"):
        read("a::b\n", separator="::")


def test_direction(read):
    assert read("0,1\n1,0\n", directed=True).num_edges == 2


def test_further_columns_are_ignored_with_a_warning(read):
    with pytest.warns(GrapeWarning, match="ignored 2 columns after the two node names"):
        g = read("a,b,0.5,2004\nb,c,0.25,\n")
    assert g.num_edges == 2


def test_loops_and_repeats_warn_once_or_are_refused(read):
    with pytest.warns(GrapeWarning, match="1 self-loop and 1 repeated edge among 3 edges"):
        read("a,a\na,b\nb,a\n")
    with pytest.raises(ValueError, match="1 self-loop and 1 repeated edge"):
        read("a,a\na,b\nb,a\n", strict=True)


@pytest.mark.parametrize("content", ["", "\n\n", "# nothing\n", "source,target\n"])
def test_a_file_without_edges_is_an_empty_graph_with_a_warning(read, content):
    with pytest.warns(GrapeWarning, match="found no edges in it"):
        assert read(content).num_nodes == 0


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("a,b\nb,c\nc\n", 3, "found 1 columns where the first line has 2"),
        ("# c\na b\nb c d\n", 3, "found 3 columns where the first line has 2"),
        ("0,1\n1,2,5\n", 2, "found 3 columns where the first line has 2"),
        ("alone\n", 1, "expected two node names separated by a tab, comma, semicolon or blank"),
        ('a,b\n"b,c\n', 2, "a quoted name is not closed on its line"),
        ('a,b\n"b"x,c\n', 2, "there is text after a closing quote"),
        ('"a"x b\n', 1, "there is text after a closing quote"),
        ("a,b\nb,\n", 2, "a node name is empty"),
        (b"a,b\nb,\xff\n", 2, "a node name is not UTF-8"),
        (b"a\xe9,b\nb,c\n", 1, "a node name is not UTF-8"),
        (b"a,b\n\xed\xa0\x80,b\n", 2, "a node name is not UTF-8"),
        (b"a,b\n\xc0\x80,b\n", 2, "a node name is not UTF-8"),
        (b"a,b\n\xf5\x80\x80\x80,b\n", 2, "a node name is not UTF-8"),
        ("0,1\n1,2\n2,-7\n-8,1\n", 3, "node id -7 is negative"),
    ],
)
def test_a_broken_line_is_named(read, content, line, reason):
    with pytest.raises(GraphFileError, match=reason) as caught:
        read(content)
    assert caught.value.line == line
    assert f"edges.csv, line {line}: " in str(caught.value)


def test_a_file_without_lines_is_refused():
    parser = _native.EdgeListParser()
    parser.feed(b"x" * (1 << 24))
    with pytest.raises(ValueError, match="longer than 16 MB; is this a text file"):
        parser.feed(b"x")


def test_gzip_is_recognised_by_its_contents(tmp_path):
    for name in ("edges.csv.gz", "edges.csv"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(b"a,b\nb,c\n"))
        assert read_graph(path).names == ("a", "b", "c")


@pytest.mark.parametrize("damage", ["truncated", "flipped"])
def test_a_damaged_gzip_file(tmp_path, damage):
    rng = np.random.default_rng(0)
    content = "".join(f"{u},{v}\n" for u, v in rng.integers(0, 10**6, (2000, 2)))
    packed = bytearray(gzip.compress(content.encode()))
    if damage == "truncated":
        packed = packed[: len(packed) // 2]
    else:
        packed[len(packed) // 2] ^= 0xFF
    path = tmp_path / "edges.csv.gz"
    path.write_bytes(packed)
    with pytest.raises(GraphFileError):
        read_graph(path)


NAMES = st.one_of(
    st.integers(0, 2**62).map(str),
    st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), min_size=1),
)


def quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@given(st.lists(st.tuples(NAMES, NAMES)), st.lists(st.integers(1, 9), min_size=1))
def test_chunks_never_matter(edges, sizes):
    content = "".join(f"{quote(u)},{quote(v)}\r\n" for u, v in edges).encode()
    parser = _native.EdgeListParser(header=False)
    at = turn = 0
    while at < len(content):
        size = sizes[turn % len(sizes)]
        parser.feed(content[at : at + size])
        at, turn = at + size, turn + 1
    parser.finish()
    src, dst = parser.take_edges()
    names = parser.names() if parser.text_names else None
    spell = (lambda k: names[k]) if names else str
    assert [(spell(u), spell(v)) for u, v in zip(src.tolist(), dst.tolist(), strict=True)] == edges
    if names:
        assert names == list(dict.fromkeys(name for edge in edges for name in edge))


@pytest.mark.filterwarnings("ignore::grape_gnn.errors.GrapeWarning")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_give_a_graph_or_a_file_error(tmp_path, content):
    path = Path(tmp_path, "noise.txt")
    path.write_bytes(content)
    try:
        num_nodes = read_graph(path).num_nodes
    except GraphFileError:
        num_nodes = 0
    assert num_nodes <= len(content)


def test_line_ends_and_letters_of_other_machines(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_bytes(b"source,target\rann,bob\rbob,cat\r")
    with pytest.raises(GraphFileError, match="lines end with a carriage return alone"):
        read_graph(path)
    path.write_bytes("source,target\nann,bob\n".encode("utf-16"))
    with pytest.raises(GraphFileError, match="is UTF-16; save it as UTF-8"):
        read_graph(path)


@pytest.mark.parametrize(
    ("word", "said"), [("Directed", "'Type' says that edges are directed"), ("Undirected", None)]
)
def test_gephi_says_whether_edges_are_directed(tmp_path, word, said):
    file = tmp_path / "gephi.csv"
    file.write_text(f"Source;Target;Type;Id\n0;1;{word};0\n1;2;{word};1\n2;3;{word};2\n")
    with pytest.warns(GrapeWarning, match="took 'Source' and 'Target'") as caught:
        read_graph(file)
    (line,) = (str(each.message) for each in caught)
    assert "edge_types" not in line
    assert ("directed=True (--directed)" in line) == (said is not None)
    assert said is None or said in line
