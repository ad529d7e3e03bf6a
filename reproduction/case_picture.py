"""Fig. 4 of the paper: the labels around a node, one disc per set, the ego in the middle."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from grape_gnn.charts import series_colour
from reproduction.plots import WIDTH, titled_picture

__all__ = ["case_picture"]

_TOP, _SIZE, _DOT = 54.0, 236.0, 8.0
_COLOURED = 5  # labels; the rest are grey
_GREY = "#8b949e"


def case_picture(title: str, own: str, sets: Mapping[str, Sequence[str]]) -> str:
    """Draw the labels of several sets of nodes.

    Dots of the ego's own label lie innermost, then the other labels by how frequent they are.

    Parameters
    ----------
    title
        Written above.
    own
        The label of the ego.
    sets
        The labels of the drawn members, by the name of the set.

    Examples
    --------
    >>> picture = case_picture("Around ann", "red", {"friends": ["red", "blue", "red"]})
    >>> picture.count("<circle class='dot'")
    4
    """
    frequent = Counter(label for labels in sets.values() for label in labels)
    ranked = [own, *(label for label, _ in frequent.most_common() if label != own)]
    colours = {label: series_colour(k) for k, label in enumerate(ranked[:_COLOURED])}
    step = WIDTH / max(len(sets), 1)
    parts = _legend(ranked[:_COLOURED], len(ranked) > _COLOURED)
    for number, (name, labels) in enumerate(sets.items()):
        x, y = step * (number + 0.5), _TOP + _SIZE / 2
        parts.append(_dot(x, y, own, colours, 9.0))
        parts.append(
            f"<circle cx='{x:.1f}' cy='{y:.1f}' r='12.5' fill='none' stroke='currentColor'/>"
        )
        for k, label in enumerate(sorted(labels, key=ranked.index)):
            # Sunflower places: evenly spread over a disc, beginning beside the ego.
            radius, turn = 18.5 * math.sqrt(k / 3 + 1.2), 2.399963 * k
            at = x + radius * math.cos(turn), y + radius * math.sin(turn)
            parts.append(_dot(*at, label, colours, _DOT))
        parts.append(
            f"<text class='middle' x='{x:.1f}' y='{_TOP + _SIZE + 16:g}'>{escape(name)}</text>"
        )
    return titled_picture(parts, _TOP + _SIZE + 32, title)


def _dot(x: float, y: float, label: str, colours: Mapping[str, str], radius: float) -> str:
    return (
        f"<circle class='dot' cx='{x:.1f}' cy='{y:.1f}' r='{radius:g}' "
        f"fill='{colours.get(label, _GREY)}'><title>{escape(label)}</title></circle>"
    )


def _legend(labels: Sequence[str], more: bool) -> list[str]:
    entries = [*((label, series_colour(k)) for k, label in enumerate(labels))]
    if more:
        entries.append(("other", _GREY))
    parts, x = [], 10.0
    for label, colour in entries:
        parts.append(f"<circle cx='{x + 5:.1f}' cy='38' r='5' fill='{colour}'/>")
        parts.append(f"<text x='{x + 15:.1f}' y='42.5'>{escape(label)}</text>")
        x += 30 + 7.8 * len(label)
    return parts
