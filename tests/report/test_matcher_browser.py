"""The page's own matcher agrees with the library to the last count."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.report.graph_data import pack_edges
from grape_gnn.report.match_plan import match_plan
from grape_gnn.template.family import all_templates

COUNT = """([edges, size, directed, labels, plan, roles, egos, limit]) => {
    const graph = unpackGraph(edges, size, directed);
    return egos.map((ego) => {
        const found = countRoles(graph, labels, plan, roles, ego, limit);
        return [found.instances, found.complete, found.counts.map((counts) => {
            const members = {};
            counts.forEach((count, node) => { if (count > 0) members[node] = count; });
            return members;
        })];
    });
}"""
INSTANCES = """([edges, size, directed, plan, ego, role, member]) => instancesWith(
    unpackGraph(edges, size, directed), [], plan, ego, role, member, 1e6, 1e9)"""


@pytest.fixture
def matcher(window):
    """Give a page with the matcher alone."""
    script = (files("grape_gnn.report") / "templates" / "matcher.js").read_text(encoding="utf-8")
    window.page.set_content("<p>matcher</p>")
    window.page.add_script_tag(content=script)
    return window.page


def random_graph(seed, directed, nodes=14, share=0.3, labels=0):
    rng = np.random.default_rng(seed)
    pairs = np.argwhere(rng.random((nodes, nodes)) < share)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]] if directed else pairs[pairs[:, 0] < pairs[:, 1]]
    y = rng.integers(0, labels, nodes) if labels else None
    return grape.Graph.from_edges(*pairs.T, nodes, directed=directed, y=y)


def check(page, graph, template):
    labels = [] if graph.y is None else graph.y.tolist()
    plan = match_plan(template, graph.label_names or ())
    egos = list(range(graph.num_nodes))
    given = [pack_edges(graph), graph.num_nodes, graph.directed, labels, plan]
    found = page.evaluate(COUNT, [*given, template.num_roles, egos, 1e9])
    for ego, (instances, complete, counts) in zip(egos, found, strict=True):
        wanted = grape.ego_role_counts(graph, template, ego)
        assert complete
        assert [{int(node): n for node, n in c.items()} for c in counts] == wanted, template
        assert instances == sum(wanted[1].values()) // len(template.roles[1])


def test_every_undirected_template_of_up_to_four_nodes(matcher):
    for seed, size in enumerate((2, 3, 4)):
        for template in all_templates(size):
            check(matcher, random_graph(seed, directed=False), template)


def test_every_directed_template_of_up_to_three_nodes(matcher):
    for size in (2, 3):
        for template in all_templates(size, directed=True):
            check(matcher, random_graph(size, directed=True, nodes=9), template)


@pytest.mark.parametrize("name", ["house", "5-clique", "5-star", "bull", "6-cycle"])
def test_larger_templates(matcher, name):
    check(matcher, random_graph(5, directed=False, nodes=11, share=0.45), grape.template(name))


def test_labelled_templates(matcher):
    graph = random_graph(7, directed=False, labels=3)
    for text in ("0-1 1-2 1:0", "0-1 0-2 1-2 0:1 2:2"):
        check(matcher, graph, grape.Template(text))


def test_numbers_of_several_bytes_survive(matcher):
    rng = np.random.default_rng(3)
    src, dst = rng.integers(0, 40_000, size=(2, 300))
    keep = src != dst
    graph = grape.Graph.from_edges(src[keep], dst[keep], 40_000)
    unpacked = matcher.evaluate(
        "([t, n]) => { const g = unpackGraph(t, n, false);"
        "return [Array.from(g.out.start), Array.from(g.out.list)]; }",
        [pack_edges(graph), graph.num_nodes],
    )
    assert unpacked == [graph.indptr.tolist(), graph.indices.tolist()]


def test_a_limit_is_told(matcher):
    graph = random_graph(1, directed=False, share=0.6)
    template = grape.template("4-path")
    given = [pack_edges(graph), graph.num_nodes, False, [], match_plan(template)]
    ((instances, complete, _),) = matcher.evaluate(COUNT, [*given, template.num_roles, [0], 50])
    assert not complete
    assert instances < grape.count_instances(graph, "4-path")[0, 0]


def test_instances_with_a_member_are_those_of_the_library(matcher):
    graph = random_graph(2, directed=False)
    for name in ("triangle", "tailed-triangle", "4-cycle"):
        template = grape.template(name)
        given = [pack_edges(graph), graph.num_nodes, False, match_plan(template), 0]
        counts = grape.ego_role_counts(graph, template, 0)
        for role in range(1, template.num_roles):
            for member, count in counts[role].items():
                found = matcher.evaluate(INSTANCES, [*given, role, member])
                assert len(found) == count
                for nodes in found:
                    assert nodes[0] == 0
                    assert member in [nodes[k] for k in template.roles[role]]
                    for a, b in template.edges:
                        assert nodes[b] in graph.neighbours(nodes[a])
