"""GraphML files, read through networkx.

networkx takes an edge end that no node declares, or that is missing, for a further node, and two
nodes of one id for one. So the elements are looked at first.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO
from xml.etree import ElementTree

from grape_gnn.errors import GraphFileError
from grape_gnn.extras import named_extra
from grape_gnn.graph.attributes import spells_integer
from grape_gnn.graph.convert_networkx import from_networkx
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.node_attributes import TYPE
from grape_gnn.graph.unpack import open_unpacked

__all__ = ["read_graphml"]


def read_graphml(
    path: Path,
    *,
    directed: bool | None = None,
    label: str | None = None,
    features: str | Sequence[str] | None = None,
    strict: bool = False,
    task: str | None = None,
    types: str | None = None,
    edge_types: str | None = None,
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
        Node attributes that make up the features.
    strict
        Refuse self-loops and repeated edges.
    task
        What the labels are; None: as they look.
    types, edge_types
        Node attribute and edge attribute with the types that templates can ask for; None:
        ``type`` if there is one.
    """
    with named_extra():
        import networkx as nx

    try:
        with open_unpacked(path) as file:
            _check(file)
            file.seek(0)
            source = nx.read_graphml(file)
    except Exception as error:  # the readers of XML and of gzip fail in many ways
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"is not a readable GraphML file: {reason}") from error
    if directed is not None and directed != source.is_directed():
        source = source.to_directed() if directed else source.to_undirected()
    # GraphML has only texts as ids; ids that spell integers were integers before.
    if all(spells_integer(name) for name in source):
        source = nx.relabel_nodes(source, {name: int(name) for name in source})
    kinds = (types or TYPE, edge_types or TYPE)
    return from_networkx(source, label, features, strict, task, *kinds)


def _check(file: BinaryIO) -> None:
    """Refuse nodes without an id or with that of another, and edges between other than nodes."""
    nodes: set[str] = set()
    ends: dict[str, int] = {}
    count = {"node": 0, "edge": 0}
    for _, element in ElementTree.iterparse(file):
        kind = element.tag.rpartition("}")[2]
        if kind not in count:
            continue
        count[kind] += 1
        for key in ("id",) if kind == "node" else ("source", "target"):
            name = element.get(key)
            if name is None:
                raise ValueError(f"{kind} {count[kind]} has no {key}")
            if kind == "edge":
                ends.setdefault(name, count[kind])
            elif name in nodes:
                raise ValueError(f"the id {name!r} stands at two nodes")
            else:
                nodes.add(name)
        element.clear()
    for name in ends.keys() - nodes:
        raise ValueError(f"edge {ends[name]} ends at {name!r}, which is no node of the file")
