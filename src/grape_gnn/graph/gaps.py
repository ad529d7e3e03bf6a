"""What stands for a missing value in the cell of a table."""

from __future__ import annotations

__all__ = ["GAPS", "is_gap"]

_OF_SPREADSHEETS = ("#n/a", "#value!", "#div/0!", "#ref!", "#name?", "#num!")
GAPS = frozenset(
    ("", "na", "n/a", "n.a.", "<na>", "nan", "nat", "null", "none", "?", "-", "--", ".")
).union(_OF_SPREADSHEETS)


def is_gap(text: str) -> bool:
    """Tell whether a cell stands for nothing.

    Examples
    --------
    >>> is_gap("N/A"), is_gap("0")
    (True, False)
    """
    return text.strip().lower() in GAPS
