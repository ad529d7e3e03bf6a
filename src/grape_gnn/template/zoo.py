"""The named templates: the paper's S1 to S11 (appendix D.2), its sets, and the well-known rest.

>>> template("triangle").roles
((0,), (1, 2))
>>> [t.name for t in templates("social")]
['edge', '3-path', 'triangle', '4-clique', 'tailed-triangle']

In ``k-path``, ``k-star``, ``k-clique`` and ``k-cycle``, *k* is the number of nodes, 2 to 8; a
``4-star`` is a centre with three leaves. Where a shape has several places for the anchor, the
name says which: ``diamond-hub``, ``diamond-tip``.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grape_gnn.errors import TemplateError, UnknownTemplateError
from grape_gnn.notebook import html_list
from grape_gnn.template.family import all_templates
from grape_gnn.template.json_form import load_templates
from grape_gnn.template.sets import SETS, WHOLE_SETS
from grape_gnn.template.structure import MAX_NODES
from grape_gnn.template.template import Template
from grape_gnn.template.text import looks_like_text

__all__ = [
    "SETS",
    "ZOO",
    "ZooEntry",
    "all_templates",
    "entry_of",
    "is_name",
    "template",
    "templates",
]


@dataclass(frozen=True)
class ZooEntry:
    """A named template.

    Parameters
    ----------
    name
        The readable name.
    text
        The text form.
    description
        What the template is, and what its roles mean, in a line.
    aliases
        Other names; the paper's number comes first.
    """

    name: str
    text: str
    description: str
    aliases: tuple[str, ...] = ()

    @property
    def number(self) -> str | None:
        """The paper's number, such as ``"S3"``."""
        first = self.aliases[0] if self.aliases else ""
        return first if re.fullmatch(r"S[0-9]+", first) else None

    @property
    def template(self) -> Template:
        """The template itself, carrying the name."""
        return Template(self.text, name=self.name)


