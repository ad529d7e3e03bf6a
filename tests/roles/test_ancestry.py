"""Parents with the origin of every node."""

from __future__ import annotations

import pytest

from grape_gnn.roles.ancestry import parents_of, prefix_of
from grape_gnn.template import Template
from grape_gnn.template.family import all_templates, parents


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_parents_are_subgraphs_under_their_image(size, directed):
    for child in all_templates(size, directed):
        found = parents_of(child)
        for parent in found:
            template, image = parent.template, parent.image
            assert template == template.canonical_template()
            assert image[0] == 0
            assert sorted(k for k in image if k >= 0) == list(range(template.num_nodes))
            origin = {k: c for c, k in enumerate(image) if k >= 0}
            lifted = {(origin[a], origin[b]) for a, b in template.edges}
            if not directed:
                lifted = {(min(e), max(e)) for e in lifted}
            assert lifted <= set(child.edges)
        known = {parent.template.canonical for parent in found}
        assert {parent.canonical for parent in parents(child)} <= known


def test_labels_stay_with_their_nodes():
    child = Template("0-1 1-2 0-2 1:a 2:b")
    for parent in parents_of(child):
        for node, k in enumerate(parent.image):
            if k >= 0:
                assert parent.template.labels[k] == child.labels[node]


def test_prefix_of_every_canonical_template():
    for child in all_templates(5):
        parent = prefix_of(child)
        assert parent.template.num_nodes == 4
        assert parent.image[-1] == -1


def test_prefix_needs_canonical_numbering():
    with pytest.raises(ValueError, match="'0-2 1-2' is not in canonical numbering"):
        prefix_of(Template("0-2 2-1"))
