"""Columns of a node table as people have them: what a column holds, told from its values.

A column is read once and kept as it was written. Scaling, one-hot codes and the filling of gaps
need to know which nodes are for training, so they come later: `grape_gnn.features`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph.dates import parse_dates, spell_date
from grape_gnn.graph.decimal_commas import MOSTLY, with_points
from grape_gnn.graph.gaps import is_gap

__all__ = [
    "CATEGORIES",
    "KINDS",
    "Column",
    "are_categories",
    "as_number",
    "is_amount",
    "make_column",
    "overruled",
    "plain_number",
    "take_rows",
]

KINDS = ("number", "boolean", "date", "category", "text", "id")
# Objects that their data frame calls categories, even if they are numbers.
CATEGORIES = np.dtype(object, metadata={"categories": True})
_TRUE, _FALSE = frozenset({"true", "yes", "t", "y"}), frozenset({"false", "no", "f", "n"})
# As a spreadsheet shows it: a sign of money or percent, thousands apart by commas.
_WRITTEN = re.compile(
    r"([+-]?) ?[$€£]? ?([1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]{1,300})(\.[0-9]+)? ?[%€]?"
)
_FEW = 10  # distinct texts that are categories even if no two nodes share one
_ID_NAME = re.compile(r"(^|.*[\W_])(id|uuid|guid|key|index|idx)$|.*[a-z](Id|ID)$|^(Unnamed: 0)?$")
_ID_WORD = re.compile(r"^(id|uuid|guid|key|index|idx)$", re.IGNORECASE)


@dataclass(frozen=True, eq=False, repr=False)
class Column:
    """One column of a node table, a value for every node.

    Parameters
    ----------
    name
        What the table calls it.
    kind
        ``"number"``, ``"boolean"``, ``"date"``, ``"category"``; or ``"text"`` and ``"id"``, which
        differ from node to node and are of no use as features.
    values
        Numbers as float64, NaN where missing (dates in days since 1970); or texts as they were
        written, None where missing.
    note
        What was odd about it; empty if nothing was.

    Examples
    --------
    >>> make_column("age", ["31", "", "unknown", "45"] + ["30"] * 20).kind
    'number'
    >>> make_column("job", ["clerk", "cook", "clerk"])
    Column('job', category, values=3, missing=0)
    """

    name: str
    kind: str
    values: NDArray[Any]
    note: str = ""

    def __post_init__(self) -> None:
        self.values.flags.writeable = False

    def __repr__(self) -> str:
        """Say what it holds, not every value."""
        gaps = int(self.missing.sum())
        return f"Column({self.name!r}, {self.kind}, values={self.values.size}, missing={gaps})"

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Mask of the nodes without a value."""
        if self.values.dtype == np.float64:
            gaps: NDArray[np.bool_] = np.isnan(self.values)
            return gaps
        return np.array([value is None for value in self.values], bool)

    def numbers(self) -> NDArray[np.float64]:
        """Return the values as numbers, NaN for those that are none."""
        if self.values.dtype == np.float64:
            return self.values
        worth = {text: as_number(text) for text in set(self.values)}
        return np.array([worth[text] for text in self.values], np.float64)

    def read_as(self, kind: str) -> NDArray[np.float64]:
        """Return the values as days, if the kind is ``"date"``, or as numbers; NaN for others."""
        if (kind == "date") == (self.kind == "date"):
            return self.numbers()
        days = {} if self.values.dtype == np.float64 else parse_dates({*self.values} - {None})
        return np.array([days.get(value, math.nan) for value in self.values], np.float64)

    def texts(self) -> NDArray[np.object_]:
        """Return the values as texts, None for missing; whole numbers without a point."""
        if self.values.dtype != np.float64:
            return self.values
        spell = spell_date if self.kind == "date" else "{:.15g}".format
        return _objects([None if math.isnan(v) else spell(v) for v in self.values.tolist()])

    def objects(self) -> list[Any]:
        """Return the values as numbers and texts, None for missing."""
        if self.kind == "date" or self.values.dtype != np.float64:
            return list(self.texts())
        return [None if math.isnan(v) else v for v in self.values.tolist()]


def make_column(name: str, cells: Any, kind: str | None = None) -> Column:
    """Tell what a column holds.

    Parameters
    ----------
    name
        Its name.
    cells
        Texts, numbers, truth values, dates or None; a list or an array. One of the type
        `CATEGORIES` is a category, whatever it looks like.
    kind
        ``"category"``: it is one, whatever it looks like. ``"used"``: it is wanted as a feature,
        even if it differs from node to node. None: as it looks.
    """
    array = cells if isinstance(cells, np.ndarray) else _objects(cells)
    if are_categories(array):
        kind = "category"
    if array.dtype.kind == "M":
        days = array.astype("datetime64[ms]").astype(np.float64) / 86_400_000
        days[np.isnat(array)] = np.nan
        return Column(name, "date", days)
    if array.dtype.kind in "iuf" and kind != "category":
        return _of_numbers(name, array.astype(np.float64), kind)
    texts = _objects([_spelt(value) for value in array.tolist()])
    if kind == "category":
        return Column(name, "category", texts)
    return _of_texts(name, texts, kind)


def are_categories(cells: Any) -> bool:
    """Tell whether the data frame of these cells calls them categories."""
    return isinstance(cells, np.ndarray) and cells.dtype.metadata == CATEGORIES.metadata


