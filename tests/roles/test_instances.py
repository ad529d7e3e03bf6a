"""Iteration over instances: each once, by name, lazily, and open to Ctrl-C."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from grape_gnn.errors import DirectionMismatchError, UnknownNodeError
from grape_gnn.graph import Graph
from grape_gnn.roles.instances import instances
from grape_gnn.template import Template
from grape_gnn.template.family import all_templates
from grape_gnn.testing import FAMILIES, brute_force_instances, complete, gnp, random_graph, star


def representative(template: Template, instance: tuple[int, ...]) -> tuple[int, ...]:
    """Return the smallest of the maps that describe the same instance."""
    return min(tuple(instance[a] for a in g) for g in template.automorphisms)


def found(graph: Graph, template: Template, induced: bool = False) -> list[tuple[int, ...]]:
    return sorted(representative(template, i) for i in instances(graph, template, induced=induced))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("directed", [False, True])
def test_every_instance_once(family, directed):
    graph = random_graph(family, 6 if directed else 7, seed=11, directed=directed)
    sizes = (2, 3) if directed else (2, 3, 4, 5)
    for template in itertools.chain.from_iterable(all_templates(s, directed) for s in sizes):
        for induced in (False, True):
            expected = brute_force_instances(graph, template, induced)
            assert found(graph, template, induced) == expected, (template, induced)


def test_directed_templates_of_four_nodes():
    graph = gnp(6, 0.4, seed=2, directed=True)
    for template in all_templates(4, directed=True)[::9]:
        assert found(graph, template) == brute_force_instances(graph, template), template


def test_labels_constrain_their_nodes():
    graph = gnp(8, 0.6, seed=4, labels=2)
    template = Template("0-1 1-2 0-2 1:0 2:1")
    assert found(graph, template) == brute_force_instances(graph, template)
    assert len(found(graph, template)) > 0


def test_names_in_the_order_of_the_template():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], names=["ann", "bob", "cat", "dan"])
    assert list(instances(graph, Template("0-2 2-1"), "ann")) == [("ann", "cat", "bob")]
    assert list(instances(graph, Template("0-1 0-2"), "bob")) in (
        [("bob", "ann", "cat")],
        [("bob", "cat", "ann")],
    )
    assert list(instances(graph, Template("0-1 0-2"), "ann")) == []


def test_more_instances_than_a_batch():
    graph = star(200)
    assert sum(1 for _ in instances(graph, Template("0-1 0-2"), 0)) == 200 * 199 // 2
    assert sum(1 for _ in instances(graph, Template("0-1 1-2"))) == 200 * 199


def test_lazy_on_billions_of_instances():
    graph = complete(200)  # 200 * 199 * ... * 194 instances of the 7-path
    path = Template("0-1 1-2 2-3 3-4 4-5 5-6")
    first = list(itertools.islice(instances(graph, path), 10_000))
    assert len({*first}) == 10_000


def test_unknown_node_and_wrong_direction_are_told_at_once():
    graph = star(3)
    with pytest.raises(UnknownNodeError, match="no node is called 'zoe'"):
        instances(graph, Template("0-1"), "zoe")
    with pytest.raises(DirectionMismatchError, match="'0>1' is directed but the graph is undirec"):
        instances(graph, Template("0>1"))


def test_interrupt_in_a_fruitless_search():
    # A bipartite graph has no odd cycle: nothing is ever yielded.
    code = """
        import numpy as np
        from grape_gnn.graph import Graph
        from grape_gnn.roles.instances import instances
        from grape_gnn.template import Template
        left, right = np.nonzero(np.ones((300, 300)))
        graph = Graph.from_edges(left, 300 + right)
        print("searching", flush=True)
        next(instances(graph, Template("0-1 1-2 2-3 3-4 4-5 5-6 6-0")), None)
    """
    run = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert run.stdout is not None
        assert run.stdout.readline() == "searching\n"
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        _, problem = run.communicate(timeout=20)
    finally:
        run.kill()
    assert "KeyboardInterrupt" in problem
