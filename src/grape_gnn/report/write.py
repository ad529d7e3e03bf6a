"""`write_report`: one self-contained HTML file about a folder."""

from __future__ import annotations

import os
from pathlib import Path

from grape_gnn.errors import ModelFileError
from grape_gnn.files import atomic_write, parse_json, read_text
from grape_gnn.report.graph_report import graph_report
from grape_gnn.report.run_report import run_report
from grape_gnn.report.search_report import search_report

__all__ = ["write_report"]


def write_report(
    folder: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    node: str | int | None = None,
) -> Path:
    """Write the report of a run, on nodes or on many graphs, or of a search.

    Parameters
    ----------
    folder
        What ``grape train`` or ``grape search`` wrote.
    out
        The file; None: ``report.html`` in the folder.
    node
        For runs: the node that the explorer shows first.

    Returns
    -------
    Path
        The file.

    Examples
    --------
    >>> from grape_gnn.report import write_report
    >>> write_report("runs/amherst")  # doctest: +SKIP
    PosixPath('runs/amherst/report.html')
    """
    target = Path(folder, "report.html") if out is None else Path(out)
    kind = _kind(Path(folder))
    if kind == "search":
        from grape_gnn.search import SearchFolder

        page = search_report(SearchFolder.open(folder))
    elif kind == "train-graphs":
        from grape_gnn.runs.graph_run import GraphRun

        if node is not None:
            raise ModelFileError(Path(folder), "is about whole graphs: leave out the node")
        page = graph_report(GraphRun.open(folder))
    else:
        from grape_gnn.runs import RunFolder

        page = run_report(RunFolder.open(folder), node=node)
    with atomic_write(target) as temporary:
        temporary.write_text(page, encoding="utf-8")
    return target


def _kind(folder: Path) -> str:
    """Tell what kind of folder it is; damaged ones are left to whoever opens them."""
    if not folder.is_dir():
        raise ModelFileError(
            folder, "there is no such folder; `grape train` and `grape search` make folders"
        )
    try:
        config = parse_json(read_text(folder / "config.json"))
    except (OSError, ValueError):
        return "train"
    return str(config.get("kind")) if isinstance(config, dict) else "train"
