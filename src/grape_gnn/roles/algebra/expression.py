"""The language role operators are compiled into.

Two kinds of expression, both immutable and compared by structure, so that equal parts of
different roles and templates are computed once:

* a `Vector` is one number per graph node (a node weight: degrees, triangles at a node, ...);
* a `Matrix` is one number per pair of graph nodes.

Use the functions `times`, `apply`, `chain`, `hadamard` and `transpose` rather than the classes:
they flatten, sort and simplify, which is what makes equal things look equal.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Adjacency",
    "Apply",
    "Chain",
    "Clique",
    "Combination",
    "Core",
    "Diagonal",
    "Hadamard",
    "HasLabel",
    "Matrix",
    "Ones",
    "Times",
    "Vector",
    "apply",
    "chain",
    "hadamard",
    "times",
    "transpose",
]


@dataclass(frozen=True)
class Ones:
    """The vector of ones."""


@dataclass(frozen=True)
class HasLabel:
    """One where the node carries the label, zero elsewhere."""

    label: Hashable


@dataclass(frozen=True)
class Apply:
    """The product of a matrix with a vector."""

    matrix: Matrix
    vector: Vector


@dataclass(frozen=True)
class Times:
    """The entry-wise product of two or more vectors."""

    factors: tuple[Vector, ...]


Vector = Ones | HasLabel | Apply | Times


@dataclass(frozen=True)
class Adjacency:
    """The graph itself: arcs from row to column, the reverse, or pairs joined both ways.

    An undirected graph has the kind ``"out"`` only. With a type, only edges of that type count:
    each type has an adjacency matrix of its own, and None means all edges.
    """

    kind: Literal["out", "in", "both"]
    directed: bool = False
    type: Hashable | None = None
    back_type: Hashable | None = None  # of the arcs from column to row, where they go both ways


_PLAIN = Adjacency("out")


@dataclass(frozen=True)
class Diagonal:
    """A vector on the diagonal."""

    vector: Vector


@dataclass(frozen=True)
class Chain:
    """The matrix product of two or more factors; never formed unless something asks for it."""

    factors: tuple[Matrix, ...]


@dataclass(frozen=True)
class Hadamard:
    """The entry-wise product of two or more matrices, stored on the sparsest one's pattern."""

    factors: tuple[Matrix, ...]


@dataclass(frozen=True)
class Clique:
    """On every edge, the number of ways to complete it to a clique (in any order)."""

    size: int


@dataclass(frozen=True)
class Core:
    """Sum over the inner nodes of a pattern that neither series nor parallel steps reduce.

    Node 0 is the row, node 1 the column; ``links`` are triples (a, b, matrix from a to b).
    The weights of nodes 0 and 1 are always `Ones`.
    """

    size: int
    links: tuple[tuple[int, int, Matrix], ...]
    weights: tuple[Vector, ...]


Matrix = Adjacency | Diagonal | Chain | Hadamard | Clique | Core


@dataclass(frozen=True)
class Combination:
    """An operator: the sum of integer coefficients times matrices, divided by an integer."""

    terms: tuple[tuple[int, Matrix], ...]
    divisor: int


def times(*vectors: Vector) -> Vector:
    """Entry-wise product of vectors.

    Examples
    --------
    >>> times(Ones(), HasLabel("a"), Ones())
    HasLabel(label='a')
    """
    flat: list[Vector] = []
    for vector in vectors:
        flat.extend(vector.factors if isinstance(vector, Times) else [vector])
    # A 0/1 vector times itself is itself.
    labels = {vector for vector in flat if isinstance(vector, HasLabel)}
    kept = [v for v in flat if not isinstance(v, Ones | HasLabel)] + list(labels)
    kept.sort(key=repr)
    if not kept:
        return Ones()
    return kept[0] if len(kept) == 1 else Times(tuple(kept))


def apply(matrix: Matrix, vector: Vector) -> Vector:
    """Matrix times vector; diagonals become entry-wise products."""
    factors = matrix.factors if isinstance(matrix, Chain) else (matrix,)
    for factor in reversed(factors):
        if isinstance(factor, Diagonal):
            vector = times(factor.vector, vector)
        else:
            vector = Apply(factor, vector)
    return vector


