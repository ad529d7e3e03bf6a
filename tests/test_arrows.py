"""Data flows one way: a folder of the package imports only from those above it, late or not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import grape_gnn

PACKAGE = Path(grape_gnn.__file__).parent
# From the ground up; the package's own `__init__`, "", is what users import.
ORDER = [
    "errors", "warn", "version", "progress", "extras", "arguments", "notebook", "parameters",
    "transformer", "_native", "files", "graph", "graphs", "features", "template", "roles",
    "drawing", "differ",
    "embedding", "workers", "products", "planning", "datasets", "nn", "training", "links",
    "estimator", "baselines", "runs", "cluster", "comparison", "charts", "significance", "search",
    "explain", "report", "pyg", "", "cli", "__main__", "testing",
]  # fmt: skip


def imported(text: str) -> Iterator[str]:
    """Yield the modules of the package that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                yield f"{node.module}.{alias.name}"


def folder(module: str) -> str:
    """Return the folder, or the single file, at the top of the package that a module is in."""
    name = module.split(".")[1]
    return name if name in ORDER else ""


def arrows(module: str, text: str) -> list[str]:
    """Return the imports of a module that go against the order."""
    mine = ORDER.index(folder(module))
    ours = (name for name in imported(text) if name.startswith("grape_gnn."))
    return [name for name in ours if ORDER.index(folder(name)) > mine]


def modules() -> dict[str, Path]:
    """Return the files of the package by the names of their modules."""
    files = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        files[".".join(("grape_gnn", *parts))] = file
    return files


@pytest.mark.parametrize("module", modules())
def test_no_arrow_backwards(module):
    assert arrows(module, modules()[module].read_text()) == []


def test_every_folder_has_its_place():
    found = {name.split(".")[1] for name in modules()} - {"__init__"}
    assert found | {"", "_native"} == set(ORDER)


def test_nobody_outside_the_roles_looks_into_the_algebra():
    users = {
        folder(module)
        for module, file in modules().items()
        if any(name.startswith("grape_gnn.roles.algebra.") for name in imported(file.read_text()))
    }
    assert users == {"roles"}


@pytest.mark.parametrize(
    ("text", "backwards"),
    [
        ("from grape_gnn.search import search", ["grape_gnn.search.search"]),
        ("def f():\n    import grape_gnn.cli.group", ["grape_gnn.cli.group"]),
        ("from grape_gnn import match", ["grape_gnn.match"]),
        ("from grape_gnn import roles, errors", []),
        ("import numpy\nfrom grape_gnn.nn.fused import fused_product", []),
    ],
)
def test_an_arrow_backwards_is_seen(text, backwards):
    assert arrows("grape_gnn.nn.model", text) == backwards
