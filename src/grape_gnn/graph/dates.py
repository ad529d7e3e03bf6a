"""Dates as people write them, turned into days since 1970.

Year first (``2024-03-31``, ``2024/03/31``, with a time or without), or day first with points
(``31.03.2024``). With slashes (``03/31/2024``) the values tell which is the month: one of them is
over 12 somewhere. Where no value tells, the column is not taken for dates.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime, timedelta, timezone

__all__ = ["parse_dates", "spell_date"]

_YEAR_FIRST = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})([./])(\d{1,2})\2(\d{4})")
_TIME = re.compile(r"(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?(?:Z|([+-]\d{2}):?(\d{2}))?")


def parse_dates(texts: Collection[str]) -> dict[str, float] | None:
    """Return the day of every text; None if one of them is no date, or the month is in doubt.

    Examples
    --------
    >>> parse_dates(["1970-01-02", "1970-01-03 12:00"])
    {'1970-01-02': 1.0, '1970-01-03 12:00': 2.5}
    >>> parse_dates(["03/04/2024"]) is None
    True
    """
    found: dict[str, tuple[int, int, int, float]] = {}
    slashes: list[tuple[int, int]] = []
    for text in texts:
        first, last = _YEAR_FIRST.match(text), _YEAR_LAST.match(text)
        date = first or last
        time = date and _TIME.fullmatch(text, date.end())
        if not date or not time:
            return None
        hours, minutes, seconds, east, more = (int(part or 0) for part in time.groups())
        shift = east * 60 + (more if east >= 0 else -more)
        share = (hours * 60 + minutes - shift + seconds / 60) / 1440
        if first:
            year, month, day = (int(part) for part in first.groups())
        else:
            day, month, year = int(date[1]), int(date[3]), int(date[4])
            if date[2] == "/":
                slashes.append((day, month))
        found[text] = (year, month, day, share)
    month_first = any(second > 12 for _, second in slashes)
    if slashes and month_first == any(one > 12 for one, _ in slashes):
        return None  # neither tells, or they contradict each other
    days = {}
    for text, (year, month, day, share) in found.items():
        if month_first and "/" in text and not _YEAR_FIRST.match(text):
            month, day = day, month
        try:
            at = datetime(year, month, day, tzinfo=timezone.utc)
        except ValueError:
            return None
        days[text] = at.timestamp() / 86_400 + share
    return days


def spell_date(day: float) -> str:
    """Return a date, or date and time, year first.

    Examples
    --------
    >>> spell_date(1.0), spell_date(2.5)
    ('1970-01-02', '1970-01-03T12:00:00')
    """
    at = datetime(1970, 1, 1) + timedelta(days=day)
    return at.date().isoformat() if day == int(day) else at.isoformat(timespec="seconds")
