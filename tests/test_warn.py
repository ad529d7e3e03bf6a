"""Warnings point at the line that caused them."""

from __future__ import annotations

import pytest

from grape_gnn.errors import GrapeWarning
from grape_gnn.graph import Graph, read_graph


def test_warnings_show_the_callers_file(tmp_path):
    (tmp_path / "g.csv").write_text("0,1,5\n1,1,5\n")
    with pytest.warns(GrapeWarning) as caught:
        Graph.from_edges([0, 0], [1, 1])
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(GrapeWarning) as caught:
        read_graph(tmp_path / "g.csv")
    assert [warning.filename for warning in caught] == [__file__]  # one line for the file
