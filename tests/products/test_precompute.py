"""Role products: right to the rounding, in blocks of any width, resumable, never stale."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import BudgetExceededError, GrapeError, MatchError, ProductsFileError
from grape_gnn.products import ProductFolder, Products, RoleMeans, label_products
from grape_gnn.products import folder as folder_module

SOCIAL = 7  # roles of the social set, the egos' left out


def random_graph(n: int = 60, columns: int = 5, directed: bool = False) -> grape.Graph:
    rng = np.random.default_rng(3)
    src, dst = edges(n)
    x = rng.normal(size=(n, columns)).astype(np.float32)
    return grape.Graph.from_edges(src, dst, n, directed=directed, x=x)


def edges(n: int) -> tuple[np.ndarray, np.ndarray]:
    chosen = np.random.default_rng(4).random((n, n)) < 8 / n
    return np.nonzero(np.triu(chosen, 1))


@pytest.fixture
def graph() -> grape.Graph:
    return random_graph()


def expected(graph: grape.Graph, templates: str = "social") -> tuple[np.ndarray, ...]:
    """Means by dense matrices in double precision."""
    x = graph.x.astype(np.float64)
    matrices = [op.to_scipy().toarray() for roles in grape.match(graph, templates)
                for op in roles[1:]]  # fmt: skip
    plain = graph.to_undirected() if graph.directed else graph
    adjacency = grape.match(plain, "edge")[0][1].to_scipy().toarray()

    def mean(matrix: np.ndarray, values: np.ndarray) -> np.ndarray:
        sums = matrix.sum(axis=1, keepdims=True)
        return np.divide(matrix @ values, sums, out=np.zeros_like(values), where=sums > 0)

    first = np.stack([mean(matrix, x) for matrix in matrices], axis=1)
    second = np.stack([mean(adjacency, first[:, r]) for r in range(len(matrices))], axis=1)
    logs = np.log1p(np.stack([matrix.sum(axis=1) for matrix in matrices], axis=1))
    return np.concatenate([logs, mean(adjacency, logs)], axis=1), first, second


def all_rows(products: Products) -> tuple[np.ndarray, ...]:
    logs, hops = products.rows(np.arange(products.num_nodes))
    return logs, *hops


def assert_same(found: tuple[np.ndarray, ...], wanted: tuple[np.ndarray, ...]) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize(
    ("directed", "templates"), [(False, "social"), (False, "4-cycle,house"), (True, "ecommerce")]
)
def test_products_are_those_of_dense_matrices(directed: bool, templates: str) -> None:
    graph = random_graph(40, directed=directed)
    assert_same(all_rows(grape.precompute(graph, templates)), expected(graph, templates))


@pytest.mark.parametrize("memory", [None, "20KB", "25KB"])
def test_files_hold_what_memory_does(
    graph: grape.Graph, tmp_path: Path, memory: str | None
) -> None:
    found = grape.precompute(graph, "social", tmp_path / "p", memory=memory)
    widths = {part.last - part.first for part in found.parts}
    assert widths == ({5} if memory is None else {1} if memory == "20KB" else {2, 1})
    # To the rounding of single precision: kernels take blocks of another width in another order.
    assert_same(all_rows(found), all_rows(grape.precompute(graph)))


def test_without_features_a_constant_is_multiplied() -> None:
    star = grape.Graph.from_edges([0, 0], [1, 2])
    logs, (first, _) = grape.precompute(star, "edge,triangle").rows(np.arange(3))
    assert first[:, :, 0].tolist() == [[1, 0], [1, 0], [1, 0]]
    np.testing.assert_allclose(logs[:, 0], np.log1p([2, 1, 1]), rtol=1e-6)
    np.testing.assert_allclose(logs[:, 2], np.log1p([1, 2, 2]), rtol=1e-6)


def test_one_hop(graph: grape.Graph) -> None:
    products = grape.precompute(graph, hops=1)
    logs, hops = products.rows(np.array([3, 1]))
    assert logs.shape == (2, SOCIAL)
    assert [hop.shape for hop in hops] == [(2, SOCIAL, 5)]


# ------------------------------------------------------------------ resuming


def test_only_what_is_missing_is_computed(
    graph: grape.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = all_rows(grape.precompute(graph, "social", tmp_path / "p", memory="25KB"))
    (tmp_path / "p" / "hop2-2-4.npy").unlink()
    written = []
    original = ProductFolder.write
    monkeypatch.setattr(
        ProductFolder,
        "write",
        lambda self, name, *rest: (written.append(name), original(self, name, *rest))[1],
    )
    again = grape.precompute(graph, "social", tmp_path / "p")
    assert written == ["hop2-2-4"]
    assert_same(all_rows(again), whole)


def test_what_is_done_needs_no_room(graph: grape.Graph, tmp_path: Path) -> None:
    whole = grape.precompute(graph, "social", tmp_path / "p")
    assert_same(
        all_rows(grape.precompute(graph, "social", tmp_path / "p", memory="1KB")), all_rows(whole)
    )
    (tmp_path / "p" / "logs2.npy").unlink()
    with pytest.raises(BudgetExceededError, match="one column"):
        grape.precompute(graph, "social", tmp_path / "p", memory="1KB")


KILLED = """
import sys, numpy as np, grape_gnn as grape
rng = np.random.default_rng(0)
n = 3000
graph = grape.Graph.from_edges(
    rng.integers(0, n, 30_000), rng.integers(0, n, 30_000), n,
    x=rng.normal(size=(n, 40)).astype(np.float32),
)
grape.precompute(graph, "social", sys.argv[1], memory="1200KB")
"""


@pytest.mark.filterwarnings("ignore::grape_gnn.GrapeWarning")
def test_a_killed_precomputation_goes_on(tmp_path: Path) -> None:
    def started(folder: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-W", "ignore", "-c", KILLED, str(folder)]
        return subprocess.Popen(command)

    assert started(tmp_path / "whole").wait(timeout=300) == 0
    wanted = ProductFolder.open(tmp_path / "whole").products()

    killed = started(tmp_path / "killed")
    deadline = time.monotonic() + 300
    while len(list((tmp_path / "killed").glob("hop*.npy"))) < 5:
        assert time.monotonic() < deadline
        assert killed.poll() is None, "finished before it could be killed"
        time.sleep(0.005)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    left = ProductFolder.open(tmp_path / "killed")
    assert left.missing
    with pytest.raises(ProductsFileError, match=r"is incomplete, \d+ of its files are missing"):
        left.products()

    assert started(tmp_path / "killed").wait(timeout=300) == 0
    for one, other in zip(
        all_rows(ProductFolder.open(tmp_path / "killed").products()), all_rows(wanted), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_a_full_disk_is_one_line_and_loses_nothing(
    graph: grape.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = folder_module.GrowingArray.append
    calls = 0

    def full(self, block) -> None:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise OSError(28, "No space left on device")
        real(self, block)

    with monkeypatch.context() as patch:
        patch.setattr(folder_module.GrowingArray, "append", full)
        with pytest.raises(
            ProductsFileError, match=r"No space left on device; what is there is kept: make room"
        ):
            grape.precompute(graph, "social", tmp_path / "p", memory="25KB")
    assert len(ProductFolder.open(tmp_path / "p").missing) == 5
    assert not list((tmp_path / "p").glob(".*.npy"))
    found = grape.precompute(graph, "social", tmp_path / "p", memory="25KB")
    assert_same(all_rows(found), all_rows(grape.precompute(graph)))


# ------------------------------------------------------------------ what must be refused


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("edges", "the edges of the graph changed"),
        ("features", "the features changed"),
        ("templates", "the templates changed"),
        ("hops", "the number of hops changed"),
    ],
)
def test_stale_products_are_refused(
    graph: grape.Graph, tmp_path: Path, change: str, words: str
) -> None:
    grape.precompute(graph, "social", tmp_path / "p")
    options = {"templates": "social", "hops": 2}
    if change == "edges":
        src, dst = edges(60)
        graph = grape.Graph.from_edges(src[1:], dst[1:], 60, x=graph.x)
    elif change == "features":
        graph = grape.Graph.from_edges(*edges(60), 60, x=graph.x + 1)
    elif change == "templates":
        options["templates"] = "edge"
    else:
        options["hops"] = 1
    with pytest.raises(ProductsFileError, match=f"holds products of other data: {words}"):
        grape.precompute(graph, out=tmp_path / "p", **options)


def test_damage_is_named(graph: grape.Graph, tmp_path: Path) -> None:
    grape.precompute(graph, "edge", tmp_path / "p")
    file = tmp_path / "p" / "hop1-0-5.npy"
    file.write_bytes(file.read_bytes()[:-7])
    with pytest.raises(ProductsFileError, match=r"hop1-0-5.npy: is damaged, or was changed after"):
        ProductFolder.open(tmp_path / "p").products()
    shutil.copy(tmp_path / "p" / "logs1.npy", file)
    with pytest.raises(ProductsFileError, match=r"is damaged, or was changed after"):
        ProductFolder.open(tmp_path / "p").products()
    ProductFolder.open(tmp_path / "p").seal(file)
    with pytest.raises(ProductsFileError, match=r"is damaged \(has shape \(60, 1, 1\)"):
        ProductFolder.open(tmp_path / "p").products()
    (tmp_path / "p" / "config.json").write_text("{")
    with pytest.raises(ProductsFileError):
        ProductFolder.open(tmp_path / "p")


@pytest.mark.parametrize(
    ("key", "message"),
    [("hops", "hops"), ("columns", r"is incomplete, \d+ of its files are missing")],
)
def test_a_config_that_names_billions_of_files_is_refused_at_once(
    graph: grape.Graph, tmp_path: Path, key: str, message: str
) -> None:
    grape.precompute(graph, "edge", tmp_path / "p")
    file = tmp_path / "p" / "config.json"
    config = json.loads(file.read_text())
    file.write_text(json.dumps({**config, key: 300_000_000_000}))
    with pytest.raises(ProductsFileError, match=message):
        ProductFolder.open(tmp_path / "p").products()
    with pytest.raises(ProductsFileError, match=r"hops|the features changed"):
        grape.precompute(graph, "edge", tmp_path / "p")


def test_arguments(graph: grape.Graph, tmp_path: Path) -> None:
    with pytest.raises(MatchError, match="hops=3 must be at most 2"):
        grape.precompute(graph, hops=3)
    with pytest.raises(BudgetExceededError, match="one column of products of 7 roles"):
        grape.precompute(graph, memory="1KB")
    with pytest.raises(MatchError, match=r"x has shape \(3, 1\), and the graph has 60 nodes"):
        grape.precompute(graph, x=np.ones((3, 1)))
    (tmp_path / "other.txt").write_text("mine")
    with pytest.raises(GrapeError, match="already holds other files"):
        grape.precompute(graph, out=tmp_path)


# ------------------------------------------------------------------ labels


def test_no_node_sees_its_own_label() -> None:
    """Changing a node's label changes nothing that the node is given, for every node."""
    graph = random_graph(25)  # has 4-cliques, too
    means = RoleMeans(grape.match(graph, "social"))
    rng = np.random.default_rng(0)
    labels = np.eye(3, dtype=np.float32)[rng.integers(0, 3, 25)]
    before = label_products(means, labels)
    assert (before[1] != 0).any(axis=(0, 2)).tolist() == [True, True, False, *[True] * 4]
    for v in range(25):
        changed = labels.copy()
        changed[v] = np.roll(changed[v], 1)
        after = label_products(means, changed)
        for one, other in zip(before, after, strict=True):
            np.testing.assert_allclose(one[v], other[v], atol=1e-6)
            assert ((one[v] == 0) == (other[v] == 0)).all()
        assert not np.allclose(before[0], after[0], atol=1e-3)


def test_two_hop_labels_are_the_rest_of_the_product() -> None:
    graph = random_graph(25, columns=2)
    first, second = expected(graph)[1:]
    means = RoleMeans(grape.match(graph, "social"))
    found = label_products(means, graph.x)
    np.testing.assert_allclose(found[0], first, atol=2e-6)
    adjacency = grape.match(graph, "edge")[0][1].to_scipy().toarray()
    triangle = grape.match(graph, "triangle")[0][1].to_scipy().toarray()
    shares = [each / np.maximum(each.sum(1, keepdims=True), 1) for each in (adjacency, triangle)]
    both = shares[0] @ shares[1]
    wanted = second[:, 3] - np.diag(both)[:, None] * graph.x
    np.testing.assert_allclose(found[1][:, 3], wanted, atol=2e-6)
