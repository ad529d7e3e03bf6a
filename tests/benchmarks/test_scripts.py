"""The benchmarks are scripts that no other test starts: what they import has to exist."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import operator
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import grape_gnn

SCRIPTS = sorted((Path(__file__).resolve().parents[2] / "benchmarks").glob("*.py"))
NEIGHBOURS = {script.stem: script for script in SCRIPTS}
OPTIONAL = {"graph_tool"}  # a peer that no package index has


def imports(script: Path) -> Iterator[tuple[str, str | None]]:
    """Yield modules that a script imports, and the names that it takes from them."""
    for node in ast.walk(parsed(script)):
        if isinstance(node, ast.Import):
            yield from ((name.name, None) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((node.module, name.name) for name in node.names)


def parsed(script: Path) -> ast.Module:
    return ast.parse(script.read_text(encoding="utf-8"))


def defined_names(script: Path) -> set[str]:
    found: set[str] = set()
    for node in parsed(script).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found.update(each.id for each in targets if isinstance(each, ast.Name))
    return found


def exists(module: str, name: str | None) -> bool:
    if module in NEIGHBOURS:
        return name is None or name in defined_names(NEIGHBOURS[module])
    top = module.partition(".")[0]
    if top != "grape_gnn":
        return top in OPTIONAL or importlib.util.find_spec(top) is not None
    known = name is None or hasattr(importlib.import_module(module), name)
    return known or importlib.util.find_spec(f"{module}.{name}") is not None


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_what_a_benchmark_imports_exists(script: Path) -> None:
    missing = [wanted for wanted in imports(script) if not exists(*wanted)]
    assert missing == []


def attributes(script: Path) -> Iterator[str]:
    """Yield what a script takes from the package by its dotted name, such as ``grape.zoo.ZOO``."""
    for node in ast.walk(parsed(script)):
        if isinstance(node, ast.Attribute):
            dotted = ast.unparse(node)
            if re.fullmatch(r"grape(\.\w+)+", dotted):
                yield dotted


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_what_a_benchmark_takes_from_the_package_exists(script: Path) -> None:
    if any(node == ("grape_gnn", None) for node in imports(script)):
        for dotted in attributes(script):
            operator.attrgetter(dotted.partition(".")[2])(grape_gnn)


@pytest.mark.parametrize("script", ["algebra", "auto", "epoch", "induced", "search"])
def test_without_data_a_benchmark_says_so_in_one_line(script: str, tmp_path: Path) -> None:
    nowhere = {"XDG_CACHE_HOME": str(tmp_path), "GRAPE_DATA_URL": tmp_path.as_uri()}
    environment = {name: value for name, value in os.environ.items() if name != "GRAPE_DATA"}
    ended = subprocess.run(
        [sys.executable, str(NEIGHBOURS[script])],
        env={**environment, **nowhere},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    assert ended.stderr.startswith(f"{script}.py: ")
    assert "GRAPE_DATA" in ended.stderr


def test_edges_in_blocks_are_as_many_as_asked_for_and_no_loops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = importlib.util.spec_from_file_location("generated", NEIGHBOURS["generated"])
    assert spec is not None
    assert spec.loader is not None
    generated = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generated)
    monkeypatch.setattr(generated, "BLOCK", 700)
    blocks = list(generated.social_blocks(1000, 5000, grouped=0.9))
    assert len(blocks) >= 5000 // 700
    pairs = np.concatenate(blocks)
    assert pairs.shape == (5000, 2)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert pairs.max() < 1000
