"""What a comparison found, in words: `Difference`, which `separate` and `why_different` return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grape_gnn.differ.counts import Evidence
from grape_gnn.graph import Graph
from grape_gnn.template import Template

__all__ = ["Difference"]

_SHOWN = 12  # nodes in a text
_ROWS = 6  # of counts
_PARTS = 5  # of a profile


@dataclass(frozen=True, eq=False, repr=False)
class Difference:
    """The smallest template that tells two graphs, or two nodes, apart; or why there is none.

    Printed, it explains itself; `svg` draws it and `to_json` is for scripts.

    Parameters
    ----------
    names
        What is compared: the names of two nodes, or ``("first graph", "second graph")``.
    graphs
        The two graphs; the same one twice when nodes are compared.
    template
        The template whose counts differ; None if none was found.
    evidence
        The counts, see `Evidence`; its egos are numbers of nodes.
    minimal
        Whether every smaller template (fewer nodes, or as many and fewer edges, then by canonical
        text) was counted and does not tell them apart.
    isomorphic
        True: a symmetry maps one onto the other, and no template can tell them apart. False: there
        is none. None: not known.
    mapping
        That symmetry, from name to name.
    tried
        How many templates were counted, by their number of nodes.
    time
        Seconds that were allowed; None: any number.
    exhausted
        Whether all templates that were asked for were counted.
    """

    names: tuple[str | int, str | int]
    graphs: tuple[Graph, Graph]
    template: Template | None
    evidence: Evidence | None
    minimal: bool
    isomorphic: bool | None
    mapping: dict[str | int, str | int] | None
    tried: dict[int, int]
    time: float | None
    exhausted: bool

    @property
    def found(self) -> bool:
        """Whether a template tells them apart."""
        return self.template is not None

    @property
    def of_nodes(self) -> bool:
        """Whether nodes were compared, and not graphs."""
        return self.graphs[0] is self.graphs[1]

    @property
    def _by_colours(self) -> bool:
        return self.evidence is not None and self.evidence.by == "role colours"

    @property
    def title(self) -> str:
        """The answer in a line."""
        first, second = self.names
        if self.template is not None:
            refined = "role colours by " if self._by_colours else ""
            tell = "tell" if refined else "tells"
            name = self.template.name or self.template.text
            return f"{refined}{name} {tell} {first} from {second}"
        if self.isomorphic:
            what = "in one orbit" if self.of_nodes else "isomorphic"
            return f"{first} and {second} are {what}: no template can tell them apart"
        if self.exhausted:
            return f"{first} and {second}: none of {self._number_tried()} differs"
        return f"{first} and {second}: none found within {self.time:g} s"

    def where(self) -> tuple[list[str | int], list[str | int]]:
        """Return the nodes of either side whose counts are not as frequent on the other."""
        if self.evidence is None:
            return [], []
        first, second = self.evidence.where
        return (
            [self.graphs[0].name_of(node) for node in first],
            [self.graphs[1].name_of(node) for node in second],
        )

    def explanation(self) -> list[str]:
        """Return the lines below the title."""
        if self.template is None or self.evidence is None:
            return self._why_not()
        first, second = self.evidence.totals
        around = "around" if self.of_nodes else "in"
        lines = [
            f"instances: {first:,} {around} {self.names[0]}, {second:,} {around} {self.names[1]}"
        ]
        if self.of_nodes and (self.evidence.role is not None or self._by_colours):
            role = "" if self._by_colours else f"role {self.evidence.role} "
            for name, pair in zip(self.names, ((1, 0), (0, 1)), strict=True):
                profile = next((p for p, egos in self.evidence.counts.items() if egos == pair), ())
                lines.append(f"{role}around {name}: {describe(profile, self.evidence)}")
        elif not self.of_nodes:
            lines += self._frequencies()
            for name, nodes in zip(self.names, self.where(), strict=True):
                more = f" and {len(nodes) - _SHOWN:,} more" if len(nodes) > _SHOWN else ""
                listed = ", ".join(map(str, nodes[:_SHOWN]))
                lines.append(f"where in {name}: {listed + more if nodes else 'nowhere'}")
        smallest = "it is the smallest: all before it were counted"
        open_ = "whether it is the smallest is open: not all before it could be counted"
        if self._by_colours:
            smallest = "the counts of no template that was tried differ"
        lines.append(f"{smallest if self.minimal else open_} ({self._number_tried()})")
        return [*lines, f"recount: {self.recount}"]

    @property
    def recount(self) -> str:
        """How to count again what differs, in Python."""
        if self.template is None or self.evidence is None:
            return ""
        text = f'"{self.template.text}"'
        if self.evidence.by == "role colours":
            graphs = "graph" if self.of_nodes else "[first, second]"
            return f"grape.role_colours({graphs}, {text})"
        if self.evidence.role is None:
            return f"grape.count_instances(graph, {text})"
        if self.of_nodes:
            return f"grape.ego_role_counts(graph, {text}, node)[{self.evidence.role}]"
        return f"grape.match(graph, {text})[0][{self.evidence.role}].to_scipy()"

    def to_json(self) -> dict[str, Any]:
        """Return everything for ``json.dump``."""
        proof = self.evidence
        template = self.template
        return {
            "names": list(self.names),
            "template": None
            if template is None
            else {"name": template.name, "text": template.text},
            "by": None if proof is None else proof.by,
            "role": None if proof is None else proof.role,
            "instances": None if proof is None else list(proof.totals),
            "counts": []
            if proof is None
            else [{"value": value, "egos": list(egos)} for value, egos in proof.counts.items()],
            "where": [list(nodes) for nodes in self.where()],
            "minimal": self.minimal,
            "isomorphic": self.isomorphic,
            "mapping": None if self.mapping is None else list(map(list, self.mapping.items())),
            "tried": {str(nodes): number for nodes, number in self.tried.items()},
            "exhausted": self.exhausted,
        }

    def svg(self) -> str:
        """Draw the template and the roles around a node of either side that tells them apart."""
        from grape_gnn.differ.figure import difference_figure

        return difference_figure(self)

    def __str__(self) -> str:
        sketch = "" if self.template is None else f"  {self.template.sketch()}"
        return "\n".join([self.title + sketch, *(f"  {line}" for line in self.explanation())])

    def __repr__(self) -> str:
        return f"Difference({self.title!r})"

    def _number_tried(self) -> str:
        number = sum(self.tried.values())
        return f"{number:,} template{'s' if number != 1 else ''}"

    def _frequencies(self) -> list[str]:
        assert self.evidence is not None
        lines = []
        for value, (first, second) in list(self.evidence.counts.items())[:_ROWS]:
            role = self.evidence.role
            what = ("" if role is None else f"role {role}: ") + describe(value, self.evidence)
            egos = f"{first:,} ego{'s' if first != 1 else ''} in {self.names[0]}"
            lines.append(f"{what}: {egos}, {second:,} in {self.names[1]}")
        left = len(self.evidence.counts) - _ROWS
        return lines + ([f"and {left:,} more rows"] if left > 0 else [])

    def _why_not(self) -> list[str]:
        if self.mapping is not None:
            moved = [f"{a} to {b}" for a, b in self.mapping.items() if a != b or not self.of_nodes]
            more = f", and {len(moved) - _SHOWN:,} more" if len(moved) > _SHOWN else ""
            lines = [
                f"this map keeps all edges: {', '.join(moved[:_SHOWN]) or 'nothing to map'}{more}"
            ]
            if any(g.matched_types[0] is not None or g.edge_types is not None for g in self.graphs):
                lines.append("by structure alone: labels and types were not looked at")
            return lines
        by_size = ", ".join(f"{number:,} of {nodes} nodes" for nodes, number in self.tried.items())
        alike = "in one orbit" if self.of_nodes else "isomorphic"
        known = {
            True: [],
            False: [f"they are not {alike}: another template can tell them apart"],
            None: [f"whether they are {alike} is not known: there was no time to find out"],
        }
        return [f"templates counted: {by_size or 'none'}", *known[self.isomorphic]]


def describe(value: Any, evidence: Evidence) -> str:
    """Say what an ego has: a number of instances, a colour, or how often members play a role.

    Examples
    --------
    >>> describe(((3, 2), (1, 4)), Evidence("role counts", 2, (10, 10), {}, ([], [])))
    '2 members 3 times, 4 members once'
    """
    if evidence.by == "role colours":
        return f"colour {value}"
    if evidence.role is None:
        return f"{value:,} instance{'s' if value != 1 else ''} around the ego"
    parts = [
        f"{members:,} member{'s' if members != 1 else ''} "
        + ("once" if count == 1 else f"{count:,} times")
        for count, members in value[:_PARTS]
    ]
    more = ", ..." if len(value) > _PARTS else ""
    return ", ".join(parts) + more or "no members"
