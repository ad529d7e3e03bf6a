"""What works with NumPy, SciPy and the command line alone, and what a missing extra says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXTRAS = (
    "torch", "safetensors", "jinja2", "markupsafe", "networkx", "igraph", "torch_geometric",
    "joblib", "optuna", "distributed", "dask", "sklearn",
)  # fmt: skip


@pytest.fixture
def run(tmp_path: Path):
    """Run Python without the given packages: they cannot be found, nor what is made of them."""

    def start(code: str, *without: str) -> subprocess.CompletedProcess[str]:
        block = f"""
import sys

class Nowhere:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {without!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Nowhere())
"""
        return subprocess.run(
            [sys.executable, "-c", block + code],
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "300", "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=120,
        )

    (tmp_path / "friends.csv").write_text("ann,bob\nbob,cat\nann,cat\ncat,dan\n")
    (tmp_path / "people.csv").write_text("name,team\nann,a\nbob,a\ncat,b\ndan,b\n")
    return start


def command(*words: str) -> str:
    return f"sys.argv = ['grape', *{words!r}]\nfrom grape_gnn.cli import main\nmain()"


def test_matching_needs_no_extra(run) -> None:
    found = run(
        "import grape_gnn as grape\nimport numpy as np\n"
        "g = grape.Graph.from_edges([0, 0, 1], [1, 2, 2])\n"
        "print([int(r.totals.sum()) for r in grape.match(g, 'edge,triangle')])\n"
        "print((grape.match(g, 'triangle')[0] @ np.ones((3, 1)))[1].tolist())",
        *EXTRAS,
    )
    assert found.stdout.splitlines() == ["[6, 3]", "[[2.0], [2.0], [2.0]]"], found.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["train", "--help"],
        ["info", "friends.csv"],
        ["templates"],
        ["match", "friends.csv", "--templates", "social", "--out", "roles.npz"],
        ["roles", "friends.csv", "--template", "triangle", "--node", "ann"],
        ["plan", "friends.csv", "--templates", "social"],
    ],
    ids=lambda words: words[0],
)
def test_commands_that_need_no_extra(run, words: list[str]) -> None:
    found = run(command(*words), *EXTRAS)
    assert found.returncode == 0, found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize(
    ("without", "extra", "code"),
    [
        ("torch", "torch", "import grape_gnn; grape_gnn.GrapeClassifier()"),
        (
            "torch",
            "torch",
            "import grape_gnn as g; g.search(g.datasets.load('planted-roles', num_shapes=9))",
        ),
        ("torch", "torch", "import grape_gnn.nn"),
        ("torch", "torch", "import grape_gnn.training"),
        ("torch", "torch", "import grape_gnn.baselines"),
        ("torch", "torch", "import grape_gnn.comparison"),
        ("torch", "torch", "import grape_gnn.explain"),
        ("torch", "torch", "import grape_gnn.pyg"),
        ("safetensors", "torch", "import grape_gnn; grape_gnn.GrapeClassifier()"),
        ("torch_geometric", "pyg", "import grape_gnn.pyg"),
        (
            "networkx",
            "networkx",
            "import grape_gnn; grape_gnn.Graph.from_edges([0], [1]).to_networkx()",
        ),
        ("networkx", "networkx", "import grape_gnn; grape_gnn.template('edge').to_networkx()"),
    ],
)
def test_a_missing_extra_is_named_by_the_library(run, without: str, extra: str, code: str) -> None:
    found = run(code, without)
    last = found.stderr.splitlines()[-1]
    assert last.startswith("grape_gnn.errors.MissingExtraError: this feature needs the package")
    assert last.endswith(f"pip install 'grape-gnn[{extra}]'")


@pytest.mark.parametrize(
    ("without", "extra", "words"),
    [
        ("torch", "torch", ["train", "friends.csv", "--nodes", "people.csv", "--label", "team"]),
        ("torch", "torch", ["search", "friends.csv", "--nodes", "people.csv", "--label", "team"]),
        ("torch", "torch", ["compare", "friends.csv", "--nodes", "people.csv", "--label", "team"]),
        ("torch", "torch", ["demo"]),
        ("networkx", "networkx", ["demo"]),
        ("jinja2", "report", ["demo"]),
        ("igraph", "igraph", ["orbits", "friends.csv"]),
        ("jinja2", "report", ["report", "."]),
        ("networkx", "networkx", ["info", "graph.graphml"]),
    ],
)
def test_a_missing_extra_is_one_line_of_the_command(
    run, tmp_path: Path, without: str, extra: str, words: list[str]
) -> None:
    (tmp_path / "graph.graphml").write_text("<graphml/>")
    found = run(command(*words), without)
    assert found.returncode == 2, found.stderr
    (line,) = [line for line in found.stderr.splitlines() if line.startswith("error: ")]
    assert line.endswith(f"pip install 'grape-gnn[{extra}]'")
    assert "Traceback" not in found.stderr


def test_the_estimators_do_without_scikit_learn(run) -> None:
    found = run(
        "sys.modules['sklearn'] = None\n"  # torch looks for it too, and must not be stopped
        "import grape_gnn as grape\n"
        "g = grape.datasets.load('planted-roles', num_shapes=9)\n"
        "clf = grape.GrapeClassifier('edge', epochs=2)\n"
        "print(hasattr(clf, 'classes_'))\n"
        "print(clf.fit(g).predict(g).shape, 0 <= clf.score(g) <= 1)",
    )
    assert found.stdout.splitlines() == ["False", "(72,) True"], found.stderr


def test_importing_the_library_imports_no_scikit_learn(run) -> None:
    found = run("import grape_gnn\nprint('sklearn' in sys.modules)")
    assert found.stdout.strip() == "False", found.stderr
