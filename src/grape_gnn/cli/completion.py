"""What the shell offers when TAB is pressed: datasets, graph files and templates."""

from __future__ import annotations

from pathlib import Path

__all__ = ["complete_graph", "complete_templates"]


def complete_graph(incomplete: str) -> list[str]:
    """Return datasets, folders and files of known formats that begin so.

    Examples
    --------
    >>> complete_graph("amh")
    ['amherst']
    """
    from grape_gnn.datasets import available

    datasets = [name for name in available() if name.startswith(incomplete.lower())]
    return datasets + _files(incomplete)


def complete_templates(incomplete: str) -> list[str]:
    """Return sets and names of templates; after a comma, for the last name.

    Examples
    --------
    >>> complete_templates("edge,tri")
    ['edge,triangle']
    """
    from grape_gnn.template.sets import REASONS
    from grape_gnn.template.zoo import ZOO

    before, comma, last = incomplete.rpartition(",")
    names = [*REASONS, *(entry.name for entry in ZOO)]
    return [f"{before}{comma}{name}" for name in names if name.startswith(last.lower())]


def _files(incomplete: str) -> list[str]:
    from grape_gnn.graph.read import FORMAT_OF_SUFFIX

    path = Path(incomplete)
    folder = path if incomplete.endswith("/") else path.parent
    start = "" if incomplete.endswith("/") else path.name
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    found = []
    for entry in entries:
        suffix = Path(entry.stem).suffix if entry.suffix == ".gz" else entry.suffix
        if not entry.name.startswith(start) or (entry.name.startswith(".") and not start):
            continue
        if entry.is_dir():
            found.append(f"{entry}/")
        elif suffix.lower() in FORMAT_OF_SUFFIX:
            found.append(str(entry))
    return found
