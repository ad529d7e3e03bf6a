"""What several graph tests need."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from grape_gnn.graph import Graph


@pytest.fixture
def triangle_with_tail() -> Graph:
    """Give a named, labelled graph with features: triangle a-b-c, tail d, and e alone."""
    return Graph.from_edges(
        [0, 1, 2, 2],
        [1, 2, 0, 3],
        x=np.arange(10).reshape(5, 2),
        y=["red", None, "blue", "red", None],
        names=["a", "b", "c", "d", "e"],
    )


@pytest.fixture(scope="session")
def assert_same() -> Callable[[Graph, Graph], None]:
    """Give a function that compares two graphs in every part."""

    def compare(one: Graph, other: Graph) -> None:
        assert one.directed == other.directed
        for part in ("indptr", "indices", "in_indptr", "in_indices", "x", "y"):
            a, b = getattr(one, part), getattr(other, part)
            assert (a is None) == (b is None), part
            if a is not None:
                assert a.dtype == b.dtype, part
                np.testing.assert_array_equal(a, b, err_msg=part)
        assert one.label_names == other.label_names
        assert (one.names is None) == (other.names is None)
        if one.names is not None:
            assert isinstance(one.names, np.ndarray) == isinstance(other.names, np.ndarray)
            assert list(one.names) == list(other.names)

    return compare
