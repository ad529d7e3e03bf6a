"""GraphML files, read through networkx."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grape_gnn.errors import GraphFileError
from grape_gnn.extras import named_extra
from grape_gnn.graph.attributes import spells_integer
from grape_gnn.graph.convert_networkx import from_networkx
from grape_gnn.graph.graph import Graph

__all__ = ["read_graphml"]


def read_graphml(
    path: Path,
    *,
    directed: bool | None = None,
    label: str | None = None,
    features: str | Sequence[str] | None = None,
    strict: bool = False,
) -> Graph:
    """Read a GraphML file.

    Parameters
    ----------
    path
        The file, plain or gzipped.
    directed
        None: as the file says (``edgedefault``).
    label
        Node attribute with the labels.
    features
        Node attributes, all numbers, that make up the features.
    strict
        Refuse self-loops and repeated edges.
    """
    with named_extra():
        import networkx as nx

    try:
        source = nx.read_graphml(path)
    except Exception as error:  # the readers of XML and of gzip fail in many ways
        raise GraphFileError(path, f"is not a readable GraphML file: {error}") from error
    if directed is not None and directed != source.is_directed():
        source = source.to_directed() if directed else source.to_undirected()
    # GraphML has only texts as ids; ids that spell integers were integers before.
    if all(spells_integer(name) for name in source):
        source = nx.relabel_nodes(source, {name: int(name) for name in source})
    return from_networkx(source, label, features, strict)