def chain(*matrices: Matrix) -> Matrix:
    """Matrix product; neighbouring diagonals merge and identities vanish.

    Examples
    --------
    >>> A = Adjacency("out")
    >>> chain(Diagonal(Ones()), A) == A
    True
    """
    flat: list[Matrix] = []
    for matrix in matrices:
        for factor in matrix.factors if isinstance(matrix, Chain) else (matrix,):
            if isinstance(factor, Diagonal):
                if isinstance(factor.vector, Ones):
                    continue
                before = flat[-1] if flat else None
                if isinstance(before, Diagonal):
                    flat[-1] = Diagonal(times(before.vector, factor.vector))
                    continue
            flat.append(factor)
    if not flat:
        return Diagonal(Ones())
    return flat[0] if len(flat) == 1 else Chain(tuple(flat))


def hadamard(*matrices: Matrix) -> Matrix:
    """Entry-wise product; the adjacency matrix is 0/1, so it is kept once.

    Examples
    --------
    >>> out, into = Adjacency("out", directed=True), Adjacency("in", directed=True)
    >>> hadamard(out, into, out) == Adjacency("both", directed=True)
    True
    """
    flat: list[Matrix] = []
    for matrix in matrices:
        flat.extend(matrix.factors if isinstance(matrix, Hadamard) else [matrix])
    edges = {m for m in flat if isinstance(m, Adjacency)}
    if len(edges) > 1:
        edges = {_both(edges)}
    others = [m for m in flat if not isinstance(m, Adjacency)]
    if edges <= {_PLAIN} and edges:
        others = [Clique(m.size) if isinstance(m, Core) and _open_clique(m) else m for m in others]
    others.sort(key=_simplest_first)
    if any(isinstance(m, Clique) for m in others):
        edges = set()  # a clique count is already zero off the edges
    kept = [*edges, *others]
    return kept[0] if len(kept) == 1 else Hadamard(tuple(kept))


def transpose(matrix: Matrix) -> Matrix:
    """Return the transposed matrix, again as an expression."""
    if isinstance(matrix, Adjacency):
        if not matrix.directed:
            return matrix
        if matrix.kind == "both":
            return Adjacency("both", True, matrix.back_type, matrix.type)
        return Adjacency("in" if matrix.kind == "out" else "out", True, matrix.type)
    if isinstance(matrix, Chain):
        return Chain(tuple(transpose(factor) for factor in reversed(matrix.factors)))
    if isinstance(matrix, Hadamard):
        return hadamard(*(transpose(factor) for factor in matrix.factors))
    if isinstance(matrix, Core):
        swap = {0: 1, 1: 0}
        return Core(
            matrix.size,
            tuple((swap.get(a, a), swap.get(b, b), link) for a, b, link in matrix.links),
            matrix.weights,
        )
    return matrix  # diagonals and clique counts are symmetric


def _both(edges: set[Adjacency]) -> Adjacency:
    """Return the pairs joined by arcs one way and the other, each of the type it has to be."""
    asked: dict[str, Hashable | None] = {"out": None, "in": None}
    for arcs in edges:
        ways = {"both": ("out", "in")}.get(arcs.kind, (arcs.kind,))
        demands = zip(ways, (arcs.type, arcs.back_type), strict=False)
        asked |= {way: kind for way, kind in demands if kind is not None}
    return Adjacency("both", True, asked["out"], asked["in"])


def _open_clique(core: Core) -> bool:
    """Whether a core is an unweighted clique that lacks only the edge between its terminals."""
    return (
        len(core.links) == core.size * (core.size - 1) // 2 - 1
        and all(link == _PLAIN for _, _, link in core.links)
        and all(weight == Ones() for weight in core.weights)
        and not any({a, b} == {0, 1} for a, b, _ in core.links)
    )


def _simplest_first(matrix: Matrix) -> tuple[bool, int, str]:
    """Sparse patterns first, then short chains, so that the first factor can be the mask."""
    stored = isinstance(matrix, Clique) or (
        isinstance(matrix, Hadamard) and isinstance(matrix.factors[0], Adjacency)
    )
    length = len(matrix.factors) if isinstance(matrix, Chain) else 9
    return (not stored, length, repr(matrix))
