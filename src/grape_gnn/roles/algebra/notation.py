"""Write expressions the way a researcher would on paper.

`A` is the adjacency matrix, `D` the diagonal of degrees, `T` the triangles on every edge. Other
node weights are written `diag(...)`; `·` is the matrix product, `∘` the entry-wise one.
"""

from __future__ import annotations

from grape_gnn.roles.algebra.expression import (
    Adjacency,
    Apply,
    Chain,
    Clique,
    Combination,
    Core,
    Diagonal,
    Hadamard,
    HasLabel,
    Matrix,
    Ones,
    Times,
    Vector,
)

__all__ = ["Notation"]

_A = Adjacency("out")
_TRIANGLES = Hadamard((_A, Chain((_A, _A))))
_DEGREE = Apply(_A, Ones())


class Notation:
    """Writes expressions and remembers which names it used, for a legend.

    Examples
    --------
    >>> from grape_gnn.roles.algebra.compile import compile_role
    >>> from grape_gnn.template import Template
    >>> Notation().operator(compile_role(Template("0-1 1-2"), 2))
    'A·A − D'
    >>> Notation().operator(compile_role(Template("0-1 0-2 1-2 0-3"), 2))
    '(diag(t)·A − 2 T) / 2'
    """

    def __init__(self) -> None:
        self.legend: dict[str, str] = {}

    def operator(self, combination: Combination) -> str:
        """Return a whole operator."""
        text = ""
        for coefficient, matrix in combination.terms:
            sign = "−" if coefficient < 0 else "+"
            size = "" if abs(coefficient) == 1 else f"{abs(coefficient)} "
            lead = f" {sign} " if text else ("−" if coefficient < 0 else "")
            text += f"{lead}{size}{self.matrix(matrix)}"
        if combination.divisor == 1:
            return text or "0"
        return f"({text}) / {combination.divisor}"

    def matrix(self, matrix: Matrix) -> str:
        """Return a matrix; products inside entry-wise products get brackets."""
        if isinstance(matrix, Adjacency):
            return self._adjacency(matrix)
        if matrix == _TRIANGLES:
            return self._named("T", "A∘(A·A), the triangles on every edge")
        if isinstance(matrix, Diagonal):
            if matrix.vector == _DEGREE:
                return self._named("D", "diag(d), the degrees")
            return f"diag({self.vector(matrix.vector)})"
        if isinstance(matrix, Chain):
            return "·".join(self._bracketed(factor, Hadamard) for factor in matrix.factors)
        if isinstance(matrix, Hadamard):
            return "∘".join(self._bracketed(factor, Chain) for factor in matrix.factors)
        if isinstance(matrix, Clique):
            return self._named(
                f"K{matrix.size}", f"{matrix.size}-cliques on every edge, in all orders"
            )
        return self._core(matrix)

    def vector(self, vector: Vector) -> str:
        """Return a node weight."""
        if isinstance(vector, Ones):
            return "1"
        if isinstance(vector, HasLabel):
            return f"[label = {vector.label!r}]"
        if isinstance(vector, Times):
            return "∘".join(self.vector(factor) for factor in vector.factors)
        if vector == _DEGREE:
            return self._named("d", "A·1, the degrees")
        if vector == Apply(_TRIANGLES, Ones()):
            self._named("T", "A∘(A·A), the triangles on every edge")
            return self._named("t", "T·1, twice the triangles at every node")
        return f"{self._bracketed(vector.matrix, Hadamard)}·{self.vector(vector.vector)}"

    def _adjacency(self, matrix: Adjacency) -> str:
        of_type = "" if matrix.type is None else f" of the edges of type {matrix.type!r}"
        mark = "" if matrix.type is None else f"[{matrix.type}]"
        if not matrix.directed:
            return self._named(f"A{mark}", f"the adjacency matrix{of_type}")
        of_type = of_type.replace("the edges of ", "")
        if matrix.kind == "out":
            return self._named(f"A{mark}", f"the arcs{of_type}, from row to column")
        if matrix.kind == "in":
            return self._named(f"A{mark}ᵀ", f"the arcs{of_type}, from column to row")
        if matrix.type is None and matrix.back_type is None:
            return self._named("B", "A∘Aᵀ, the pairs with arcs both ways")
        forth = self._adjacency(Adjacency("out", True, matrix.type))
        return f"({forth}∘{self._adjacency(Adjacency('in', True, matrix.back_type))})"

    def _core(self, core: Core) -> str:
        name = f"S{len([key for key in self.legend if key.startswith('S')]) + 1}"
        links = ", ".join(f"{a}{b}" for a, b, _ in core.links)
        meaning = f"sum by search over a block of {core.size} nodes with the links {links}"
        for known, text in self.legend.items():
            if text == meaning:
                return known
        return self._named(name, meaning)

    def _bracketed(self, matrix: Matrix, kind: type) -> str:
        text = self.matrix(matrix)
        return f"({text})" if isinstance(matrix, kind) and len(text) > 1 else text

    def _named(self, name: str, meaning: str) -> str:
        self.legend[name] = meaning
        return name
