"""The colours of the roles, the same in every drawing, table and report.

The eight colours of Okabe and Ito, which people with any kind of colour vision can tell apart;
a template has at most eight roles. The anchor's role 0 comes first.
"""

from __future__ import annotations

__all__ = ["ROLE_COLOURS", "role_colour", "text_colour"]

ROLE_COLOURS: tuple[str, ...] = (
    "#D55E00",  # vermilion: the anchor
    "#0072B2",  # blue
    "#009E73",  # bluish green
    "#CC79A7",  # reddish purple
    "#F0E442",  # yellow
    "#56B4E9",  # sky blue
    "#E69F00",  # orange
    "#000000",  # black
)


def role_colour(role: int) -> str:
    """Colour of a role, as ``#RRGGBB``.

    Examples
    --------
    >>> role_colour(0)
    '#D55E00'
    """
    return ROLE_COLOURS[role]


def text_colour(role: int) -> str:
    """Black or white, whichever is more legible on the role's colour.

    Examples
    --------
    >>> text_colour(4), text_colour(7)
    ('#000000', '#FFFFFF')
    """
    # Relative luminance of WCAG 2: white text wins on colours darker than about 0.18.
    return "#FFFFFF" if _luminance(ROLE_COLOURS[role]) < 0.2 else "#000000"


def _luminance(colour: str) -> float:
    channels = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
