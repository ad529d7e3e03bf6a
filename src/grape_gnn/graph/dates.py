"""Dates as people write them, turned into days since 1970.

Year first (``2024-03-31``, ``2024/03/31``, with a time or without), or day first with points
(``31.03.2024``), or with the name of the month in English (``31-Mar-2024``, ``March 31, 2024``).
With slashes (``03/31/2024``) the values tell which is the month: one of them is over 12 somewhere.
Where no value tells, there are no dates.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta, timezone

__all__ = ["parse_dates", "spell_date"]

_YEAR_FIRST = re.compile(r"(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})")
_YEAR_LAST = re.compile(r"(?P<day>\d{1,2})([./])(?P<month>\d{1,2})\2(?P<year>\d{4})")
_DAY_AND_NAME = re.compile(r"(?P<day>\d{1,2})[- .]+(?P<month>[A-Za-z]{3,9})[- .,]+(?P<year>\d{4})")
_NAME_AND_DAY = re.compile(r"(?P<month>[A-Za-z]{3,9})[ .]+(?P<day>\d{1,2})[ ,]+(?P<year>\d{4})")
_FORMS = (_YEAR_FIRST, _YEAR_LAST, _DAY_AND_NAME, _NAME_AND_DAY)
_MONTHS = {
    month: number
    for number, month in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
_TIME = re.compile(r"(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?(?:Z|([+-]\d{2}):?(\d{2}))?")


def parse_dates(texts: Collection[str]) -> dict[str, float]:
    """Return the day of every text that is a date; of none if the month is in doubt.

    Examples
    --------
    >>> parse_dates(["1970-01-02", "1970-01-03 12:00", "unknown"])
    {'1970-01-02': 1.0, '1970-01-03 12:00': 2.5}
    >>> parse_dates(["03/04/2024"])
    {}
    """
    found: dict[str, tuple[int, int, int, float]] = {}
    slashes: dict[str, tuple[int, int]] = {}
    for text in texts:
        date = next((form.match(text) for form in _FORMS if form.match(text)), None)
        time = date and _TIME.fullmatch(text, date.end())
        if not date or not time:
            continue
        hours, minutes, seconds, east, more = (int(part or 0) for part in time.groups())
        shift = east * 60 + (more if east >= 0 else -more)
        share = (hours * 60 + minutes - shift + seconds / 60) / 1440
        month, day = date["month"].lower()[:3], int(date["day"])
        number = int(month) if month.isdecimal() else _MONTHS.get(month, 0)
        if "/" in date[0] and date.re is _YEAR_LAST:
            slashes[text] = (day, number)
        found[text] = (int(date["year"]), number, day, share)
    month_first = any(second > 12 for _, second in slashes.values())
    if slashes and month_first == any(one > 12 for one, _ in slashes.values()):
        return {}  # neither tells, or they contradict each other
    days = {}
    for text, (year, month, day, share) in found.items():
        if month_first and text in slashes:
            month, day = day, month
        with suppress(ValueError):  # the 30th of February
            at = datetime(year, month, day, tzinfo=timezone.utc)
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
