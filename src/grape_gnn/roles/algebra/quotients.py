"""From injective maps to homomorphisms: the quotients of a template.

A role count asks for *injective* maps of the template, but only homomorphisms (maps that may
send several template nodes to one graph node) factorise into matrix products. Moebius
inversion on the lattice of set partitions turns one into the other:

    inj(S)  =  sum over partitions P of  mu(P) * hom(S / P),
    mu(P)   =  product over blocks B of  (-1)^(|B|-1) * (|B|-1)!

Only partitions into independent sets matter: merging two adjacent nodes makes a loop, and a
simple graph has none. A quotient keeps two terminals, the blocks of the anchor and of the role
node; quotients that are isomorphic by a map that keeps both terminals are one, and their
coefficients add up (many cancel or shrink to a handful). Edges that fall together are one edge,
which has one type: if they ask for different ones, the quotient has no homomorphism.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from math import factorial

__all__ = [
    "Edge",
    "Label",
    "Quotient",
    "glance",
    "independent_partitions",
    "moebius",
    "two_terminal_quotients",
    "unfolded",
    "watched",
]

Edge = tuple[int, int]
Label = Hashable
Blocks = tuple[tuple[int, ...], ...]

# What is derived of a template is kept for every graph, so no call of `match` can be handed down.
_watch: ContextVar[Callable[[], None] | None] = ContextVar("watch", default=None)


@contextmanager
def watched(check: Callable[[], None]) -> Iterator[None]:
    """Let what is derived inside the block call `check` every few milliseconds; it may raise."""
    before = _watch.set(check)
    try:
        yield
    finally:
        _watch.reset(before)


def glance() -> None:
    """Call what `watched` was given."""
    check = _watch.get()
    if check is not None:
        check()


@dataclass(frozen=True)
class Quotient:
    """A small two-terminal graph whose homomorphisms are to be counted.

    Attributes
    ----------
    num_nodes
        Nodes are ``0 .. num_nodes - 1``; node 0 is the block of the anchor.
    edges
        Sorted pairs; ``a < b`` when undirected, arcs ``a -> b`` when directed.
    labels
        The label each node demands, or None.
    target
        The block of the role node: 1, or 0 when it was merged with the anchor.
    directed
        Whether the edges are arcs.
    edge_types
        The type each edge demands, or None.
    """

    num_nodes: int
    edges: tuple[Edge, ...]
    labels: tuple[Label | None, ...]
    target: int
    directed: bool
    edge_types: tuple[Label | None, ...]


def independent_partitions(num_nodes: int, edges: Sequence[Edge]) -> Iterator[Blocks]:
    """All partitions of ``0 .. num_nodes - 1`` into blocks without an edge inside.

    Examples
    --------
    >>> list(independent_partitions(3, [(0, 1), (1, 2)]))
    [((0, 2), (1,)), ((0,), (1,), (2,))]
    """
    adjacent = {frozenset(edge) for edge in edges}

    def extend(node: int, blocks: list[list[int]]) -> Iterator[Blocks]:
        if node == num_nodes:
            yield tuple(tuple(block) for block in blocks)
            return
        for block in blocks:
            if not any(frozenset((node, other)) in adjacent for other in block):
                block.append(node)
                yield from extend(node + 1, blocks)
                block.pop()
        blocks.append([node])
        yield from extend(node + 1, blocks)
        blocks.pop()

    return extend(0, [])


def moebius(blocks: Blocks) -> int:
    """Coefficient of a partition in the expansion of injective maps.

    Examples
    --------
    >>> moebius(((0, 2), (1,))), moebius(((0, 1, 2),))
    (-1, 2)
    """
    value = 1
    for block in blocks:
        value *= (-1) ** (len(block) - 1) * factorial(len(block) - 1)
    return value


def two_terminal_quotients(
    num_nodes: int,
    edges: Sequence[Edge],
    target: int,
    *,
    directed: bool = False,
    labels: Sequence[Label | None] | None = None,
    edge_types: Sequence[Label | None] | None = None,
) -> dict[Quotient, int]:
    """Quotients of a template with their merged Moebius coefficients.

    Parameters
    ----------
    num_nodes, edges, directed, labels, edge_types
        The template; node 0 is its anchor.
    target
        The template node whose image is the column of the operator.

    Returns
    -------
    dict
        ``inj(anchor -> v, target -> u) = sum of coefficient * hom(quotient)``.

    Examples
    --------
    The end of a 3-path is ``A A - D``: the path itself, minus the path folded at the anchor.

    >>> for quotient, coefficient in two_terminal_quotients(3, [(0, 1), (1, 2)], 2).items():
    ...     print(coefficient, quotient.edges, quotient.target)
    -1 ((0, 1),) 0
    1 ((0, 2), (1, 2)) 1
    """
    wanted = tuple(labels) if labels is not None else (None,) * num_nodes
    types = tuple(edge_types) if edge_types is not None else (None,) * len(edges)
    typed = dict(zip(edges, types, strict=True))
    found: Counter[Quotient] = Counter()
    for blocks in independent_partitions(num_nodes, edges):
        glance()
        merged = _merged_labels(blocks, wanted)
        quotient = None if merged is None else _quotient(blocks, typed, merged, target, directed)
        if quotient is not None:
            found[quotient] += moebius(blocks)
    return {quotient: value for quotient, value in found.items() if value != 0}


def unfolded(
    edges: dict[Edge, Label | None],
    labels: tuple[Label | None, ...],
    target: int,
    directed: bool,
) -> Quotient:
    """Return a template as it is, no nodes merged: equal for what keeps both terminals.

    Examples
    --------
    >>> tail = unfolded({(0, 1): None, (1, 2): None}, (None,) * 3, 2, False)
    >>> tail.edges, tail.target
    (((0, 2), (1, 2)), 1)
    """
    blocks = tuple((node,) for node in range(len(labels)))
    alone = _quotient(blocks, edges, labels, target, directed)
    assert alone is not None  # no two edges fall together
    return alone


def _merged_labels(
    blocks: Blocks, labels: tuple[Label | None, ...]
) -> tuple[Label | None, ...] | None:
    """Return the label of every block, or None when some block demands two different ones."""
    merged: list[Label | None] = []
    for block in blocks:
        demanded = {labels[node] for node in block} - {None}
        if len(demanded) > 1:
            return None
        merged.append(demanded.pop() if demanded else None)
    return tuple(merged)


def _quotient(
    blocks: Blocks,
    edges: dict[Edge, Label | None],
    labels: tuple[Label | None, ...],
    target: int,
    directed: bool,
) -> Quotient | None:
    """Return the quotient by some blocks; None when an edge would have to be of two types."""
    block_of = {node: index for index, block in enumerate(blocks) for node in block}
    anchor, end = block_of[0], block_of[target]
    terminals = [anchor] if anchor == end else [anchor, end]
    order = terminals + [b for b in range(len(blocks)) if b not in terminals]
    place = {block: position for position, block in enumerate(order)}
    merged: dict[Edge, Label | None] = {}
    for (a, b), asked in edges.items():
        edge = place[block_of[a]], place[block_of[b]]
        edge = edge if directed else (min(edge), max(edge))
        before = merged.get(edge)
        if before is not None and asked is not None and before != asked:
            return None
        merged[edge] = asked if before is None else before
    ordered_labels = tuple(labels[block] for block in order)
    return _canonical(
        len(blocks),
        tuple(sorted(merged.items(), key=lambda item: item[0])),
        ordered_labels,
        len(terminals) - 1,
        directed,
    )


@lru_cache(maxsize=100_000)
def _canonical(
    num_nodes: int,
    edges: tuple[tuple[Edge, Label | None], ...],
    labels: tuple[Label | None, ...],
    target: int,
    directed: bool,
) -> Quotient:
    """Return the smallest form under renaming of the nodes that are not terminals."""
    colours = _refined_colours(num_nodes, edges, labels, target, directed)
    classes: dict[int, list[int]] = {}
    for node in range(target + 1, num_nodes):
        classes.setdefault(colours[node], []).append(node)
    groups = [classes[colour] for colour in sorted(classes)]
    best: tuple[tuple[Edge, str], ...] | None = None
    best_edges: tuple[tuple[Edge, Label | None], ...] = ()
    best_order: list[int] = []
    for choice in product(*(permutations(group) for group in groups)):
        order = [*range(target + 1), *(node for group in choice for node in group)]
        place = {node: position for position, node in enumerate(order)}
        pairs = [((place[a], place[b]), asked) for (a, b), asked in edges]
        if not directed:
            pairs = [((min(pair), max(pair)), asked) for pair, asked in pairs]
        pairs.sort(key=lambda item: item[0])
        renamed = tuple((pair, repr(asked)) for pair, asked in pairs)
        if best is None or renamed < best:
            best, best_edges, best_order = renamed, tuple(pairs), order
    return Quotient(
        num_nodes,
        tuple(pair for pair, _ in best_edges),
        tuple(labels[node] for node in best_order),
        target,
        directed,
        tuple(asked for _, asked in best_edges),
    )


def _refined_colours(
    num_nodes: int,
    edges: tuple[tuple[Edge, Label | None], ...],
    labels: tuple[Label | None, ...],
    target: int,
    directed: bool,
) -> list[int]:
    """Colours that any renaming keeps: they cut down the permutations to try."""
    arcs = [(a, b, repr(asked)) for (a, b), asked in edges]
    arcs += [] if directed else [(b, a, asked) for a, b, asked in arcs]
    colours = _ranked([(min(node, target + 1), repr(labels[node])) for node in range(num_nodes)])
    for _ in range(num_nodes):
        colours = _ranked(
            [
                (
                    colours[node],
                    tuple(sorted((colours[b], asked) for a, b, asked in arcs if a == node)),
                    tuple(sorted((colours[a], asked) for a, b, asked in arcs if b == node)),
                )
                for node in range(num_nodes)
            ]
        )
    return colours


def _ranked(signatures: Sequence[tuple[object, ...]]) -> list[int]:
    ranks = {signature: rank for rank, signature in enumerate(sorted(set(signatures)))}
    return [ranks[signature] for signature in signatures]
