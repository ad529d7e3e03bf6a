"""`significance`: counts, scores, files that go on, the same result whoever works."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import (
    DirectionMismatchError,
    FileError,
    GrapeWarning,
    GraphError,
    MatchError,
    TemplateError,
)
from grape_gnn.significance import significance
from grape_gnn.significance.counts import count
from grape_gnn.significance.rewiring import rewired
from grape_gnn.significance.statistics import Tally, corrected
from grape_gnn.template import Template
from grape_gnn.testing import complete, gnp, typed

CLUB = nx.karate_club_graph()


def test_copies_are_those_of_networkx() -> None:
    for seed in range(10):
        graph = gnp(12, 0.4, seed=seed)
        wanted = grape.templates("triangle,3-path,4-cycle,tailed-triangle,4-star-leaf")
        for induced in (False, True):
            found = count(graph, wanted, induced=induced).copies
            for template, number in zip(wanted, found.tolist(), strict=True):
                matcher = nx.isomorphism.GraphMatcher(graph.to_networkx(), template.to_networkx())
                maps = (
                    matcher.subgraph_isomorphisms_iter() if induced
                    else matcher.subgraph_monomorphisms_iter()
                )  # fmt: skip
                shape = template.to_networkx()
                symmetries = nx.isomorphism.GraphMatcher(shape, shape).isomorphisms_iter()
                assert number * sum(1 for _ in symmetries) == sum(1 for _ in maps)


@pytest.mark.parametrize("directed", [False, True])
def test_roles_are_the_column_sums_of_the_role_matrices(directed: bool) -> None:
    texts = (
        ["0>1", "1>0 0>2", "0>1 1>2 0>2"] if directed
        else ["0-1", "0-1 1-2", "0-1 1-2 0-2", "0-1 1-2 0-2 0-3", "0-1 0-2 0-3 1-2"]
    )  # fmt: skip
    templates = [grape.Template(text) for text in texts]
    for seed in range(10):
        graph = gnp(10, 0.4, seed=seed, directed=directed)
        found = count(graph, templates, roles=True).roles
        columns = []
        for roles in grape.match(graph, templates):
            matrices = [roles[j].to_scipy() for j in range(1, len(roles))]
            columns += [roles.totals, *(np.asarray(m.sum(axis=0)).ravel() for m in matrices)]
        assert (found == np.stack(columns, axis=1)).all()


def test_scores_are_what_numpy_makes_of_the_counts() -> None:
    found = significance(CLUB, "triangle,4-cycle,4-clique", samples=40, seed=5)
    copies, observed = found.copies, found.observed
    assert copies.shape == (40, 3)
    z = (observed - copies.mean(axis=0)) / copies.std(axis=0, ddof=1)
    np.testing.assert_allclose(found.z, z, rtol=1e-12)
    more = (1 + (copies >= observed).sum(axis=0)) / 41
    fewer = (1 + (copies <= observed).sum(axis=0)) / 41
    assert (found.scores.p_more == more).all()
    assert (found.scores.p_fewer == fewer).all()
    assert (found.p == np.minimum(1, 2 * np.minimum(more, fewer))).all()
    triangles = [sum(nx.triangles(_sample(k, 5).to_networkx()).values()) // 3 for k in range(3)]
    assert triangles == copies[:3, 0].tolist()


def _sample(number: int, seed: int) -> grape.Graph:
    drawn = np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0]
    return rewired(grape.as_graph(CLUB), int(drawn), "degrees", 30)[0]


def test_planted_triangles_are_found_and_chance_is_not() -> None:
    triangles = nx.disjoint_union_all([nx.complete_graph(3)] * 15)
    more = significance(triangles, "triangle", alternative="more", samples=99)
    assert more.p[0] == 0.01
    assert more.z[0] > 5
    fewer = significance(triangles, "triangle", alternative="fewer", samples=99)
    assert fewer.p[0] == 1
    # p-values of graphs that chance made are spread over (0, 1).
    values = [
        significance(gnp(30, 0.2, seed=k), "triangle", alternative="more", samples=19).p[0]
        for k in range(30)
    ]
    assert 0.25 < float(np.mean(values)) < 0.75


def test_labels_explain_what_degrees_do_not() -> None:
    graph = nx.disjoint_union_all([nx.complete_graph(4)] * 6)
    labelled = grape.Graph.from_edges(*np.array(graph.edges).T, y=np.repeat(np.arange(6), 4))
    assert significance(labelled, "triangle", samples=20).z[0] > 5
    with pytest.warns(GrapeWarning, match="no step of the rewiring could be taken"):
        assert np.isnan(significance(labelled, "triangle", null="labels", samples=20).z[0])


def test_no_variance_is_said_plainly() -> None:
    with pytest.warns(GrapeWarning, match="no step of the rewiring could be taken"):
        found = significance(complete(6), "edge,triangle", samples=10, nodes=True)
    assert np.isnan(found.z).all()
    assert (found.p == 1).all()
    assert "z undefined" in found.svg()
    assert "nan" in found._repr_html_()
    assert np.isnan(found.roles.z).all()


def test_scores_per_node_and_role() -> None:
    found = significance(CLUB, "3-path,triangle", samples=30, nodes=True)
    counts = [count(_sample(k, 0), found.templates, roles=True).roles for k in range(30)]
    np.testing.assert_allclose(found.roles.mean, np.mean(counts, axis=0), rtol=1e-12)
    np.testing.assert_allclose(found.roles.std, np.std(counts, axis=0, ddof=1), atol=1e-9)
    frame = found.to_pandas(nodes=True)
    assert frame.shape == (34 * 5, 6)
    assert frame.loc[(33, "triangle, role 0"), "observed"] == 15
    assert (frame["q"] >= frame["p"]).all()
    assert found.to_pandas().index.tolist() == ["3-path", "triangle"]
    with pytest.raises(MatchError, match="nodes=True"):
        significance(CLUB, "edge", samples=2).to_pandas(nodes=True)


def test_jobs_and_threads_do_not_matter() -> None:
    one, two, three = (
        significance(CLUB, "triangle,4-cycle", samples=12, seed=3, nodes=True, **options)
        for options in ({"threads": 1}, {"jobs": 2}, {"threads": 2})
    )
    for other in (two, three):
        assert (one.copies == other.copies).all()
        assert one.mixing == other.mixing
        assert (one.roles.mean == other.roles.mean).all()
        assert (one.roles.std == other.roles.std).all()


@pytest.mark.parametrize("nodes", [False, True])
def test_a_file_is_continued(tmp_path: Path, nodes: bool) -> None:
    file = tmp_path / "samples.jsonl"
    options = {"nodes": nodes, "seed": 1}
    significance(CLUB, "triangle", samples=5, out=file, **options)
    with file.open("a") as torn:
        torn.write('{"sample": 5, "copi')
    before = file.read_text().splitlines()[:6]
    resumed = significance(CLUB, "triangle", samples=9, out=file, **options)
    assert file.read_text().splitlines()[:6] == before
    assert len(file.read_text().splitlines()) == 10
    fresh = significance(CLUB, "triangle", samples=9, **options)
    assert (resumed.copies == fresh.copies).all()
    assert (resumed.z == fresh.z).all()
    assert resumed.mixing == fresh.mixing
    with file.open("a") as second:  # a process that wrote at the same time
        second.write("\n".join(before[4:]) + "\n")
    assert (significance(CLUB, "triangle", samples=9, out=file, **options).z == fresh.z).all()
    fewer = significance(CLUB, "triangle", samples=4, out=file, **options)
    assert (fewer.copies == fresh.copies[:4]).all()


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "samples.jsonl"
    significance(CLUB, "triangle", samples=3, out=file)
    content = file.read_text()
    with pytest.raises(FileError, match=r"line 1 is damaged: it is about .* choose another"):
        significance(CLUB, "4-cycle", samples=3, out=file)
    assert file.read_text() == content
    lines = content.splitlines()
    for damage, message in [
        ({"sample": 7}, "sample 0 is missing"),
        ({"copies": [1, 2]}, "another number of counts"),
        ({"copies": ["many"]}, "line 2 is damaged"),
        ({"copies": [1.5]}, "line 2 is damaged"),
        ({"copies": [2**70]}, "line 2 is damaged"),
        ({"kept": None}, "line 2 is damaged"),
        ({"kept": 10**400}, "line 2 is damaged"),
    ]:
        record = {**json.loads(lines[1]), **damage}
        file.write_text("\n".join([lines[0], json.dumps(record), *lines[2:]]) + "\n")
        with pytest.raises(FileError, match=message):
            significance(CLUB, "triangle", samples=3, out=file)


def test_a_file_knows_the_names_of_labels(tmp_path: Path) -> None:
    file = tmp_path / "samples.jsonl"
    one, other = (
        grape.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], y=[*names, *names, names[0]])
        for names in ("ab", "bc")
    )
    significance(one, "0-1 1:b", samples=3, out=file)
    with pytest.raises(FileError, match="line 1 is damaged: it is about another graph"):
        significance(other, "0-1 1:b", samples=3, out=file)


def test_too_few_steps_are_told() -> None:
    ring = nx.cycle_graph(400)
    with pytest.warns(GrapeWarning, match="the rewiring has not settled"):
        significance(ring, "4-cycle", samples=10, swaps=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 1}, "samples=1 must be at least 2"),
        ({"samples": "many"}, "samples='many' must be a whole number"),
        ({"alternative": "less"}, "alternative='less' is unknown"),
        ({"null": "erdos"}, "null='erdos' is unknown"),
        ({"nodes": 1}, "nodes=1 must be True or False"),
        ({"swaps": 0}, "swaps=0 must be at least 1"),
    ],
)
def test_bad_input_is_one_line(options, message: str) -> None:
    with pytest.raises(MatchError, match=message):
        significance(CLUB, "triangle", **options)
    with pytest.raises(DirectionMismatchError):
        significance(CLUB, "0>1", samples=2)


def test_types_of_nodes_are_kept_before_labels() -> None:
    ends = np.array(nx.disjoint_union_all([nx.complete_graph(4)] * 6).edges).T
    typed = grape.Graph.from_edges(*ends, types=np.repeat(list("abcdef"), 4))
    with pytest.warns(GrapeWarning, match="no step of the rewiring could be taken"):
        assert np.isnan(significance(typed, "triangle", null="labels", samples=5).z[0])
    bonds = grape.Graph.from_edges([0, 1, 2], [1, 2, 3], edge_types=["x", "y", "x"])
    assert significance(bonds, "3-path", samples=5).observed.tolist() == [2]


def test_the_correction_of_benjamini_and_hochberg() -> None:
    rng = np.random.default_rng(0)
    p = rng.random((5, 4)) ** 2
    flat = np.sort(p.ravel())
    byhand = [min(flat[j] * 20 / (j + 1) for j in range(k, 20)) for k in range(20)]
    np.testing.assert_allclose(np.sort(corrected(p).ravel()), byhand)
    assert corrected(np.array([])).shape == (0,)


def test_large_counts_keep_their_digits() -> None:
    tally = Tally(np.array([2**60 + 1]))
    for value in (2**60, 2**60 + 1, 2**60 + 2):
        tally.add(np.array([value]))
    scores = tally.scores("more")
    assert (scores.p_more[0], scores.p_fewer[0]) == (3 / 4, 3 / 4)
    assert (scores.z[0], scores.std[0]) == (0, 1)


def test_types_of_edges_are_not_rewired():
    graph = typed(20, 0.4, seed=1)
    assert rewired(graph, 0, "degrees", 10)[0].edge_types is None
    with pytest.raises(TemplateError, match="'0-1=0' asks for types of edges, which rewired"):
        significance(graph, "0-1=0", samples=2)


def test_rewired_graphs_keep_the_types_of_nodes_apart_from_labels():
    graph = typed(30, 0.4, seed=1)
    other = rewired(graph, 0, "labels", 10)[0]
    assert np.array_equal(other.types, graph.types)
    for kind in range(2):
        template = Template(f"0-1 1:{kind}")
        totals = [grape.match(one, template)[0].totals for one in (graph, other)]
        assert np.array_equal(*totals)


def test_a_graph_that_cannot_be_rewired_is_told_so() -> None:
    with pytest.raises(GraphError, match=r"nothing to rewire: Graph\(nodes=3, edges=0"):
        significance(grape.Graph.from_edges([], [], num_nodes=3), "triangle", samples=2)


def test_no_template_is_refused() -> None:
    with pytest.raises(TemplateError, match=r"^templates=\[\] has no template"):
        significance(CLUB, [])
