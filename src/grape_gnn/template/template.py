"""`Template`: a small connected graph with an anchor, whose roles GRAPE aggregates over.

Section 3 of the paper: a template ``S`` is matched around every ego node of a graph, the ego
in the place of the anchor. The nodes of ``S`` fall into *roles* (the paper's Ego-AE sets): two
nodes share a role if a symmetry of ``S`` that keeps the anchor in place swaps them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grape_gnn.arguments import flag
from grape_gnn.errors import TemplateError
from grape_gnn.template import structure, symmetry
from grape_gnn.template.text import Edge, Label, format_text, parse_text

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Template"]


class Template:
    """An anchored subgraph template; node 0 is the anchor. Immutable and hashable.

    Matching is *non-induced*: an instance in a graph must have every edge of the template and
    may have more. Two templates are equal if they have the same numbered edges, direction,
    labels and types of edges; `is_isomorphic` ignores the numbering.

    Parameters
    ----------
    edges
        Text such as ``"0-1 1-2 0-2"`` (undirected), ``"0>1 0<2 1<>2"`` (directed), with optional
        labels ``"0-1 1:physics"`` and types of edges ``"0-1=double"``; or pairs of node numbers;
        or another template.
    directed
        Whether pairs are arcs. Text says so itself.
    labels
        What a graph node must be to take the place of a template node, its type or, in a graph
        without types of nodes, its label: one per node (None: any) or a mapping from template node
        to label.
    name
        A readable name; it takes no part in comparisons.
    edge_types
        The type that a graph edge must have to take the place of a template edge: a mapping from
        edge to type.

    Examples
    --------
    >>> triangle = Template("0-1 1-2 0-2", name="triangle")
    >>> triangle
    Template('0-1 0-2 1-2', name='triangle')
    >>> triangle.roles
    ((0,), (1, 2))
    >>> Template([(0, 1), (1, 2)]).is_isomorphic(Template("0-2 2-1"))
    True
    """

    num_nodes: int
    """Number of nodes, 2 to 8."""
    edges: tuple[Edge, ...]
    """Sorted edges, the smaller node first; arcs ``(source, target)`` if directed."""
    directed: bool
    """Whether the edges are arcs."""
    labels: tuple[Label | None, ...]
    """For each node the label it asks for, None for any."""
    edge_types: tuple[Label | None, ...]
    """For each edge the type it asks for, None for any."""
    name: str | None
    """A readable name, such as ``"triangle"``."""

    def __init__(
        self,
        edges: str | Iterable[Sequence[int]] | Template,
        directed: bool | None = None,
        labels: Mapping[int, Label | None] | Sequence[Label | None] | None = None,
        name: str | None = None,
        *,
        edge_types: Mapping[Edge, Label | None] | None = None,
    ) -> None:
        if isinstance(edges, str):
            source = repr(edges)
            parsed = parse_text(edges)
            for what, given in (("labels", labels), ("edge_types", edge_types)):
                if given is not None and getattr(parsed, what):
                    raise TemplateError(
                        f"template {source} has {what} in its text and in {what}={given!r}: give "
                        f"them once"
                    )
            pairs: Iterable[Sequence[int]] = parsed.edges
            says: bool | None = parsed.directed if parsed.edges else None
            labels = parsed.labels if labels is None else labels
            edge_types = parsed.edge_types if edge_types is None else edge_types
        elif isinstance(edges, Template):
            source, pairs, says = repr(edges.text), edges.edges, edges.directed
            labels = edges.labels if labels is None else labels
            edge_types = edges.type_of_edge if edge_types is None else edge_types
            name = edges.name if name is None else name
        else:
            pairs = structure.listed(edges)
            source, says = repr(pairs), None
        if says is not None and directed not in (None, says):
            raise TemplateError(
                f"template {source} is {'directed' if says else 'undirected'}, but "
                f"directed={directed} was asked for: write '0-1' for an undirected edge, "
                f"'0>1' or '0<>1' for a directed one"
            )
        asked = flag("directed", directed or False, error=TemplateError)
        is_directed = asked if says is None else says
        checked = structure.check_edges(pairs, is_directed, source)
        num_nodes = 1 + max(max(edge) for edge in checked)
        vars(self).update(
            num_nodes=num_nodes,
            edges=checked,
            directed=is_directed,
            labels=structure.check_labels({} if labels is None else labels, num_nodes, source),
            edge_types=structure.check_edge_types(edge_types or {}, checked, is_directed, source),
            name=name,
        )

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError(f"a Template is immutable: build a new one to change {attribute!r}")

    def __delattr__(self, attribute: str) -> None:
        raise AttributeError(f"a Template is immutable: {attribute!r} cannot be deleted")

    # -------------------------------------------------------------- symmetry

    @property
    def has_labels(self) -> bool:
        """Whether some node asks for a label."""
        return any(label is not None for label in self.labels)

    @property
    def has_edge_types(self) -> bool:
        """Whether some edge asks for a type."""
        return any(asked is not None for asked in self.edge_types)

    @property
    def type_of_edge(self) -> dict[Edge, Label]:
        """The type that an edge asks for; edges that ask for none are left out.

        Examples
        --------
        >>> Template("0-1=double 1-2").type_of_edge
        {(0, 1): 'double'}
        """
        pairs = zip(self.edges, self.edge_types, strict=True)
        return {edge: asked for edge, asked in pairs if asked is not None}

    @cached_property
    def automorphisms(self) -> tuple[tuple[int, ...], ...]:
        """The automorphisms that fix the anchor; ``g[node]`` is the image, identity first."""
        return symmetry.stabiliser(
            self.num_nodes, self.edges, self.directed, self.labels, self.edge_types
        )

    @property
    def num_automorphisms(self) -> int:
        """Number of automorphisms that fix the anchor (and keep labels and types of edges).

        This many injective maps of the template into a graph are one and the same instance.

        Examples
        --------
        >>> Template("0-1 0-2 0-3").num_automorphisms
        6
        """
        return len(self.automorphisms)

    @cached_property
    def roles(self) -> tuple[tuple[int, ...], ...]:
        """The Ego-AE sets: role 0 is the anchor, the others by their smallest node.

        Examples
        --------
        >>> Template("0-1 0-2 1-2 0-3").roles
        ((0,), (1, 2), (3,))
        """
        return symmetry.orbits(self.automorphisms)

    @property
    def num_roles(self) -> int:
        """Number of roles, the anchor's included."""
        return len(self.roles)

    @cached_property
    def role_of(self) -> tuple[int, ...]:
        """For each node the index of its role.

        Examples
        --------
        >>> Template("0-1 0-2 1-2 0-3").role_of
        (0, 1, 1, 2)
        """
        where = {node: j for j, role in enumerate(self.roles) for node in role}
        return tuple(where[node] for node in range(self.num_nodes))

    @cached_property
    def canonical_order(self) -> tuple[int, ...]:
        """The nodes in canonical order: ``canonical_order[k]`` becomes node ``k``."""
        return symmetry.canonical_order(
            self.num_nodes, self.edges, self.directed, self.labels, self.edge_types
        )

    @cached_property
    def canonical(self) -> str:
        """Text that is equal exactly for templates isomorphic by an anchor-preserving map.

        Examples
        --------
        >>> Template("0-2 2-1").canonical == Template("0-1 1-2").canonical
        True
        >>> Template("0-1 0-2").canonical == Template("0-1 1-2").canonical  # other anchor
        False
        """
        return self.canonical_template().text

    def canonical_template(self) -> Template:
        """Return the same template with its nodes in canonical order."""
        return self.relabel(self.canonical_order)

    def is_isomorphic(self, other: Template) -> bool:
        """Whether a map that keeps anchor, labels and types turns one into the other."""
        return self.canonical == other.canonical

    def relabel(self, order: Sequence[int]) -> Template:
        """Renumber the nodes: ``order[k]`` becomes node ``k``.

        The anchor moves if ``order[0]`` is not 0, so this also re-anchors a template.

        Examples
        --------
        >>> Template("0-1 1-2").relabel([1, 0, 2])
        Template('0-1 0-2')
        """
        if sorted(order) != list(range(self.num_nodes)):
            raise TemplateError(
                f"order {list(order)!r} does not list each node of template {self.text!r} once: "
                f"it has the nodes 0 to {self.num_nodes - 1}"
            )
        new = {old: k for k, old in enumerate(order)}
        return Template(
            [(new[a], new[b]) for a, b in self.edges],
            directed=self.directed,
            labels=[self.labels[old] for old in order],
            name=self.name,
            edge_types={(new[a], new[b]): asked for (a, b), asked in self.type_of_edge.items()},
        )

    def with_name(self, name: str | None) -> Template:
        """Return the same template under another name."""
        copy = Template(self)
        vars(copy)["name"] = name
        return copy

    # -------------------------------------------------------------- family

    def children(self) -> list[Template]:
        """Templates with one edge, or one node on one edge, more; see `family.children`."""
        from grape_gnn.template import family

        return family.children(self)

    def parents(self) -> list[Template]:
        """Templates with one edge, or one pendant node, less; see `family.parents`."""
        from grape_gnn.template import family

        return family.parents(self)

    # -------------------------------------------------------------- other forms

    @cached_property
    def text(self) -> str:
        """The text form; ``Template(t.text) == t``.

        Examples
        --------
        >>> Template([(1, 0), (0, 2)], directed=True, labels={2: "data mining"}).text
        '0<1 0>2 2:"data mining"'
        """
        return format_text(self.edges, self.directed, self.labels, self.type_of_edge)

    def adjacency(self) -> NDArray[np.int8]:
        """Return the 0/1 adjacency matrix; symmetric if the template is undirected."""
        from grape_gnn.template import convert

        return convert.to_matrix(self)

    @classmethod
    def from_adjacency(
        cls,
        matrix: ArrayLike,
        directed: bool | None = None,
        labels: Mapping[int, Label | None] | Sequence[Label | None] | None = None,
        name: str | None = None,
    ) -> Template:
        """Build a template from a square 0/1 matrix; row 0 is the anchor.

        Parameters
        ----------
        matrix
            Array, nested lists or SciPy sparse; ``matrix[a, b]`` non-zero is the arc ``a > b``.
        directed
            None: directed if the matrix is not symmetric.
        labels, name
            As for the constructor.

        Examples
        --------
        >>> Template.from_adjacency([[0, 1, 1], [1, 0, 0], [1, 0, 0]])
        Template('0-1 0-2')
        """
        from grape_gnn.template import convert

        edges, is_directed = convert.edges_of_matrix(matrix, directed)
        return cls(edges, directed=is_directed, labels=labels, name=name)

    @classmethod
    def from_networkx(cls, graph: nx.Graph[Any], anchor: object) -> Template:
        """Build a template from a networkx graph.

        The anchor becomes node 0, the others follow in the graph's order. A node attribute
        ``label`` is what a node asks for, an edge attribute ``type`` what an edge does; the
        graph's name becomes the template's.
        """
        from grape_gnn.template import convert

        edges, labels, types = convert.parts_of_networkx(graph, anchor)
        name = graph.graph.get("name")
        named = str(name) if name else None
        return cls(edges, graph.is_directed(), labels, named, edge_types=types)

    def to_networkx(self) -> nx.Graph[Any]:
        """Return a networkx ``Graph`` or ``DiGraph`` on the nodes 0, 1, ...

        Nodes carry ``role`` and, where the template asks for one, ``label``; edges ``type``.
        """
        from grape_gnn.template import convert

        return convert.to_networkx(self)

    def to_json(self) -> dict[str, Any]:
        """Return a versioned dictionary for ``json.dump``.

        Examples
        --------
        >>> Template("0-1 1-2", name="3-path").to_json()
        {'format': 'grape-template', 'version': 1, 'name': '3-path', 'directed': False,
         'edges': [[0, 1], [1, 2]]}
        """
        from grape_gnn.template import json_form

        return json_form.to_json(self)

    @classmethod
    def from_json(cls, data: str | Mapping[str, Any]) -> Template:
        """Build a template from what `to_json` returned, or from its JSON text."""
        from grape_gnn.template import json_form

        return json_form.from_json(data)

    # -------------------------------------------------------------- drawing

    def svg(self, *, legend: bool = False, scale: float = 1.0) -> str:
        """Draw the template as SVG: the anchor with a ring, one colour per role."""
        from grape_gnn.template import draw

        return draw.svg(self, legend=legend, scale=scale)

    def _repr_svg_(self) -> str:
        return self.svg()

    def sketch(self, *, legend: bool = False, ascii_only: bool = False) -> str:
        """Draw the template on one line of text; see `sketch.sketch`."""
        from grape_gnn.template import sketch

        return sketch.sketch(self, legend=legend, ascii_only=ascii_only)

    # -------------------------------------------------------------- comparison

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Template):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.edges, self.directed, self.labels, self.edge_types

    def __repr__(self) -> str:
        name = "" if self.name is None else f", name={self.name!r}"
        return f"Template({self.text!r}{name})"
