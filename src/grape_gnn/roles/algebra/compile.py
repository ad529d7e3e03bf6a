"""Compile a template's role into an expression: quotients, blocks, series and parallel steps.

The homomorphism count of a quotient, as a matrix over its two terminals, is built by

1. side branches: what hangs on a node and holds no terminal becomes a weight of that node;
2. cut vertices between the terminals: the operator is the product of the blocks' operators;
3. inside a block, a part that hangs on two *linked* nodes becomes a factor of that link
   (a triangle is `A∘(A·A)`: only existing edges are looked at);
4. parts in parallel between the terminals multiply entry by entry;
5. a part that hangs on two nodes that are not linked becomes a new link (two-hop pairs);
6. what is left (a 4-clique, a wheel, ...) is summed by search over its few inner nodes.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations

from grape_gnn.roles.algebra.blocks import Network, network_of
from grape_gnn.roles.algebra.expression import (
    Adjacency,
    Apply,
    Chain,
    Clique,
    Combination,
    Core,
    Diagonal,
    Hadamard,
    Matrix,
    Ones,
    Times,
    Vector,
    apply,
    chain,
    hadamard,
    times,
)
from grape_gnn.roles.algebra.induced import template_quotients
from grape_gnn.roles.algebra.quotients import Quotient, glance
from grape_gnn.template import Template

__all__ = ["compile_role", "difficulty", "hom_operator"]


def compile_role(template: Template, role: int, *, induced: bool = False) -> Combination:
    """Return the operator of one role for ``weighting="count"``, exact for every graph.

    Parameters
    ----------
    template
        The anchored template.
    role
        Index into ``template.roles``, from 1.
    induced
        Count induced instances only.

    Examples
    --------
    >>> combination = compile_role(Template("0-1 1-2"), 2)
    >>> [coefficient for coefficient, _ in combination.terms], combination.divisor
    ([1, -1], 1)
    """
    return _compiled(template, role, induced)


@lru_cache(maxsize=4096)
def _compiled(template: Template, role: int, induced: bool) -> Combination:
    orbit = template.roles[role]
    quotients = template_quotients(template, orbit[0], induced=induced)
    total: Counter[Matrix] = Counter()
    for quotient, coefficient in quotients.items():
        glance()
        total[hom_operator(quotient)] += coefficient
    terms = [(value, matrix) for matrix, value in total.items() if value != 0]
    terms.sort(key=_largest_first)
    return Combination(tuple(terms), template.num_automorphisms // len(orbit))


def _largest_first(term: tuple[int, Matrix]) -> tuple[bool, int, bool, str]:
    """Put the unfolded template first and diagonals last, as one would write them."""
    coefficient, matrix = term
    text = repr(matrix)
    edges = text.count("Adjacency(") + 10 * text.count("Clique(")
    return (isinstance(matrix, Diagonal), -edges, coefficient < 0, text)


@lru_cache(maxsize=100_000)
def hom_operator(quotient: Quotient) -> Matrix:
    """Homomorphism counts of a quotient as a matrix over (anchor's image, role's image)."""
    network = network_of(quotient)
    if quotient.target == 0:
        return Diagonal(times(network.weights[0], _from_node(network, 0)))
    network = _absorb_branches(network, frozenset({0, 1}))
    return chain(
        Diagonal(network.weights[0]), _between(network, 0, 1), Diagonal(network.weights[1])
    )


def _absorb_branches(network: Network, terminals: frozenset[int]) -> Network:
    """Step 1: turn every part cut off from the terminals by one node into that node's weight."""
    for node in sorted(network.nodes):
        if node not in network.nodes:
            continue
        for part in network.components({node}):
            if not part & terminals:
                branch = _from_node(network.restricted(part | {node}), node)
                network = network.restricted(network.nodes - part).weighted(node, branch)
    return network


def _from_node(network: Network, node: int) -> Vector:
    """Sum over everything but one node, whose own weight is left out."""
    parts = network.components({node})
    if len(parts) != 1:
        return times(*(_from_node(network.restricted(part | {node}), node) for part in parts))
    network = _absorb_branches(network, frozenset({node}) | _block_of(network, node))
    choices = []
    for end in sorted(network.nodes - {node}):
        operator = chain(_between(network, node, end), Diagonal(network.weights[end]))
        choices.append(apply(operator, Ones()))
    return min(choices, key=lambda vector: (difficulty(vector), repr(vector)))


def _block_of(network: Network, node: int) -> frozenset[int]:
    """Return the one block that contains a node which is not a cut vertex."""
    block = network.nodes
    for cut in sorted(network.nodes - {node}):
        for part in network.components({cut}):
            if node not in part:
                block -= part
    return block


