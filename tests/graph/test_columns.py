"""What a column holds is told from its cells, the same way every time."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

from grape_gnn.errors import GraphError
from grape_gnn.graph.columns import make_column, overruled
from grape_gnn.graph.dates import parse_dates

MANY = 40


@pytest.mark.parametrize(
    ("name", "cells", "kind"),
    [
        ("balance", ["1e4", "-2.5", "", "NA", "10"], "number"),
        ("age", [*map(str, range(MANY)), "unknown"], "number"),
        ("price", ["$1,234.50", "$ 12", "-$3", "€7", "8 €"], "number"),
        ("share", ["12%", "7.5 %", "", "100%"], "number"),
        ("version", ["1,2", "12,34,5", "1,2345"], "category"),  # no thousands
        ("flag", ["0", "1", "1", ""], "boolean"),
        ("vip", ["Yes", "no", "NO", "n/a"], "boolean"),
        ("gender", ["m", "f", "f"], "category"),
        ("job", ["cook", "clerk"] * 9, "category"),
        ("city", [f"city {i % 30}" for i in range(80)], "category"),
        ("email", [f"{i}@example.org" for i in range(MANY)], "text"),
        ("customer_id", [str(1000 + i) for i in range(MANY)], "id"),
        ("customerID", [str(1000 + i) for i in range(MANY)], "id"),
        ("income", [str(1000 + i) for i in range(MANY)], "number"),
        ("paid", [str(1000 + i) for i in range(MANY)], "number"),
        ("joined", ["2024-01-31", "", "2023-12-01"], "date"),
        ("joined", ["31.1.2024", "1.12.2023"], "date"),
        ("joined", ["03/31/2024", "04/01/2024"], "date"),
        ("seen", ["2024-01-31T10:30:00Z", "2024-01-31 10:30"], "date"),
        ("joined", ["03/04/2024", "04/01/2024"], "category"),
        ("joined", ["2024-02-30", "2024-02-01"], "category"),
        ("joined", ["2024-02-01"] * 20 + ["unknown", "0000-00-00"], "date"),
        ("joined", ["15-Mar-2019", "1 April 2020"], "date"),
        ("height", ["1,75", "2", "NA", "", "1.234,5"], "number"),
        ("zip", ["01099", "10115", "80331"] * 9, "category"),
        ("padded", [f"{k:03}" for k in range(MANY)], "number"),
        ("pairs", ["1,234", "2,500"], "number"),
        ("salary", [*map(str, range(1000, 1000 + MANY)), *["secret"] * 30], "number"),
        ("salary", ["1000", "2000", "secret"] * 9, "category"),
        ("empty", ["", "NA", "?", "-", "#DIV/0!"], "number"),
        ("odd", ["inf", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"], "number"),
        ("python", ["1_000", "1_001"], "category"),
    ],
)
def test_kinds(name, cells, kind):
    assert make_column(name, cells).kind == kind


def test_values_of_other_types():
    assert make_column("a", [True, None, False]).numbers().tolist()[::2] == [1, 0]
    assert make_column("a", [1, 2.5, None]).objects() == [1, 2.5, None]
    days = make_column("a", [datetime.date(1970, 1, 2), None])
    assert (days.kind, days.objects()) == ("date", ["1970-01-02", None])
    times = np.array(["1970-01-03T12", "NaT"], "datetime64[ns]")
    assert make_column("a", times).objects() == ["1970-01-03T12:00:00", None]
    assert make_column("a", np.array([1.0, np.inf, np.nan])).objects() == [1, None, None]


def test_what_is_no_number_is_noted():
    column = make_column("age", [*map(str, range(MANY)), "unknown", "unknown"])
    assert column.note == "2 no number ('unknown')"
    assert column.objects()[-1] is None


def test_a_few_slips_are_no_end_of_dates_and_decimal_commas():
    joined = make_column("joined", ["1970-01-02"] * 20 + ["unknown"])
    assert (joined.objects()[-1], joined.note) == (None, "1 no date ('unknown')")
    column = make_column("height", ["1,75"] * 20 + ["tall", "1.000,5"])
    assert column.objects()[-3:] == [1.75, None, 1000.5]
    assert column.note == "1 no number ('tall')"
    assert make_column("thousands", ["1,234", "2,500"]).objects() == [1234, 2500]


def test_a_column_that_is_wanted_is_never_left_out():
    assert make_column("email", [f"{i}@x" for i in range(MANY)], "used").kind == "category"
    assert make_column("id", np.arange(MANY), "used").kind == "number"


def test_overruling():
    columns = [make_column("code", np.array([1.0, 2.0, 10.0])), make_column("age", [1, 2, 3])]
    (code,) = overruled(columns, ["code"], ["age"])
    assert (code.kind, code.objects()) == ("category", ["1", "2", "10"])
    with pytest.raises(GraphError, match="there is no column 'shoe'; the columns are code, age"):
        overruled(columns, ["shoe"], [])


def test_dates_with_zones_and_orders():
    assert parse_dates(["1970-01-01T01:00:00+01:00"]) == {"1970-01-01T01:00:00+01:00": 0.0}
    assert parse_dates(["13/01/1970", "2/1/1970"]) == {"13/01/1970": 12.0, "2/1/1970": 1.0}
    assert parse_dates(["13/01/1970", "01/13/1970"]) == {}
    assert parse_dates(["yesterday"]) == {}
    named = ["2-Jan-1970", "Jan 2, 1970", "2. January 1970", "2 Foo 1970", "31-Feb-1970"]
    assert parse_dates(named) == dict.fromkeys(named[:3], 1.0)
