"""The graph that ``predict`` and ``evaluate`` work on: that of the run, or another one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from grape_gnn.errors import GraphFileError, ModelError
from grape_gnn.graph.node_table import column_names
from grape_gnn.graph.read import format_of

if TYPE_CHECKING:
    from grape_gnn.cli.options import ReadGraph
    from grape_gnn.datasets.source import GraphSource
    from grape_gnn.graph import Graph
    from grape_gnn.runs import RunFolder

__all__ = ["graph_for"]

# The rest is about one file.
_KEPT = ("directed", "label", "features", "categorical")


def graph_for(run: RunFolder, read: ReadGraph | None, labels: bool) -> Graph:
    """Load the graph.

    Another graph is read as that of the training was, unless options say otherwise: the same
    direction, columns and kind of features.

    Parameters
    ----------
    run
        The run.
    read
        The other graph; None: that of the run.
    labels
        Whether labels are needed. If not, the column of the labels may be missing.
    """
    if read is None:
        return run.graph()
    trained, source = run.source, read.source
    kind = source.features or trained.features
    # A graph without features was trained with constant ones; original ones are taken as they come.
    source = replace(source, features=None if kind == "original" else kind)
    if source.is_dataset or trained.is_dataset:
        return source.load()
    if run.encoder is not None and "nodes" not in source.options and _lacks_columns(source):
        raise ModelError(
            f"the model was trained with columns of a node table: name the table of {source.name} "
            f"by --nodes"
        )
    kept = {name: trained.options[name] for name in _KEPT if name in trained.options}
    full = replace(source, options={**kept, **source.options})
    if labels or "label" in source.options:
        return full.load()
    # Nodes to be predicted need no label.
    options = {name: value for name, value in full.options.items() if name != "label"}
    bare = replace(full, options=options)
    table = Path(options["nodes"]) if "nodes" in options else None
    if table is not None and table.exists():
        return (full if full.options.get("label") in column_names(table) else bare).load()
    try:
        return full.load()
    except GraphFileError:
        return bare.load()


def _lacks_columns(source: GraphSource) -> bool:
    """Whether a file is a bare list of edges."""
    kind = source.options.get("format") or format_of(Path(source.name))
    return kind in ("edge_list", "arrow")