def _between(network: Network, s: int, t: int) -> Matrix:
    """Operator between two terminals, whose own weights are left out."""
    if network.nodes == {s, t}:
        link = network.link(s, t)
        if link is None:
            raise ValueError("the terminals are not connected")
        return link
    for reduced in (_split_at_cut_vertex, _split_linked_pair, _split_terminals):
        matrix = reduced(network, s, t)
        if matrix is not None:
            return matrix
    core = _core(network, s, t)
    loose = _split_loose_pair(network, s, t)
    return core if loose is None or difficulty(loose) > difficulty(core) else loose


def _split_at_cut_vertex(network: Network, s: int, t: int) -> Matrix | None:
    """Step 2: the product of the operators on the two sides of a cut vertex."""
    for cut in sorted(network.nodes - {s, t}):
        for part in network.components({cut}):
            if s in part and t not in part:
                left = network.restricted(part | {cut})
                right = network.restricted(network.nodes - part)
                middle = Diagonal(network.weights[cut])
                return chain(_between(left, s, cut), middle, _between(right, cut, t))
    return None


def _split_linked_pair(network: Network, s: int, t: int) -> Matrix | None:
    """Step 3: fold a part that hangs on two linked nodes into their link."""
    for a, b in sorted(network.links):
        if {a, b} == {s, t}:
            continue
        for part in network.components({a, b}):
            if not part & {s, t}:
                return _between(_fold(network, part, a, b), s, t)
    return None


def _split_terminals(network: Network, s: int, t: int) -> Matrix | None:
    """Step 4: everything that joins the terminals side by side multiplies entry by entry."""
    link = network.link(s, t)
    parts = network.components({s, t})
    if link is None and len(parts) == 1:
        return None
    sides = [network.restricted(part | {s, t}, unlink=(s, t)) for part in parts]
    factors = [_between(side, s, t) for side in sides]
    return hadamard(*factors) if link is None else hadamard(link, *factors)


def _split_loose_pair(network: Network, s: int, t: int) -> Matrix | None:
    """Step 5: a part that hangs on two nodes without a link becomes a link of two-hop pairs."""
    loose = [
        (a, b)
        for a, b in combinations(sorted(network.nodes), 2)
        if {a, b} != {s, t} and (a, b) not in network.links
    ]
    choices = [
        _between(_fold(network, part, a, b), s, t)
        for a, b in loose
        for part in network.components({a, b})
        if not part & {s, t}
    ]
    return min(choices, key=lambda matrix: (difficulty(matrix), repr(matrix)), default=None)


def _fold(network: Network, part: frozenset[int], a: int, b: int) -> Network:
    inside = network.restricted(part | {a, b}, unlink=(a, b))
    return network.restricted(network.nodes - part).linked(a, b, _between(inside, a, b))


def _core(network: Network, s: int, t: int) -> Matrix:
    """Step 6: what no rule reduces, its nodes renamed with the terminals first."""
    order = [s, t, *sorted(network.nodes - {s, t})]
    place = {node: position for position, node in enumerate(order)}
    links = []
    for a, b in combinations(order, 2):
        matrix = network.link(a, b)
        if matrix is not None:
            links.append((place[a], place[b], matrix))
    weights = tuple(Ones() if node in (s, t) else network.weights[node] for node in order)
    return Core(len(order), tuple(links), weights)


def difficulty(expression: Matrix | Vector) -> int:
    """How hard an expression is on any graph: searches first, then two-hop pairs, then length.

    Examples
    --------
    >>> A = Adjacency("out")
    >>> difficulty(hadamard(A, chain(A, A))) < difficulty(hadamard(chain(A, A), chain(A, A, A)))
    True
    """
    if isinstance(expression, Apply):
        return 1 + difficulty(expression.matrix) + difficulty(expression.vector)
    if isinstance(expression, Times | Chain):
        return 1 + sum(map(difficulty, expression.factors))
    if isinstance(expression, Diagonal):
        return difficulty(expression.vector)
    if isinstance(expression, Hadamard):
        inner = sum(map(difficulty, expression.factors))
        masked = isinstance(expression.factors[0], Adjacency | Clique | Hadamard)
        long = sum(isinstance(f, Chain) and len(f.factors) > 2 for f in expression.factors)
        return 10 + inner + 100 * long + (0 if masked else 1000)
    if isinstance(expression, Clique):
        return 50 * expression.size
    if isinstance(expression, Core):
        inner = sum(difficulty(link) for _, _, link in expression.links)
        inner += sum(1000 for _, _, link in expression.links if isinstance(link, Chain))
        return int(10**expression.size) + inner + sum(map(difficulty, expression.weights))
    return 0 if isinstance(expression, Ones) else 1