# Name: text (other names), and below what it is.
_TABLE = """
# The paper's templates
edge: 0-1  (S1, 2-path, 2-clique, 2-star)
    an edge: the ego and its neighbours
3-path: 0-1 1-2  (S2)
    a path from the ego: friends, and friends of friends
triangle: 0-1 0-2 1-2  (S3, 3-clique, 3-cycle)
    a triangle: pairs of neighbours who know each other (strong ties)
4-path: 0-1 1-2 2-3  (S4)
    a path of three steps from the ego, one role per step
4-clique: 0-1 0-2 0-3 1-2 1-3 2-3  (S5)
    four nodes all joined: close-knit communities
tailed-triangle: 0-1 0-2 1-2 0-3  (S6, paw, tailed-triangle-centre)
    a triangle with a tail at the ego: strong ties and a plain neighbour
to: 0<1  (S7, in-edge)
    an arc into the ego: who points to it
from: 0>1  (S8, out-edge)
    an arc out of the ego: whom it points to
bi-direct: 0<>1  (S9, reciprocal-edge)
    arcs both ways: neighbours that point to the ego and back
from-to: 0<1 0>2  (S10, chain-middle)
    the ego in the middle of a flow: one node points to it, it points to another
directed-triangle: 0<>1 0<>2 1<>2  (S11)
    a triangle with arcs both ways on every side
# Trees
3-star: 0-1 0-2  (3-path-middle, wedge)
    the ego between two neighbours (an open triad, or wedge)
4-path-inner: 0-1 0-2 2-3
    a 4-path with the ego one step from an end
4-star: 0-1 0-2 0-3  (claw)
    the ego at the centre of three leaves (a claw)
4-star-leaf: 0-1 1-2 1-3  (claw-leaf)
    the ego as one of a centre's three leaves
5-path: 0-1 1-2 2-3 3-4
    a path of four steps from the ego
5-path-inner: 0-1 0-2 2-3 3-4
    a 5-path with the ego one step from an end
5-path-middle: 0-1 0-2 1-3 2-4
    a 5-path with the ego in the middle: two-step walks to both sides
5-star: 0-1 0-2 0-3 0-4
    the ego at the centre of four leaves
5-star-leaf: 0-1 1-2 1-3 1-4
    the ego as one of a centre's four leaves
fork: 0-1 0-2 0-3 3-4  (chair)
    a star of three branches, one of them longer, the ego at the junction
# Cycles and what hangs on them
4-cycle: 0-1 0-2 1-3 2-3  (square)
    a square: two ways to reach the opposite corner
5-cycle: 0-1 0-2 1-3 2-4 3-4  (pentagon)
    a ring of five nodes
joined-tips: 0-1 0-2 1-3 1-4 2-3 2-4 3-4
    a diamond whose two tips are both joined to the ego
k33: 0-3 0-4 0-5 1-3 1-4 1-5 2-3 2-4 2-5
    two groups of three, everyone joined to all of the other group
cube: 0-1 0-2 0-4 1-3 1-5 2-3 2-6 3-7 4-5 4-6 5-7 6-7
    the ego at a corner of a cube
6-cycle: 0-1 0-2 1-3 2-4 3-5 4-5  (hexagon)
    a ring of six nodes
tailed-triangle-corner: 0-1 0-2 1-2 1-3  (paw-corner)
    a tailed triangle with the ego at a corner away from the tail
tailed-triangle-tail: 0-1 1-2 1-3 2-3  (paw-tail)
    a tailed triangle with the ego at the end of the tail
tailed-square: 0-1 0-2 1-3 2-3 0-4  (banner)
    a square with a tail at the ego
bull: 0-1 0-2 1-2 1-3 2-4  (bull-nose)
    a triangle whose two other corners have a neighbour each, the ego at the nose
bull-corner: 0-1 0-2 1-2 0-3 1-4
    a bull with the ego at the foot of a horn
bull-horn: 0-1 1-2 1-3 2-3 2-4
    a bull with the ego at the tip of a horn
cricket: 0-1 0-2 1-2 0-3 0-4
    a triangle with two tails at the ego
butterfly: 0-1 0-2 1-2 0-3 0-4 3-4  (bow-tie, butterfly-centre)
    two triangles that share the ego: a broker between two groups
butterfly-wing: 0-1 0-2 1-2 1-3 1-4 3-4  (bow-tie-wing)
    two triangles that share a node, the ego at an outer corner
# Denser shapes
diamond-hub: 0-1 0-2 0-3 1-2 2-3  (diamond, chordal-cycle)
    two triangles that share an edge, the ego on that edge
diamond-tip: 0-1 0-2 1-2 1-3 2-3
    two triangles that share an edge, the ego at a tip
tailed-4-clique: 0-1 0-2 0-3 1-2 1-3 2-3 0-4
    a 4-clique with a tail at the ego
house: 0-1 0-2 1-2 1-3 2-4 3-4  (house-roof)
    a square with a roof, the ego at the top of the roof
house-eave: 0-1 0-2 1-2 1-3 0-4 3-4
    a house with the ego where roof and wall meet
house-base: 0-1 0-2 1-3 2-3 2-4 3-4
    a house with the ego at a lower corner
gem: 0-1 0-2 0-3 0-4 1-2 2-3 3-4  (fan)
    the ego joined to all nodes of a 4-path (a fan)
k23: 0-1 0-2 0-3 1-4 2-4 3-4
    two nodes with three common neighbours, the ego one of the two
5-wheel: 0-1 0-2 0-3 0-4 1-2 2-3 3-4 1-4  (wheel)
    the ego at the hub of a square
5-wheel-rim: 0-1 0-2 0-3 1-2 1-3 2-4 3-4 1-4  (wheel-rim)
    the ego on the rim of a wheel around a square
5-clique: 0-1 0-2 0-3 0-4 1-2 1-3 1-4 2-3 2-4 3-4
    five nodes all joined
# Directed
chain-start: 0>1 1>2  (directed-3-path)
    the first of a directed chain of three
chain-end: 0<1 1<2
    the last of a directed chain of three
out-star: 0>1 0>2
    the ego points to two nodes
in-star: 0<1 0<2
    two nodes point to the ego
co-cited: 0<1 1>2  (co-citation)
    something points to the ego and to another node (co-citation)
co-citing: 0>1 1<2  (bibliographic-coupling)
    the ego and another node point to the same thing (bibliographic coupling)
directed-3-cycle: 0>1 1>2 0<2  (feedback-loop)
    a feedback loop of three arcs
feed-forward-source: 0>1 0>2 1>2  (feed-forward-loop, ffl, ffl-source)
    a feed-forward loop with the ego at its source
feed-forward-middle: 0<1 0>2 1>2  (ffl-middle)
    a feed-forward loop with the ego as the go-between
feed-forward-target: 0<1 0<2 1>2  (ffl-target)
    a feed-forward loop with the ego at its target
bi-fan-source: 0>2 0>3 1>2 1>3  (bi-fan)
    two nodes point to the same two, the ego one of the sources
bi-fan-target: 0<2 0<3 1<2 1<3
    two nodes point to the same two, the ego one of the targets
bi-parallel: 0>1 0>2 1>3 2>3  (bi-parallel-source)
    two directed ways from the ego to one target
directed-4-cycle: 0>1 1>2 2>3 0<3
    a feedback loop of four arcs
"""


