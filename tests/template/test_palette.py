"""Role colours: eight, distinct, and text on them is legible."""

from __future__ import annotations

import pytest

from grape_gnn.template.palette import ROLE_COLOURS, role_colour, text_colour


def luminance(colour: str) -> float:
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return float(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True)))


def test_one_colour_for_each_possible_role() -> None:
    assert len(set(ROLE_COLOURS)) == 8


@pytest.mark.parametrize("role", range(8))
def test_text_has_the_contrast_that_wcag_asks_for(role: int) -> None:
    dark, light = sorted([luminance(role_colour(role)), luminance(text_colour(role))])
    assert (light + 0.05) / (dark + 0.05) >= 4.5
