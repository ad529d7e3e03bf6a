"""The peers' side of one benchmark row; run by `roles.py` in a process of its own.

No peer computes role matrices, so each is given the closest thing it has, and the row says
what that is: ``what`` is the words for it. A generator of matches is read until the time is
up; the share of all maps it got through then gives an honest estimate of the full time.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cell import cpu_seconds, limit_this_process, memory_in_use

Pairs = NDArray[np.int64]
Call = tuple[str, Callable[[], Any]]  # what is computed, and how


def igraph_special(edges: Pairs, num_nodes: int, pattern: Pairs) -> Call | None:
    """Use the call made for one motif: neighbour lists, triangles, cliques, motif censuses."""
    import igraph

    graph = igraph.Graph(n=num_nodes, edges=edges)
    size = int(pattern.max()) + 1
    if size == 2:
        return "neighbour lists", lambda: graph.neighborhood(order=1)
    if len(pattern) == size * (size - 1) // 2 == 3:
        return "list of triangles", graph.list_triangles
    if len(pattern) == size * (size - 1) // 2:
        return f"list of {size}-cliques", lambda: graph.cliques(min=size, max=size)
    return (
        f"one total per {size}-node motif (induced)",
        lambda: graph.motifs_randesu(size=size),
    )


def igraph_vf2(edges: Pairs, num_nodes: int, pattern: Pairs) -> Call:
    """One total: the number of maps."""
    import igraph

    graph, small = igraph.Graph(n=num_nodes, edges=edges), igraph.Graph(edges=pattern)
    return "one total (VF2)", lambda: graph.count_subisomorphisms_vf2(small)


def networkx_special(edges: Pairs, num_nodes: int, pattern: Pairs) -> Call:
    """Triangles per node, all cliques up to a size, or else VF2 one map at a time."""
    import networkx as nx

    graph, small = nx.Graph(edges.tolist()), nx.Graph(pattern.tolist())
    size = small.number_of_nodes()
    if size == 2:
        return "adjacency matrix", lambda: nx.to_scipy_sparse_array(graph)
    if small.number_of_edges() == 3 and size == 3:
        return "triangles per node", lambda: nx.triangles(graph)
    if small.number_of_edges() == size * (size - 1) // 2:
        return f"list of cliques up to {size} nodes", lambda: _cliques(graph, size)
    matcher = nx.algorithms.isomorphism.GraphMatcher(graph, small)
    return "list of maps (VF2)", lambda: matcher.subgraph_monomorphisms_iter()


def _cliques(graph: Any, size: int) -> None:
    import networkx as nx

    for clique in nx.enumerate_all_cliques(graph):
        if len(clique) > size:
            return


def rustworkx_vf2(edges: Pairs, num_nodes: int, pattern: Pairs) -> Call:
    """Every map, one at a time."""
    import rustworkx as rx

    graph, small = rx.PyGraph(), rx.PyGraph()
    graph.add_nodes_from(range(num_nodes))
    graph.add_edges_from_no_data([tuple(edge) for edge in edges.tolist()])
    small.add_nodes_from(range(int(pattern.max()) + 1))
    small.add_edges_from_no_data([tuple(edge) for edge in pattern.tolist()])
    return (
        "list of maps (VF2)",
        lambda: rx.vf2_mapping(graph, small, subgraph=True, induced=False),
    )


def graph_tool_vf2(edges: Pairs, num_nodes: int, pattern: Pairs) -> Call:
    """Every map, one at a time."""
    import graph_tool
    import graph_tool.topology

    graph, small = graph_tool.Graph(directed=False), graph_tool.Graph(directed=False)
    graph.add_vertex(num_nodes)
    graph.add_edge_list(edges)
    small.add_edge_list(pattern)
    return (
        "list of maps (VF2)",
        lambda: graph_tool.topology.subgraph_isomorphism(
            small, graph, induced=False, generator=True
        ),
    )


PEERS: dict[str, Callable[[Pairs, int, Pairs], Call | None]] = {
    "igraph": igraph_special,
    "igraph VF2": igraph_vf2,
    "networkx": networkx_special,
    "rustworkx": rustworkx_vf2,
    "graph-tool": graph_tool_vf2,
}


def read_until(deadline: float, maps: Iterable[Any]) -> tuple[int, bool]:
    """Count the maps; stop at the CPU-time deadline. Says whether all were read."""
    count = 0
    for count, _ in enumerate(maps, start=1):
        if count % 16 == 0 and cpu_seconds() > deadline:
            return count, False
    return count, True


def main(job: dict[str, Any]) -> dict[str, Any]:
    edges, pattern = np.load(job["edges"]), np.array(job["pattern"])
    try:
        call = PEERS[job["peer"]](edges, job["num_nodes"], pattern)
    except ModuleNotFoundError:
        return {"absent": True}
    if call is None:
        return {"absent": True}
    what, work = call
    print(json.dumps({"what": what}), flush=True)
    limit_this_process(job["seconds"] + 1)
    memory, before = memory_in_use(), cpu_seconds()
    result = work()
    answer: dict[str, Any] = {}
    if what.startswith("list of maps"):
        count, complete = read_until(before + job["seconds"], result)
        answer["maps"] = count
        answer["unfinished"] = not complete
    answer["seconds"] = cpu_seconds() - before
    answer["memory"] = memory_in_use(peak=True) - memory
    return answer


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