def _read(table: str) -> tuple[ZooEntry, ...]:
    row = re.compile(r"^([^#\s].*?): (.*?)(?:  \((.*)\))?\n {4}(.*)$", re.MULTILINE)
    return tuple(
        ZooEntry(name, text, words, tuple(others.split(", ")) if others else ())
        for name, text, others, words in row.findall(table)
    )


ZOO: tuple[ZooEntry, ...] = _read(_TABLE)
"""Every named template, the paper's first."""


def _key(name: str) -> str:
    return re.sub(r"[\s_]+", "-", name.strip().lower())


_BY_NAME: dict[str, ZooEntry] = {
    _key(name): entry for entry in ZOO for name in (entry.name, *entry.aliases)
}


def template(name: str | Template) -> Template:
    """Return the template of this name.

    Parameters
    ----------
    name
        A name (``"triangle"``), a number of the paper (``"S3"``), a family (``"7-path"``), or
        the text form of any template (``"0-1 1-2"``).

    Examples
    --------
    >>> template("S6")
    Template('0-1 0-2 0-3 1-2', name='tailed-triangle')
    >>> template("6-star").num_automorphisms
    120
    """
    if isinstance(name, Template):
        return name
    if not isinstance(name, str):
        raise TemplateError(
            f"cannot find a template by {name!r}: give a name such as 'triangle' or text such "
            f"as '0-1 1-2'"
        )
    if looks_like_text(name):
        return Template(name)
    entry = _find(name)
    if entry is None:
        raise _unknown(name)
    return entry.template


class TemplateList(list[Template]):
    """A list of templates that a notebook shows as drawings."""

    def _repr_html_(self) -> str:
        drawn = [(t.name or t.text, t.svg(scale=0.7)) for t in self]
        return html_list(f"{len(self)} template{'s' if len(self) != 1 else ''}", drawn)


def templates(which: str | Path | Template | Iterable[str | Template]) -> TemplateList:
    """Return several templates.

    Parameters
    ----------
    which
        The name of a set (see `SETS`), names separated by commas, a ``.json`` file written by
        `save_templates` or the folder of a search, which has one, the text form of one template,
        or a list of any of these and of templates.

    Examples
    --------
    >>> [t.name for t in templates("S1,S3")]
    ['edge', 'triangle']
    >>> templates(["triangle", "0-1 1-2"])
    [Template('0-1 0-2 1-2', name='triangle'), Template('0-1 1-2')]
    """
    if isinstance(which, Template):
        return TemplateList([which])
    if isinstance(which, Path):
        return TemplateList(load_templates(which))
    if not isinstance(which, str):
        if not isinstance(which, Iterable):
            raise TemplateError(
                f"cannot find templates by {which!r}: give a set such as 'social', names such as "
                f"'S1,S3', a list or a .json file"
            )
        return TemplateList(t for item in which for t in templates(item))
    if _key(which) in _SETS_BY_NAME:
        return TemplateList(template(name) for name in _SETS_BY_NAME[_key(which)])
    if _key(which) in WHOLE_SETS:
        sizes = range(2, WHOLE_SETS[_key(which)] + 1)
        return TemplateList(each for size in sizes for each in all_templates(size))
    if which.strip().lower().endswith(".json"):
        return TemplateList(load_templates(which.strip()))
    if looks_like_text(which) or is_name(which):
        return TemplateList([template(which)])
    if which.strip() and Path(which).is_dir():
        found = load_templates(Path(which) / "templates.json")
        # Of those that differ in the numbers of their nodes only, one is enough.
        distinct: dict[str, Template] = {}
        for each in found:
            distinct.setdefault(each.canonical, each)
        return TemplateList(distinct.values())
    items = [item.strip() for item in which.split(",") if item.strip()]
    if items and items != [which]:
        return TemplateList(t for item in items for t in templates(item))
    raise _unknown(which)


