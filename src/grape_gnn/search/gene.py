"""Genes: sets of templates in canonical form (section 3.3 of the paper).

The paper's search works on *genes*, each a set of ``L`` templates. The order of the templates and
the numbers of their nodes mean nothing to GRAPE, and a template that is there twice tells it
nothing new; so a gene brings all into one normal form: genes that are the same to the model are
equal, and share every cache.

A gene of fewer than ``L`` templates has free slots. Each holds an edge that may grow in the next
round, as all do at the start: see `fill`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

from grape_gnn.errors import SearchError
from grape_gnn.template import Template
from grape_gnn.template.zoo import ZOO

__all__ = ["Gene", "fill", "start_gene"]


@dataclass(frozen=True, eq=False)
class Gene:
    """A set of templates; those that differ in the numbers of their nodes only are one.

    Parameters
    ----------
    templates
        The templates; kept in canonical form, small ones first, with their names from the zoo.

    Examples
    --------
    >>> gene = Gene([Template("0-2 1-2 0-1"), Template("1-0")])
    >>> gene
    Gene('0-1', '0-1 0-2 1-2')
    >>> gene == Gene([Template("0-1"), Template("0-1 1-2 0-2")])
    True
    >>> [template.name for template in gene.templates]
    ['edge', 'triangle']
    >>> Gene([Template("0-1 1-2"), Template("0-2 2-1")])
    Gene('0-1 1-2')
    """

    templates: tuple[Template, ...]

    def __init__(self, templates: Iterable[Template]) -> None:
        every = (template.canonical_template() for template in templates)
        distinct = {template.text: template for template in every}.values()
        if not distinct:
            raise SearchError("a gene needs at least one template")
        if len({template.directed for template in distinct}) > 1:
            raise SearchError("a gene cannot mix directed and undirected templates")
        small_first = sorted(distinct, key=lambda t: (t.num_nodes, len(t.edges), t.text))
        named = tuple(t.with_name(_zoo_names().get(t.text)) for t in small_first)
        object.__setattr__(self, "templates", named)

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> Gene:
        """Read what `texts` gave.

        Examples
        --------
        >>> Gene.from_texts(["0-1", "0-1 1-2"]).texts
        ['0-1', '0-1 1-2']
        """
        return cls(Template(text) for text in texts)

    @property
    def texts(self) -> list[str]:
        """The templates as text, in order."""
        return [template.text for template in self.templates]

    @cached_property
    def key(self) -> str:
        """Text that is equal exactly for equal genes; it keys every cache."""
        return " | ".join(self.texts)

    def __len__(self) -> int:
        return len(self.templates)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Gene) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Gene({', '.join(map(repr, self.texts))})"


def start_gene(templates_per_gene: int, directed: bool) -> Gene:
    """Return the gene every search starts from: nothing but edges.

    On a directed graph arcs out of the ego and into it take turns. Arcs are only ever added, so
    a search from arcs out alone could never find a template with an arc in alone.

    Examples
    --------
    >>> start_gene(3, directed=False)
    Gene('0-1')
    >>> start_gene(3, directed=True)
    Gene('0<1', '0>1')
    """
    return Gene(_edge(slot, directed) for slot in range(templates_per_gene))


def fill(gene: Gene, templates_per_gene: int) -> list[Template]:
    """Return the templates of a gene, and an edge for every free slot.

    Examples
    --------
    >>> [template.text for template in fill(Gene.from_texts(["0-1 1-2"]), 3)]
    ['0-1 1-2', '0-1', '0-1']
    """
    directed = gene.templates[0].directed
    free = range(len(gene), templates_per_gene)
    return [*gene.templates, *(_edge(slot, directed) for slot in free)]


def _edge(slot: int, directed: bool) -> Template:
    return Template(("0>1", "0<1")[slot % 2] if directed else "0-1")


@cache
def _zoo_names() -> dict[str, str]:
    return {entry.template.canonical: entry.name for entry in reversed(ZOO)}
