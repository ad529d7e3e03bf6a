"""Whatever a template is, every form gives it back unchanged."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from grape_gnn.template import Template, load_templates, save_templates
from grape_gnn.template.draw import svg

RELAXED = settings(deadline=None)  # a busy machine is no failure
ANY_TEXT = st.text(st.characters(), max_size=6)  # lone surrogates included
LABELS = st.none() | st.integers(-(2**40), 2**40) | ANY_TEXT
NAMES = st.none() | ANY_TEXT


@st.composite
def any_template(draw: st.DrawFn, with_labels: bool = True) -> Template:
    """Grow a connected template: a random tree first, then random extra edges."""
    size = draw(st.integers(2, 8))
    directed = draw(st.booleans())
    edges = set()
    for node in range(1, size):
        edge = (draw(st.integers(0, node - 1)), node)
        edges.add(edge[::-1] if directed and draw(st.booleans()) else edge)
    pairs = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    for a, b in draw(st.lists(pairs, max_size=12)):
        if a != b:
            edges.add((a, b) if directed or a < b else (b, a))
    labels = draw(st.lists(LABELS, min_size=size, max_size=size)) if with_labels else None
    types = {edge: draw(LABELS) for edge in edges} if with_labels and draw(st.booleans()) else None
    return Template(edges, directed, labels, draw(NAMES), edge_types=types)


@RELAXED
@given(any_template())
def test_text(template: Template) -> None:
    assert Template(template.text) == template
    assert Template(template.text).text == template.text


@RELAXED
@given(any_template())
def test_repr(template: Template) -> None:
    again = eval(repr(template))
    assert again == template
    assert again.name == template.name


@RELAXED
@given(any_template())
def test_json(template: Template) -> None:
    for form in (template.to_json(), json.dumps(template.to_json())):
        again = Template.from_json(form)
        assert again == template
        assert again.name == template.name


@RELAXED
@given(any_template(with_labels=False))
def test_adjacency(template: Template) -> None:
    assert Template.from_adjacency(template.adjacency(), template.directed) == template


@RELAXED
@given(any_template())
def test_networkx(template: Template) -> None:
    assert Template.from_networkx(template.to_networkx(), anchor=0) == template


@RELAXED
@given(any_template())
def test_canonical_form_is_a_text_of_an_isomorphic_template(template: Template) -> None:
    canonical = Template(template.canonical)
    assert canonical == template.canonical_template()
    assert canonical.is_isomorphic(template)
    assert canonical.canonical == template.canonical
    assert sorted(map(len, canonical.roles)) == sorted(map(len, template.roles))


@RELAXED
@given(any_template(), st.randoms(use_true_random=False))
def test_renumbering_permutes_the_roles(template: Template, random: st.DataObject) -> None:
    rest = list(range(1, template.num_nodes))
    random.shuffle(rest)
    order = [0, *rest]
    moved = template.relabel(order)
    assert moved.canonical == template.canonical
    back = {frozenset(order[node] for node in role) for role in moved.roles}
    assert back == {frozenset(role) for role in template.roles}


@settings(RELAXED, max_examples=30)
@given(st.lists(any_template(), max_size=4))
def test_file(templates: list[Template]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "some.json"
        save_templates(templates, path)
        again = load_templates(path)
    assert again == templates
    assert [t.name for t in again] == [t.name for t in templates]


@settings(RELAXED, max_examples=30)
@given(any_template())
def test_anything_can_be_drawn(template: Template) -> None:
    ElementTree.fromstring(svg(template, legend=True))
    assert template.sketch().count("●") >= 1
