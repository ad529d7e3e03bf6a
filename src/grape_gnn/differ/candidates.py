"""Which templates to try, and in which order: fewest nodes, then fewest edges, then by text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from grape_gnn.template import Template
from grape_gnn.template.growing import grow
from grape_gnn.template.zoo import ZOO, is_name
from grape_gnn.template.zoo import template as find_template

__all__ = ["all_candidates", "named", "order", "quick_candidates"]

_FAMILIES = ("path", "star", "star-leaf", "cycle", "clique")
_LARGEST = 8


def order(template: Template) -> tuple[int, int, str]:
    """Return what templates are sorted by, whatever the numbers of their nodes."""
    return template.num_nodes, len(template.edges), template.canonical


def all_candidates(size: int, directed: bool) -> Iterator[Template]:
    """Yield every connected template of up to so many nodes, with every anchor, in order.

    Examples
    --------
    >>> [t.name or t.text for t in all_candidates(3, False)]
    ['edge', '3-star', '3-path', 'triangle']
    """
    for nodes in range(2, size + 1):
        yield from map(named, grow(nodes, directed))


def quick_candidates(size: int, directed: bool) -> list[Template]:
    """Return large templates that are counted fast and tell much: cycles, cliques and the cube.

    They are tried before the many templates of their size, in the hope of an answer in time.
    """
    sizes = range(6, size + 1)
    if directed:
        rings = [[(a, (a + 1) % nodes) for a in range(nodes)] for nodes in sizes]
        return [Template(ring, directed=True) for ring in rings]
    shapes = [f"{nodes}-{shape}" for nodes in sizes for shape in ("cycle", "clique")]
    return [find_template(name) for name in [*shapes, *(["cube"] if size == 8 else [])]]


def named(template: Template) -> Template:
    """Return the named template that this one is, or else the template itself.

    Examples
    --------
    >>> named(Template("0-2 1-2 0-1"))
    Template('0-1 0-2 1-2', name='triangle')
    """
    return _names().get(template.canonical, template)


@cache
def _names() -> dict[str, Template]:
    sizes = range(2, _LARGEST + 1)
    families = [f"{nodes}-{shape}" for nodes in sizes for shape in _FAMILIES]
    known = [find_template(name) for name in families if is_name(name)]
    return {t.canonical: t for t in [*known, *(entry.template for entry in ZOO)]}
