"""Partitions, Moebius coefficients and merged quotients."""

from __future__ import annotations

from itertools import permutations

import pytest

from grape_gnn.roles.algebra.quotients import (
    independent_partitions,
    moebius,
    two_terminal_quotients,
    watched,
)

BELL = {1: 1, 2: 2, 3: 5, 4: 15, 5: 52, 6: 203}


@pytest.mark.parametrize(("nodes", "number"), BELL.items())
def test_without_edges_all_partitions_are_independent(nodes, number):
    assert len(list(independent_partitions(nodes, []))) == number


def test_a_clique_has_only_the_partition_into_single_nodes():
    edges = [(a, b) for a in range(4) for b in range(a)]
    assert list(independent_partitions(4, edges)) == [((0,), (1,), (2,), (3,))]


@pytest.mark.parametrize("nodes", [2, 3, 4, 5])
def test_moebius_coefficients_turn_all_maps_into_injective_ones(nodes):
    """Without edges, n^k maps of k nodes must shrink to n (n-1) ... (n-k+1)."""
    n = 7
    total = sum(moebius(p) * n ** len(p) for p in independent_partitions(nodes, []))
    assert total == len(list(permutations(range(n), nodes)))


def test_at_most_fifteen_quotients_for_five_nodes():
    path = [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert len(two_terminal_quotients(3, path[:2], 2)) == 2
    assert len(two_terminal_quotients(4, path[:3], 3)) == 5
    assert len(two_terminal_quotients(5, path, 4)) <= 15


def test_isomorphic_quotients_are_merged():
    # Folding any one leaf of the star onto the target gives the same quotient.
    star = [(0, 1), (0, 2), (0, 3)]
    coefficients = sorted(two_terminal_quotients(4, star, 1).values())
    assert coefficients == [-3, 1, 2]


def test_renaming_the_inner_nodes_changes_nothing():
    edges = [(0, 2), (2, 3), (3, 1), (0, 4), (4, 3)]
    wanted = two_terminal_quotients(5, edges, 1)
    for order in permutations([2, 3, 4]):
        name = {0: 0, 1: 1, **dict(zip([2, 3, 4], order, strict=True))}
        renamed = [(name[a], name[b]) for a, b in edges]
        assert two_terminal_quotients(5, renamed, 1) == wanted


def test_nodes_with_different_labels_are_never_merged():
    star = [(0, 1), (0, 2)]
    assert len(two_terminal_quotients(3, star, 1)) == 2
    assert len(two_terminal_quotients(3, star, 1, labels=[None, "x", "y"])) == 1


def test_arcs_keep_their_direction():
    quotients = two_terminal_quotients(3, [(0, 1), (2, 1)], 1, directed=True)
    folded = next(q for q in quotients if q.num_nodes == 2)
    assert folded.edges == ((0, 1),)


def test_deriving_can_be_ended_and_begun_again():
    path = [(node, node + 1) for node in range(6)]
    calls = []

    def check() -> None:
        calls.append(True)
        if len(calls) == 50:
            raise TimeoutError

    with pytest.raises(TimeoutError), watched(check):
        two_terminal_quotients(7, path, 3, directed=True)
    assert len(calls) == 50
    assert two_terminal_quotients(7, path, 3, directed=True)
    assert len(calls) == 50
