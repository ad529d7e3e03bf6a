"""A template on one line of text, for terminals and logs.

The edges are walked along as few trails as it takes; the anchor is a disc and every other node
carries the letter of its role: ``●0─1a─2a─●0─3b`` is the tailed triangle.
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grape_gnn.template.palette import role_colour
from grape_gnn.template.template import Template
from grape_gnn.template.text import Edge, Label

if TYPE_CHECKING:
    from rich.text import Text as RichText

__all__ = ["coloured", "sketch"]

_ASCII = str.maketrans({"●": "*", "─": "-", "→": ">", "←": "<", "↔": "="})


def sketch(template: Template, *, legend: bool = False, ascii_only: bool = False) -> str:
    """Draw a template on one line.

    Parameters
    ----------
    template
        The template.
    legend
        Whether to add a line for each role.
    ascii_only
        For terminals without Unicode; ``=`` then stands for an edge both ways.

    Examples
    --------
    >>> sketch(Template("0-1 0-2 1-2 0-3"))
    '●0─1a─2a─●0─3b'
    >>> sketch(Template("0<1 0>2 1:rock"))
    '1a(rock)→●0→2b'
    >>> print(sketch(Template("0-1 0-2"), legend=True))
    1a─●0─2a
      ● role 0: node 0, the anchor
      a role 1: nodes 1, 2
    """
    lines = ["".join(text for text, _ in _pieces(template))]
    if legend:
        lines.append("  ● role 0: node 0, the anchor")
        for role, nodes in enumerate(template.roles[1:], start=1):
            plural = "s" if len(nodes) > 1 else ""
            listed = ", ".join(map(str, nodes))
            lines.append(f"  {_letter(role)} role {role}: node{plural} {listed}")
    whole = "\n".join(lines)
    return whole.translate(_ASCII) if ascii_only else whole


def coloured(template: Template) -> RichText:
    """Return the one-line drawing for a `rich` console, the nodes in the colours of their roles.

    Examples
    --------
    >>> coloured(Template("0-1")).markup
    '[bold #D55E00]●0[/bold #D55E00]─[bold #0072B2]1a[/bold #0072B2]'
    """
    from rich.text import Text

    line = Text()
    for text, role in _pieces(template):
        line.append(text, style=None if role is None else f"bold {role_colour(role)}")
    return line


def _pieces(template: Template) -> Iterator[tuple[str, int | None]]:
    """Yield the parts of the line, each node with its role."""
    arcs = set(template.edges)
    for k, trail in enumerate(_trails(template)):
        if k > 0:
            yield " ", None
        yield _node(template, trail[0]), template.role_of[trail[0]]
        for a, b in itertools.pairwise(trail):
            yield _sign(template, arcs, a, b), None
            yield _node(template, b), template.role_of[b]


def _trails(template: Template) -> list[list[int]]:
    """Split the edges into as few trails as possible, one that starts at the anchor first.

    Joining the nodes of odd degree in pairs makes an Euler circuit possible (Hierholzer's
    algorithm finds it); cut where it uses such a join, it falls into the trails.
    """
    skeleton = sorted({(min(e), max(e)) for e in template.edges})
    odd = [node for node in range(template.num_nodes) if sum(node in e for e in skeleton) % 2]
    joins = list(zip(odd[::2], odd[1::2], strict=True))
    links = skeleton + joins
    unused = set(range(len(links)))
    stack: list[tuple[int, int | None]] = [(0, None)]
    circuit: list[tuple[int, int | None]] = []  # node, and the link by which it was reached
    while stack:
        here = stack[-1][0]
        link = next((k for k in sorted(unused) if here in links[k]), None)
        if link is None:
            circuit.append(stack.pop())
        else:
            unused.discard(link)
            stack.append((sum(links[link]) - here, link))
    circuit.reverse()
    trails = [[0]]
    for node, link in circuit[1:]:
        if link is not None and link >= len(skeleton):
            trails.append([node])
        else:
            trails[-1].append(node)
    if joins and trails[0][0] == trails[-1][-1]:
        trails[0] = trails.pop() + trails[0][1:]  # the circuit closes at the anchor: no cut there
    return [trail if trail[0] <= trail[-1] else trail[::-1] for trail in trails if len(trail) > 1]


def _sign(template: Template, arcs: set[Edge], a: int, b: int) -> str:
    asked = [kind for arc, kind in template.type_of_edge.items() if set(arc) == {a, b}]
    kinds = "|".join(dict.fromkeys(map(_shown, asked)))
    if not template.directed:
        return f"─{kinds}─" if kinds else "─"
    sign = "↔" if {(a, b), (b, a)} <= arcs else "→" if (a, b) in arcs else "←"
    return f"{sign}({kinds})" if kinds else sign


def _shown(asked: Label) -> str:
    return "".join(c if c.isprintable() else "?" for c in str(asked))  # no escape codes


def _node(template: Template, node: int) -> str:
    role, label = template.role_of[node], template.labels[node]
    constraint = "" if label is None else f"({_shown(label)})"
    return f"●0{constraint}" if node == 0 else f"{node}{_letter(role)}{constraint}"


def _letter(role: int) -> str:
    return string.ascii_lowercase[role - 1]
