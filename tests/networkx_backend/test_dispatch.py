"""How networkx chooses the back end, what is left to networkx, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

nx = pytest.importorskip("networkx", minversion="3.4")

from grape_networkx.backend import can_run, convert_from_nx, should_run  # noqa: E402

WEIGHTED = nx.Graph([(0, 1, {"weight": 2}), (1, 2, {"weight": 3}), (0, 2, {"weight": 1})])


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "reason"),
    [
        ("clustering", (WEIGHTED, None, "weight"), {}, "weights of edges are not supported"),
        ("clustering", (), {"G": WEIGHTED, "weight": "weight"}, "weights of edges"),
        ("average_clustering", (WEIGHTED,), {"weight": "w"}, "weights of edges"),
        ("clustering", (nx.DiGraph([(0, 1)]),), {}, "directed graphs are not supported"),
        ("triangles", (nx.MultiGraph([(0, 1)]),), {}, "multigraphs are not supported"),
        ("jaccard_coefficient", (nx.Graph([(0, 0)]),), {}, "self-loop"),
        ("transitivity", (WEIGHTED, 3), {}, "too many positional arguments"),
    ],
)
def test_what_cannot_be_run_is_told_with_the_reason(name, args, kwargs, reason) -> None:
    assert reason in can_run(name, args, kwargs)


def test_what_cannot_be_run_is_left_to_networkx() -> None:
    with nx.config(backend_priority=["grape"]):
        assert nx.clustering(nx.DiGraph([(0, 1), (1, 2), (2, 0)])) == {0: 0.5, 1: 0.5, 2: 0.5}
        assert nx.clustering(WEIGHTED, 0, weight="weight") == pytest.approx(0.6057, abs=1e-4)
    with pytest.raises(NotImplementedError, match="'clustering' is not implemented by 'grape'"):
        nx.clustering(WEIGHTED, weight="weight", backend="grape")


def test_priority_dispatches_large_graphs_only(caplog) -> None:
    small, large = nx.complete_graph(5), nx.complete_graph(40)
    assert should_run("triangles", (small,), {}) == "the graph has fewer than 500 edges"
    assert "single node" in should_run("triangles", (large, 3), {})
    assert should_run("triangles", (large,), {"nodes": [1, 2]}) is True
    with nx.config(backend_priority=["grape"]), caplog.at_level("DEBUG", "networkx"):
        assert nx.triangles(large)[0] == 39 * 38 / 2
    assert "Using backend 'grape' for call to 'triangles'" in caplog.text


def test_attributes_that_would_be_lost_are_refused() -> None:
    with pytest.raises(NotImplementedError, match="no attributes"):
        convert_from_nx(WEIGHTED, edge_attrs={"weight": 1})


def test_a_converted_graph_falls_back_if_networkx_may() -> None:
    converted = convert_from_nx(nx.path_graph(4))
    with pytest.raises(NotImplementedError):
        nx.core_number(converted)
    with nx.config(fallback_to_nx=True):
        assert nx.core_number(converted) == {0: 1, 1: 1, 2: 1, 3: 1}


def test_importing_networkx_imports_neither_the_library_nor_torch() -> None:
    code = (
        "import networkx, sys; "
        "print(sorted(m for m in sys.modules if m.startswith('grape_gnn.') "
        "or m in ('grape_gnn', 'torch', 'numpy', 'grape_networkx.backend')))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (found.stdout.strip(), found.stderr) == ("[]", "")


def test_using_the_back_end_imports_no_torch() -> None:
    code = (
        "import networkx as nx, sys; nx.triangles(nx.complete_graph(4), backend='grape'); "
        "print('torch' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.stdout.strip() == "False", found.stderr


@pytest.mark.parametrize("file", ["test_cluster.py", "test_link_prediction.py"])
def test_the_tests_of_networkx_pass(file: str, tmp_path: Path) -> None:
    tests = Path(nx.__file__).parent / "algorithms" / "tests" / file
    if not tests.exists():
        pytest.skip("this networkx was installed without its tests")
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null",
         "--import-mode=importlib", "--backend", "grape", "--fallback-to-nx", "-W", "ignore",
         "--log-cli-level", "DEBUG", str(tests)],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout + found.stderr
    assert "Using backend 'grape' for call" in found.stdout
