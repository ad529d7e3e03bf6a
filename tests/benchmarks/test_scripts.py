"""The benchmarks are scripts that no other test starts: what they import has to exist."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest

SCRIPTS = sorted((Path(__file__).resolve().parents[2] / "benchmarks").glob("*.py"))


def imported_modules(script: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return found


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_what_a_benchmark_imports_of_ours_exists(script: Path) -> None:
    neighbours = {other.stem for other in SCRIPTS}
    ours = {name for name in imported_modules(script) if name.startswith("grape_gnn")}
    assert all(importlib.util.find_spec(name) is not None for name in sorted(ours))
    others = {name.partition(".")[0] for name in imported_modules(script)} - neighbours
    optional = {"graph_tool"}  # a peer that no package index has
    assert all(importlib.util.find_spec(name) is not None for name in sorted(others - optional))