def overruled(
    columns: Iterable[Column], categorical: Collection[str], ignore: Collection[str]
) -> tuple[Column, ...]:
    """Return the columns but those to be ignored, some of them as categories."""
    given = list(columns)
    for name in (*categorical, *ignore):
        if name not in {column.name for column in given}:
            known = ", ".join(column.name for column in given)
            raise GraphError(f"there is no column {name!r}; the columns are {known or 'none'}")
    kept = [column for column in given if column.name not in ignore]
    return tuple(
        replace(column, kind="category", values=column.texts(), note="")
        if column.name in categorical
        else column
        for column in kept
    )


def take_rows(column: Column, rows: NDArray[np.int64]) -> Column:
    """Return the values of the given rows; -1 for a node that has none."""
    gap = np.nan if column.values.dtype == np.float64 else None
    taken = np.full(rows.size, gap, column.values.dtype)
    taken[rows >= 0] = column.values[rows[rows >= 0]]
    return replace(column, values=taken)


def as_number(text: str | None) -> float:
    """Return the number that a cell spells, yes and no being 1 and 0; NaN if it is none.

    Examples
    --------
    >>> as_number("yes"), as_number("1e3"), as_number("$1,234.50"), as_number("12 %")
    (1.0, 1000.0, 1234.5, 12.0)
    """
    if text is None:
        return math.nan
    word = text.lower()
    if word in _TRUE or word in _FALSE:
        return float(word in _TRUE)
    try:
        value = math.nan if "_" in text else float(text)  # 1_000 is a number in Python only
    except ValueError:
        written = _WRITTEN.fullmatch(text)
        return float("".join(written.groups("")).replace(",", "")) if written else math.nan
    return value if math.isfinite(value) else math.nan


def is_amount(text: str) -> bool:
    """Tell whether a cell is a number with a sign of money or percent, or commas in it."""
    return _WRITTEN.fullmatch(text) is not None and not text.isdecimal()


def _of_numbers(name: str, values: NDArray[np.float64], kind: str | None, note: str = "") -> Column:
    values = np.where(np.isfinite(values), values, np.nan)
    present = values[~np.isnan(values)]
    distinct = np.unique(present)
    if set(distinct.tolist()) <= {0.0, 1.0} and distinct.size:
        return Column(name, "boolean", values, note)
    whole = present.size and (present == np.floor(present)).all()
    named = _ID_NAME.match(name) or _ID_WORD.match(name)
    if kind is None and named and whole and distinct.size == values.size > _FEW:
        return Column(name, "id", values, note)
    return Column(name, "number", values, note)


def _of_texts(name: str, texts: NDArray[np.object_], kind: str | None) -> Column:
    counts = Counter(texts.tolist())
    del counts[None]
    present = counts.total()
    if not present:
        return Column(name, "number", np.full(texts.size, np.nan))
    if all(text.lower() in _TRUE | _FALSE for text in counts):
        return Column(name, "boolean", texts)
    days = parse_dates(counts)
    if _mostly(days, counts):
        values = np.array([days.get(text, np.nan) for text in texts], np.float64)
        return Column(name, "date", values, _slips(days, counts, "date"))
    differ = len(counts) > max(_FEW, present / 2)  # from node to node
    if _are_codes(counts) and not differ:
        return Column(name, "category", texts)
    spelt = dict(zip(texts, with_points(texts.tolist()), strict=True))
    worth = {text: plain_number(spelt[text]) for text in counts}
    numbers = {text: number for text, number in worth.items() if not math.isnan(number)}
    # Beside many numbers, one word again and again is a gap.
    one_word = len(numbers) > _FEW and len(counts) == len(numbers) + 1
    if _mostly(numbers, counts, 0.5 if one_word else MOSTLY):
        values = np.array([numbers.get(text, np.nan) for text in texts], np.float64)
        return _of_numbers(name, values, kind, _slips(numbers, counts, "number"))
    if kind is None and differ:
        return Column(name, "text", texts)
    return Column(name, "category", texts)


def _are_codes(texts: Collection[str]) -> bool:
    """Tell whether cells are digits, equally many, some with a zero first: as of post codes."""
    alike = len({len(text) for text in texts}) == 1 and all(map(str.isdecimal, texts))
    return alike and any(text[0] == "0" and len(text) > 1 for text in texts)


def _mostly(known: Mapping[str, float], counts: Counter[str], share: float = MOSTLY) -> bool:
    """Tell whether at least this share of the cells is known."""
    return sum(counts[text] for text in known) >= share * counts.total()


def _slips(known: Mapping[str, float], counts: Counter[str], what: str) -> str:
    """Say which cells are not."""
    slips = [text for text in counts if text not in known]
    if not slips:
        return ""
    return f"{sum(counts[text] for text in slips):,} no {what} ({slips[0][:20]!r})"


def plain_number(text: str) -> float:
    """Return the number that a cell spells; NaN if it is none, and for yes and no."""
    return math.nan if text.lower() in _TRUE | _FALSE else as_number(text)


def _spelt(value: Any) -> str | None:
    if isinstance(value, str):
        text = value.strip()
        return None if is_gap(text) else text
    if value is None or value != value or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, timedelta):
        return str(value / timedelta(days=1))
    if isinstance(value, float) and value.is_integer():
        return f"{value:.15g}"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _objects(values: Sequence[Any]) -> NDArray[np.object_]:
    out = np.empty(len(values), object)
    out[:] = values
    return out
