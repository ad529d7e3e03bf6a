"""Numbers with a decimal comma, as most of Europe writes them: ``1.234,50`` is 1234.5.

A column has them if nine of ten of its cells read so. Where every comma could stand before
thousands as well (``1,234``), it does, unless the columns of the file are separated by semicolons.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from grape_gnn.graph.gaps import is_gap

__all__ = ["MOSTLY", "with_points"]

MOSTLY = 0.9  # of the cells: so many make a column of numbers or dates, with a few slips in it
_EUROPEAN = re.compile(
    r"[+-]? ?[$€£]? ?(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?(?:[eE][+-]?[0-9]+)? ?[%€]?"
)
_THOUSANDS = re.compile(r"[^0-9]*[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?[^0-9]*")


def with_points(cells: Sequence[Any], semicolons: bool = False) -> list[Any]:
    """Write decimal commas as points, if a column has them.

    Parameters
    ----------
    cells
        The column; None is a gap, and so is what `is_gap` says.
    semicolons
        Whether its file separates columns by semicolons, which is done where commas are decimal.

    Examples
    --------
    >>> with_points(["1.234,50", "0,5", None])
    ['1234.50', '0.5', None]
    >>> with_points(["1,234", "2,500"]), with_points(["1,234", "2,500"], semicolons=True)
    (['1,234', '2,500'], ['1.234', '2.500'])
    """
    commas = [cell for cell in cells if cell and "," in cell]
    if not commas or (not semicolons and all(map(_THOUSANDS.fullmatch, commas))):
        return list(cells)
    present = [cell for cell in cells if cell and not is_gap(cell)]
    european = {cell for cell in present if _EUROPEAN.fullmatch(cell)}
    if sum(cell in european for cell in present) < MOSTLY * len(present):
        return list(cells)
    return [cell.replace(".", "").replace(",", ".") if cell in european else cell for cell in cells]
