"""Names beside dots, so that no two of them touch.

Every name tries the places around its dot, near ones first, and takes the one that covers the
fewest dots, and the fewest lines of its own dot, among those where it touches no other name.
Further away it gets a line to its dot. A name that fits nowhere is left out. Widths are those of
DejaVu Sans, the widest of the usual fonts, so names stay apart in the others too.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Label", "place_labels", "text_width"]

Box = tuple[float, float, float, float]  # left, top, right, bottom

_WIDTHS = {
    **dict.fromkeys("ijl'|.,:;!I ()[]-/\\", 0.42),
    **dict.fromkeys('frt"', 0.48),
    **dict.fromkeys("mwMWQOGD@%&—…", 1.0),
}
_LOWER, _UPPER = 0.66, 0.78
_LINE = 1.25  # height of a line, in sizes of the font
_ASCENT = 0.95
_TURNS = (-90, 90, 0, 180, -45, -135, 45, 135, -67, -113, 67, 113, -22, 22, 158, 202)
_GAPS = (3.0, 9.0, 18.0, 30.0, 45.0, 63.0, 84.0)
_NEAR = 9.0  # beyond this gap a line leads to the dot
_FAR = 0.007  # what a pixel of distance counts, in dots covered
_LINE_COVERED = 0.003  # likewise a pixel of a line: rather a free side than a place further away


@dataclass(frozen=True)
class Label:
    """A name and its place: the middle of its baseline, its box, and where its line starts."""

    number: int
    text: str
    x: float
    y: float
    box: Box
    leader: tuple[float, float] | None


def text_width(text: str, size: float) -> float:
    """Return a width that the text does not exceed in the usual fonts, semi-bold.

    Examples
    --------
    >>> text_width("ill", 10) < text_width("mmm", 10)
    True
    """
    width = 0.0
    for letter in text:
        if unicodedata.combining(letter):
            continue
        if unicodedata.east_asian_width(letter) in "WF" or ord(letter) > 0x2E80:
            width += 1.3 if ord(letter) > 0xFFFF else 1.05
        else:
            width += _WIDTHS.get(letter, _UPPER if letter.isupper() else _LOWER)
    return 1.06 * size * width  # semi-bold


def place_labels(
    points: Sequence[tuple[float, float]],
    radii: Sequence[float],
    texts: Sequence[str],
    order: Sequence[int],
    frame: tuple[float, float],
    *,
    size: float = 12.0,
    lines: Mapping[int, Sequence[tuple[float, float]]] | None = None,
) -> list[Label]:
    """Find a place for as many names as fit.

    Parameters
    ----------
    points, radii
        The dots: names should not cover them.
    texts
        Their names.
    order
        Numbers of the dots to be named, the most important first.
    frame
        Width and height that names stay within.
    size
        Size of the font.
    lines
        For dots with lines, by number: where their lines lead to. A name does not cover the line
        of its own dot, and the head of an arc on it, if there is a free side.

    Examples
    --------
    >>> at = [(50.0, 50.0), (52.0, 50.0)]
    >>> one, two = place_labels(at, [5, 5], ["ann", "bob"], [0, 1], (100, 100))
    >>> one.box[3] <= two.box[1] or two.box[3] <= one.box[1]
    True
    """
    dots = list(zip(points, radii, strict=True))
    taken: list[Box] = []
    placed = []
    for number in order:
        (x, y), radius = dots[number]
        half = text_width(texts[number], size) / 2
        ends = (lines or {}).get(number, ())
        best: tuple[float, Box, float] | None = None
        for gap in _GAPS:
            if best is not None and best[0] <= _FAR * gap:
                break  # further away it cannot get better
            for turn in _TURNS:
                box = _box(x, y, radius + gap, turn, half, size)
                outside = box[0] < 1 or box[1] < 1 or box[2] > frame[0] - 1 or box[3] > frame[1] - 1
                if outside or any(_touch(box, other) for other in taken):
                    continue
                cost = _FAR * gap + sum(_covers(box, at, r) for at, r in dots)
                cost += _LINE_COVERED * sum(_inside(box, (x, y), end) for end in ends)
                if best is None or cost < best[0]:
                    best = cost, box, gap
        if best is None:
            continue
        _, box, gap = best
        taken.append(box)
        leader = _edge_point(box, x, y) if gap > _NEAR else None
        middle, baseline = (box[0] + box[2]) / 2, box[1] + _ASCENT * size
        placed.append(Label(number, texts[number], middle, baseline, box, leader))
    return placed


def _box(x: float, y: float, away: float, turn: float, half: float, size: float) -> Box:
    """Return the box that touches a circle of radius `away` in the given direction."""
    across, down = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    high = _LINE * size / 2
    middle_x = x + across * (away + half)
    middle_y = y + down * (away + high)
    return middle_x - half, middle_y - high, middle_x + half, middle_y + high


def _touch(one: Box, two: Box) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _covers(box: Box, at: tuple[float, float], radius: float) -> bool:
    near_x = min(max(at[0], box[0]), box[2])
    near_y = min(max(at[1], box[1]), box[3])
    return (at[0] - near_x) ** 2 + (at[1] - near_y) ** 2 < radius**2


def _inside(box: Box, start: tuple[float, float], end: tuple[float, float]) -> float:
    """Return how much of a line is inside a box, in pixels."""
    enters, leaves = 0.0, 1.0
    for axis in (0, 1):
        length = end[axis] - start[axis]
        low, high = box[axis] - start[axis], box[axis + 2] - start[axis]
        if length == 0:
            if low > 0 or high < 0:
                return 0.0
            continue
        near, far = sorted((low / length, high / length))
        enters, leaves = max(enters, near), min(leaves, far)
    return max(0.0, leaves - enters) * math.dist(start, end)


def _edge_point(box: Box, x: float, y: float) -> tuple[float, float]:
    return min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])
