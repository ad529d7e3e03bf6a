"""What labels are taken for: classes, several labels, or numbers."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.errors import GrapeWarning, GraphError
from grape_gnn.graph import Graph, read_graph, summarise
from grape_gnn.graph.targets import doubt, parse_cells


def path(y, **options) -> Graph:
    n = len(y)
    return Graph.from_edges(range(n - 1), range(1, n), n, y=y, **options)


def prices(n: int = 200) -> np.ndarray:
    return np.random.default_rng(0).lognormal(10, 1, n)


@pytest.mark.parametrize(
    ("y", "task"),
    [
        (["a", "b", None], "classification"),
        ([0, 1, 2], "classification"),
        ([True, False], "classification"),
        ([1.0, 2.0, float("nan")], "classification"),
        ([0.5, 2.0, None], "regression"),
        (prices(), "regression"),
        (prices().round(), "regression"),  # whole prices, hardly two alike
        (list(range(18, 78)) * 25, "classification"),  # ages; doubtful, so it is said
        (list(range(30)), "regression"),
        (["a;b", "a", "b;c"], "multi-label"),
        (["a|b", "b", None], "multi-label"),
        (["x|left", "y|right"], "classification"),  # no part of one is part of another
        ([{"a"}, {"a", "b"}, set()], "multi-label"),
        ([[0, 1], [1, 0]], "multi-label"),
        (np.eye(3), "multi-label"),
    ],
)
def test_labels_are_taken_for_what_they_look_like(y, task) -> None:
    assert path(y).task == task


def test_numbers_keep_their_size_and_missing_ones_are_known() -> None:
    g = path([1.7e9, None, -1.0, 0.25])
    assert g.y[[0, 2, 3]].tolist() == [1.7e9, -1.0, 0.25]
    assert g.labelled.tolist() == [True, False, True, True]
    assert g.label_names is None
    assert "numbers to predict" in repr(g)


def test_whole_numbers_that_are_amounts_may_be_missing() -> None:
    amounts = list(range(1000, 1030))
    assert path([*amounts, -1]).labelled.sum() == 30
    assert path([*amounts, -5, -1], task="regression").labelled.all()


def test_several_labels_become_columns() -> None:
    g = path(["a;b", None, "b; c", "c"])
    assert g.label_names == ("a", "b", "c")
    assert g.y.tolist() == [[1, 1, 0], [-1, -1, -1], [0, 1, 1], [0, 0, 1]]
    assert g.labelled.tolist() == [True, False, True, True]
    matrix = path(np.array([[1.0, 0.0], [np.nan, np.nan]]), label_names=["x", "y"])
    assert (matrix.label_names, matrix.y.tolist()) == (("x", "y"), [[1, 0], [-1, -1]])


def test_the_task_can_be_said() -> None:
    assert path([1, 2, 3], task="regression").y.tolist() == [1.0, 2.0, 3.0]
    assert path([1.5, 2.0, None], task="classification").label_names == ("1.5", "2.0")
    assert path(["a;b", "a"], task="classification").label_names == ("a", "a;b")
    assert path(["a", "b"], task="multi-label").y.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        ([1, "cheap"], {"task": "regression"}, r"the label y\[1\] is 'cheap'"),
        ([1.5, float("inf")], {"task": "regression"}, r"y\[1\] is inf: numbers .* finite"),
        ([1.5, float("inf")], {}, r"y\[1\] is inf: numbers .* finite"),
        (np.array([[0, 2], [1, 0]]), {}, r"y\[0, 1\] is 2: several columns .* must be 0 or 1"),
        (np.eye(2), {"task": "regression"}, "2 columns, which is multi-label, not regression"),
        ([0, 1], {"task": "clustering"}, "task='clustering'"),
    ],
)
def test_labels_that_do_not_fit_their_task(y, options, message) -> None:
    with pytest.raises(GraphError, match=message):
        path(y, **options)


def test_a_word_among_prices_does_not_make_a_class_of_every_price() -> None:
    prices = [f"{100 + 3.5 * k}" for k in range(60)]
    prices[7] = "unknown"
    with pytest.raises(GraphError, match=r"59 labels are numbers, and y\[7\] is 'unknown': leave"):
        Graph.from_edges([0], [1], 60, y=prices)
    asked = Graph.from_edges([0], [1], 60, y=prices, task="classification")
    assert len(asked.label_names) == 60


def test_doubt_is_said_once_and_names_the_way_out() -> None:
    assert doubt(path(["a", "b"])) is None
    assert doubt(path(prices())) is None
    assert "60 classes; if they are amounts, say so by --task regression" in str(
        doubt(path(list(range(18, 78)) * 25))
    )
    assert doubt(path(prices().round())) is None  # hardly two alike
    assert "40 different ones" in str(doubt(path(list(range(18, 58)) * 3)))
    assert "--task multi-label" in str(doubt(path(["x|left", "y|right"])))
    assert "--task multi-label" in str(doubt(path(["a,b", "a", "b,c"])))
    assert doubt(path(["Salem, Oregon", "Boise, Idaho"])) is None
    days = [f"2020-01-{k + 1:02}" for k in range(31)]
    assert "hardly two are alike" in str(doubt(path(days)))
    assert "of 3; if every node has one class" in str(doubt(path(["a;b", "a", "b;c"])))


def test_cells_of_a_table() -> None:
    assert parse_cells(["007", "1"]) == ["007", "1"]  # a name, not a number
    assert parse_cells(["-1", "1", ""]) == ["-1", "1", None]
    assert parse_cells(["1e3", "nan", "-.5"]) == [1000.0, None, -0.5]
    assert parse_cells(["None", "x"]) == ["None", "x"]


def test_a_column_of_prices_is_a_regression(tmp_path) -> None:
    cells = [f"{value:.2f}" for value in prices(50)]
    cells[7] = "NA"
    (tmp_path / "e.csv").write_text("".join(f"a{i},a{i + 1}\n" for i in range(49)))
    rows = "".join(f"a{i},{cell}\n" for i, cell in enumerate(cells))
    (tmp_path / "n.csv").write_text("name,price\n" + rows)
    g = read_graph(tmp_path / "e.csv", nodes=tmp_path / "n.csv", label="price")
    assert (g.task, int(g.labelled.sum())) == ("regression", 49)
    classes = read_graph(
        tmp_path / "e.csv", nodes=tmp_path / "n.csv", label="price", task="classification"
    )
    assert len(classes.label_names) == 49


@pytest.mark.parametrize("y", [[0.5, None, 2.5], [{"a"}, {"a", "b"}, None], ["x", None, "y"]])
def test_every_task_goes_through_files_and_libraries(y, tmp_path) -> None:
    g = path(y)
    g.save(tmp_path / "g.npz")
    for again in (
        read_graph(tmp_path / "g.npz"),
        Graph.from_networkx(g.to_networkx()),
        Graph.from_igraph(g.to_igraph()),
        Graph.from_pyg(g.to_pyg()),
    ):
        assert again.task == g.task
        np.testing.assert_array_equal(again.y, g.y)
        assert again.label_names == g.label_names


def test_summaries() -> None:
    numbers = summarise(path([0.5, None, 2.5])).labels
    assert numbers is not None
    assert (numbers.spread, numbers.missing) == ((0.5, 1.5, 2.5), 1)
    several = summarise(path(["a;b", "a", None])).labels
    assert several is not None
    assert (several.classes, several.largest) == (2, (("a", 2), ("b", 1)))


def test_conversions_take_the_task():
    """Whole numbers that are few look like classes; who knows better says so."""
    nx, igraph, data = (pytest.importorskip(name) for name in
                        ("networkx", "igraph", "torch_geometric.data"))  # fmt: skip
    import torch
    from scipy.sparse import csr_array

    net = nx.path_graph(4)
    nx.set_node_attributes(net, dict(enumerate([1, 2, 1, 3])), "label")
    vertices = igraph.Graph(n=4, edges=[(0, 1), (1, 2), (2, 3)])
    vertices.vs["label"] = [1, 2, 1, 3]
    pyg = data.Data(edge_index=torch.tensor([[0, 1], [1, 2]]), y=torch.tensor([1, 2, 1, 3]),
                    num_nodes=4)  # fmt: skip
    matrix = csr_array(([1], ([0], [1])), shape=(4, 4))
    for make in (
        lambda **task: Graph.from_networkx(net, **task),
        lambda **task: Graph.from_igraph(vertices, **task),
        lambda **task: Graph.from_pyg(pyg, **task),
        lambda **task: Graph.from_scipy(matrix, y=[1, 2, 1, 3], **task),
    ):
        assert make().task == "classification"
        assert make(task="regression").task == "regression"
        assert make(task="regression").y.tolist() == [1.0, 2.0, 1.0, 3.0]


def test_money_is_a_number() -> None:
    prices = [f"${1000 + k:,}.50" for k in range(30)]
    assert parse_cells([*prices, "NA"])[28:] == [1028.5, 1029.5, None]
    assert path(parse_cells(prices)).task == "regression"
    assert parse_cells(["10%", "20%"] * 9)[:2] == ["10%", "20%"]  # two classes
    assert parse_cells(["007", "042"]) == ["007", "042"]


def test_labels_with_commas_are_several_if_one_says_so() -> None:
    assert path(["a,b", "a", "b,c"]).task == "classification"
    g = path(["['a', 'b']", "['a']", "['b', 'c']"], task="multi-label")  # as pandas writes lists
    assert g.label_names == ("a", "b", "c")
    assert g.y.tolist() == [[1, 1, 0], [1, 0, 0], [0, 1, 1]]


def test_one_class_and_gaps_are_no_classes_of_minus_one() -> None:
    assert path([1, None, 1]).label_names == (1,)
    with pytest.warns(GrapeWarning, match="-1 means missing"):
        path([1, -1, 1])


def test_a_number_without_end_is_a_class_like_others():
    graph = Graph.from_edges([0], [1], y=[1.0, float("inf")], task="classification")
    assert graph.label_names == ("1.0", "inf")
