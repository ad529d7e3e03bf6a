"""Iteration over the instances of a template, lazily and in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator

from grape_gnn import _native
from grape_gnn.arguments import flag
from grape_gnn.graph import Graph, GraphLike, as_graph
from grape_gnn.roles.native_call import compiled
from grape_gnn.template import Template
from grape_gnn.template.zoo import template as find_template

__all__ = ["instances"]

_BATCH_ROWS = 4096
# About 10 ms of fruitless search: after that long a Ctrl-C gets its turn.
_BATCH_STEPS = 1 << 20


def instances(
    graph: GraphLike,
    template: str | Template,
    node: str | int | None = None,
    induced: bool = False,
) -> Iterator[tuple[str | int, ...]]:
    """Yield every instance of a template once.

    An instance is a class of injective maps that keep every edge of the template: two maps with
    the same ego that differ by an automorphism of the template fixing the anchor are one
    instance, and one of them is yielded. Matching is non-induced unless `induced` is set:
    further edges of the graph between the matched nodes do not matter.

    Parameters
    ----------
    graph, template
        Where to look and what for: a template or its name.
    node
        Name of the ego: only instances with this node in the anchor's place. None: all egos.
    induced
        Whether pairs that are not edges of the template must not be edges of the graph.

    Yields
    ------
    tuple
        The names of the matched nodes in the order of the template's nodes, the ego first.
        Egos come in the order of the graph.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    >>> list(instances(g, Template("0-1 0-2 1-2"), "ann"))
    [('ann', 'bob', 'cat')]
    >>> sum(1 for _ in instances(g, Template("0-1 1-2")))
    10
    """
    graph = as_graph(graph)
    flag("induced", induced)
    egos = (0, graph.num_nodes)
    if node is not None:
        index = graph.index_of(node)
        egos = (index, index + 1)
    wanted = find_template(template)
    cursor = _native.InstanceCursor(graph.native, compiled(graph, wanted), induced, *egos)
    return _named(graph, cursor, wanted.num_nodes)


def _named(
    graph: Graph, cursor: _native.InstanceCursor, size: int
) -> Iterator[tuple[str | int, ...]]:
    more = True
    while more:
        batch, more = cursor.next_batch(_BATCH_ROWS, _BATCH_STEPS)
        for row in batch.reshape(-1, size).tolist():
            yield tuple(map(graph.name_of, row))
