"""The family tree of the templates a search tried: which grew from which, and how well they did.

Algorithm 1 of the paper grows templates by a node or an edge at a time. A template's parent is
the template of its gene's parents that it grew from when it was first tried. Its score is the best
validation accuracy of a gene that it was part of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup, escape

from grape_gnn.template import Template

__all__ = ["Birth", "Relative", "draw_tree", "grow_tree"]

MOST = 30
_STEPS_BACK = 3  # a gene may change several times in one round
_BOX, _GAP_X, _GAP_Y = (132.0, 104.0), 56.0, 14.0


@dataclass(frozen=True)
class Birth:
    """A gene that was tried: its templates, those of its parents, its score and its round."""

    templates: tuple[Template, ...]
    parents: tuple[Template, ...]
    score: float
    round: int


@dataclass
class Relative:
    """A template in the tree; `parent` is the canonical form of what it grew from, or None."""

    template: Template
    parent: str | None
    round: int
    score: float
    children: list[str] = field(default_factory=list)


def grow_tree(births: Iterable[Birth]) -> dict[str, Relative]:
    """Return all templates by canonical form, in the order they were first tried.

    Examples
    --------
    >>> edge, path = Template("0-1"), Template("0-1 1-2")
    >>> tree = grow_tree([Birth((edge,), (), 0.5, 0), Birth((path,), (edge,), 0.7, 1)])
    >>> [(found.template.text, found.parent, found.score) for found in tree.values()]
    [('0-1', None, 0.5), ('0-1 1-2', '0-1', 0.7)]
    """
    tree: dict[str, Relative] = {}
    for birth in births:
        for template in birth.templates:
            key = template.canonical
            if key not in tree:
                parent = _origin(template, birth.parents, tree)
                tree[key] = Relative(template, parent, birth.round, birth.score)
                if parent is not None:
                    tree[parent].children.append(key)
            tree[key].score = max(tree[key].score, birth.score)
    return tree


def _origin(
    template: Template, candidates: Sequence[Template], tree: dict[str, Relative]
) -> str | None:
    """Find which of the candidates the template grew from, the fewest steps back."""
    known = {candidate.canonical for candidate in candidates} & tree.keys()
    generation = {template.canonical: template}
    for _ in range(_STEPS_BACK):
        older = {p.canonical: p for one in generation.values() for p in one.parents()}
        found = sorted(known & older.keys() - {template.canonical})
        if found:
            return found[0]
        generation = older
    return None


def draw_tree(tree: dict[str, Relative], best: Iterable[str], most: int = MOST) -> Markup:
    """Draw the tree from left to right, the templates of the best gene and their line marked.

    Parameters
    ----------
    tree
        What `grow_tree` returned.
    best
        Canonical forms of the best gene's templates.
    most
        Draw about this many templates: the best gene's line, and those that did best.
    """
    marked = {key for leaf in best for key in _line(tree, leaf)}
    shown = set(marked)
    for key in sorted(tree, key=lambda key: -tree[key].score):
        if len(shown) >= most:
            break
        shown.update(_line(tree, key))
    places: dict[str, tuple[float, float]] = {}
    roots = [key for key in tree if key in shown and tree[key].parent is None]
    bottom = 0.0
    for root in roots:
        bottom = _place(tree, root, shown, marked, 0, bottom, places)
    width = max(x for x, _ in places.values()) + _BOX[0] + 4
    height = max(y for _, y in places.values()) + _BOX[1] + 4
    branches = [
        _branch(places[parent], places[key], key in marked)
        for key in places
        if (parent := tree[key].parent) is not None
    ]
    boxes = [_box(tree[key], place, key in marked) for key, place in places.items()]
    return Markup(
        f"<svg width='{width:.0f}' height='{height:.0f}' viewBox='0 0 {width:.0f} {height:.0f}' "
        f"role='img' aria-label='Family tree of templates'>{''.join(branches + boxes)}</svg>"
    )


def _line(tree: dict[str, Relative], key: str | None) -> list[str]:
    """Return a template and all it descends from."""
    line = []
    while key is not None:
        line.append(key)
        key = tree[key].parent
    return line


def _place(
    tree: dict[str, Relative],
    key: str,
    shown: set[str],
    marked: set[str],
    depth: int,
    top: float,
    places: dict[str, tuple[float, float]],
) -> float:
    """Place a template and its descendants below `top`; return where the next may start."""
    x = 2 + depth * (_BOX[0] + _GAP_X)
    # The line of the best comes first, and a parent is level with its first child: so that line
    # runs along the top, where the reader starts.
    children = [child for child in tree[key].children if child in shown]
    children.sort(key=lambda child: (child not in marked, -tree[child].score))
    places[key] = (x, top + 2)
    below = top
    for child in children:
        below = _place(tree, child, shown, marked, depth + 1, below, places)
    return below if children else top + _BOX[1] + _GAP_Y


def _branch(start: tuple[float, float], end: tuple[float, float], marked: bool) -> str:
    x1, y1 = start[0] + _BOX[0], start[1] + _BOX[1] / 2
    x2, y2 = end[0], end[1] + _BOX[1] / 2
    middle = (x1 + x2) / 2
    kind = "branch best" if marked else "branch"
    return (
        f"<path class='{kind}' d='M{x1:.1f} {y1:.1f}C{middle:.1f} {y1:.1f} {middle:.1f} "
        f"{y2:.1f} {x2:.1f} {y2:.1f}'/>"
    )


def _box(one: Relative, place: tuple[float, float], marked: bool) -> str:
    x, y = place
    size = f"x='{x + 8:.1f}' y='{y + 6:.1f}' width='{_BOX[0] - 16:.0f}' height='{_BOX[1] - 46:.0f}'"
    # The drawing is a document of its own; here it gets a place and a size.
    drawing = re.sub(r"width='\d+' height='\d+'", size, one.template.svg(), count=1)
    name = one.template.name or one.template.text
    short = name if len(name) <= 20 else f"{name[:19]}…"
    hint = f"{name}\nfirst tried in round {one.round}\nbest gene with it: {one.score:.1%}"
    return (
        f"<g data-hint='{escape(hint)}'><rect class='frame{' best' if marked else ''}' "
        f"x='{x:.1f}' y='{y:.1f}' width='{_BOX[0]:.0f}' height='{_BOX[1]:.0f}' rx='8'/>{drawing}"
        f"<text x='{x + _BOX[0] / 2:.1f}' y='{y + _BOX[1] - 24:.1f}' text-anchor='middle'>"
        f"{escape(short)}</text><text class='score' x='{x + _BOX[0] / 2:.1f}' "
        f"y='{y + _BOX[1] - 8:.1f}' text-anchor='middle'>{one.score:.1%}</text></g>"
    )
