"""Small weighted networks and the places where they come apart.

A `Network` is a quotient in the middle of being reduced: every node carries a weight (a vector
expression) and every link a matrix expression. Cut vertices split it into blocks; pairs of
nodes split a block further. Nothing here knows what the expressions mean.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grape_gnn.roles.algebra.expression import (
    Adjacency,
    HasLabel,
    Matrix,
    Ones,
    Vector,
    hadamard,
    times,
    transpose,
)
from grape_gnn.roles.algebra.quotients import Quotient

__all__ = ["Network", "network_of"]


@dataclass(frozen=True)
class Network:
    """Nodes with weights, joined by matrices; ``links[a, b]`` with ``a < b`` leads a to b."""

    weights: dict[int, Vector]
    links: dict[tuple[int, int], Matrix]

    @property
    def nodes(self) -> frozenset[int]:
        """All nodes."""
        return frozenset(self.weights)

    def link(self, a: int, b: int) -> Matrix | None:
        """Return the matrix that leads from a to b, or None when they are not linked."""
        if a < b:
            return self.links.get((a, b))
        found = self.links.get((b, a))
        return None if found is None else transpose(found)

    def components(self, without: Iterable[int]) -> list[frozenset[int]]:
        """Return connected parts of what is left after the given nodes are taken away."""
        left = set(self.weights) - set(without)
        parts: list[frozenset[int]] = []
        while left:
            part: set[int] = set()
            stack = [min(left)]
            while stack:
                node = stack.pop()
                if node not in part:
                    part.add(node)
                    stack.extend(c for c in left if (min(node, c), max(node, c)) in self.links)
            left -= part
            parts.append(frozenset(part))
        return parts

    def restricted(self, nodes: Iterable[int], *, unlink: tuple[int, int] | None = None) -> Network:
        """Return the network on some of the nodes, optionally without one link."""
        kept = set(nodes)
        dropped = None if unlink is None else (min(unlink), max(unlink))
        return Network(
            {node: weight for node, weight in self.weights.items() if node in kept},
            {
                pair: matrix
                for pair, matrix in self.links.items()
                if pair != dropped and kept.issuperset(pair)
            },
        )

    def weighted(self, node: int, weight: Vector) -> Network:
        """Return the network with one more weight on a node."""
        return Network({**self.weights, node: times(self.weights[node], weight)}, self.links)

    def linked(self, a: int, b: int, matrix: Matrix) -> Network:
        """Return the network with one more link from a to b, beside the one there may be."""
        pair = (min(a, b), max(a, b))
        oriented = matrix if a < b else transpose(matrix)
        present = self.links.get(pair)
        joint = oriented if present is None else hadamard(present, oriented)
        return Network(self.weights, {**self.links, pair: joint})


def network_of(quotient: Quotient) -> Network:
    """Return the quotient with the graph's adjacency on its edges and its labels as weights."""
    weights: dict[int, Vector] = {
        node: Ones() if label is None else HasLabel(label)
        for node, label in enumerate(quotient.labels)
    }
    network = Network(weights, {})
    for (a, b), asked in zip(quotient.edges, quotient.edge_types, strict=True):
        network = network.linked(a, b, Adjacency("out", quotient.directed, asked))
    return network