def is_name(text: str) -> bool:
    """Whether `template` knows this name.

    Examples
    --------
    >>> is_name("Bow-Tie"), is_name("bow-ties")
    (True, False)
    """
    return _find(text) is not None


def entry_of(given: Template) -> ZooEntry | None:
    """Return the entry that a template comes from; None if it is not what its name says.

    Examples
    --------
    >>> entry_of(template("S3")).description
    'a triangle: pairs of neighbours who know each other (strong ties)'
    >>> entry_of(Template("0-1", name="triangle")) is None
    True
    """
    entry = None if given.name is None else _find(given.name)
    return entry if entry is not None and entry.template == given else None


_SETS_BY_NAME = {**SETS, "e-commerce": SETS["ecommerce"]}


def _find(name: str) -> ZooEntry | None:
    return _BY_NAME.get(_key(name)) or _of_family(_key(name))


def _of_family(name: str) -> ZooEntry | None:
    """Return a path, star, clique or cycle of any size up to eight."""
    found = re.fullmatch(r"([2-8])-(path|star|clique|cycle|star-leaf)", name)
    if found is None:
        return None
    k, shape = int(found[1]), found[2]
    if shape == "path":
        edges = [(a, a + 1) for a in range(k - 1)]
        words = f"a path of {k - 1} steps from the ego"
    elif shape == "star":
        edges = [(0, a) for a in range(1, k)]
        words = f"the ego at the centre of {k - 1} leaves"
    elif shape == "star-leaf":
        edges = [(0, 1), *((1, a) for a in range(2, k))]
        words = f"the ego as one of a centre's {k - 1} leaves"
    elif shape == "clique":
        edges = [(a, b) for a in range(k) for b in range(a + 1, k)]
        words = f"{k} nodes all joined"
    else:
        edges = sorted((min(a, (a + 1) % k), max(a, (a + 1) % k)) for a in range(k))
        words = f"a ring of {k} nodes"
    if shape == "cycle" and k == 2:
        return None
    return ZooEntry(name, " ".join(f"{a}-{b}" for a, b in edges), words)


def _unknown(name: str) -> UnknownTemplateError:
    if _key(name) in {*_SETS_BY_NAME, *WHOLE_SETS} or all(map(is_name, name.split(","))):
        found = templates(name)
        return UnknownTemplateError(
            f"{name!r} is {len(found)} templates, and one is wanted here: name one of them, such "
            f"as {found[-1].name or found[-1].text!r}"
        )
    known = [*(n for e in ZOO for n in (e.name, *e.aliases)), *_SETS_BY_NAME, *WHOLE_SETS]
    by_key = {_key(n): n for n in known}
    close = [by_key[k] for k in difflib.get_close_matches(_key(name), by_key, n=3)]
    meant = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
    if re.fullmatch(r"[0-9]+-(path|star|clique|cycle)(-leaf)?", _key(name)):
        meant = f"paths, stars, cliques and cycles have 2 to {MAX_NODES} nodes (a cycle 3). "
    return UnknownTemplateError(
        f"no template or set of templates is called {name!r}: {meant}"
        f"`grape templates` (in Python: grape_gnn.template.zoo.ZOO) lists all names; text such as "
        f"'0-1 1-2 0-2' defines any template"
    )
