"""Any template as the answers to a list of questions, for searches that do not mutate.

How many nodes? To which earlier node is each one attached? Which other pairs are joined? Every
connected template has at least one list of answers, and every list of answers is a connected
template, so no draw is wasted. Later questions depend on earlier answers (a template of three
nodes is not asked about a fourth), which suits tree-structured estimators.

Random search answers at random and Bayesian optimisation by what it has learnt: both see the same
space. The encoding knows nothing about symmetry, so several lists of answers mean one template;
caches by canonical form make sure that it is evaluated once.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from grape_gnn.search.gene import Gene
from grape_gnn.template import Template

__all__ = ["Choose", "choose_gene", "choose_template"]

Choose = Callable[[str, int], int]
"""From the name of a question and the number of its answers to an answer, counted from 0."""

_OUT, _IN = 1, 2


def choose_template(choose: Choose, max_nodes: int, directed: bool, name: str = "") -> Template:
    """Ask for one template.

    Parameters
    ----------
    choose
        Gives the answers.
    max_nodes
        Largest size, 2 to 8.
    directed
        Whether pairs are joined by arcs: out, in, or both ways.
    name
        What the names of the questions start with.

    Examples
    --------
    >>> choose_template(lambda question, answers: 0, 5, directed=False)
    Template('0-1')
    >>> choose_template(lambda question, answers: answers - 1, 4, directed=False)
    Template('0-1 0-2 0-3 1-2 1-3 2-3')
    """
    size = 2 + choose(f"{name}nodes", max_nodes - 1)
    ways: dict[tuple[int, int], int] = {}
    for node in range(1, size):
        old = choose(f"{name}attach {node}", node) if node > 1 else 0
        ways[old, node] = 1 + choose(f"{name}way {node}", 3) if directed else _OUT
    for a, b in itertools.combinations(range(size), 2):
        if (a, b) not in ways:
            ways[a, b] = choose(f"{name}join {a} {b}", 4 if directed else 2)
    edges = [(a, b) for (a, b), way in ways.items() if way & _OUT]
    edges += [(b, a) for (a, b), way in ways.items() if way & _IN]
    return Template(edges, directed=directed)


def choose_gene(choose: Choose, templates_per_gene: int, max_nodes: int, directed: bool) -> Gene:
    """Ask for all templates of a gene.

    Examples
    --------
    >>> choose_gene(lambda question, answers: 0, 2, 5, directed=True)  # twice the same
    Gene('0>1')
    """
    return Gene(
        choose_template(choose, max_nodes, directed, f"template {slot}: ")
        for slot in range(templates_per_gene)
    )
