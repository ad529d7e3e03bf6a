"""The page of roles: self-contained, escaped, and true to the matches."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import networkx as nx
import numpy as np
import pytest

from grape_gnn import Graph, ego_role_counts, match, templates
from grape_gnn.drawing.figure import draw_ego
from grape_gnn.report.roles_page import roles_page
from grape_gnn.report.template_cards import template_card
from grape_gnn.template import Template
from grape_gnn.template.palette import role_colour
from grape_gnn.testing import gnp

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


class TagBalance(HTMLParser):
    """Checks that every element that needs an end has one."""

    VOID = ("meta", "br", "img", "link", "input")

    def __init__(self):
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture
def karate():
    """Give the karate club and where to draw it."""
    club = nx.karate_club_graph()
    places = nx.circular_layout(club)
    return Graph.from_networkx(club, label=None), np.array([places[v] for v in club])


def test_the_page_is_whole_and_needs_nothing_else(karate):
    graph, places = karate
    page = roles_page("Karate", graph, templates("social"), 0, positions=places)
    balance = TagBalance()
    balance.feed(page)
    assert balance.open == []
    assert not re.search(r"(src|href)=[\"'](?!#)|@import|url\(", page)
    assert page.count("<svg class='ego'") == 5


def test_counts_are_those_of_the_matches(karate):
    graph, places = karate
    roles = match(graph, ["triangle"])
    page = roles_page("Karate", graph, templates("triangle"), 33, positions=places)
    assert "<b>135</b> instances around <b>32</b> egos" in page
    assert f"<small>{roles[0].totals[33]} instances</small>" in page
    strongest = max(roles[0][1].members(33).items(), key=lambda item: item[1])
    assert f"{strongest[0]} <b>{strongest[1]}</b>" in page


def test_names_are_escaped():
    names = ["<b>", "&", "'", '"']
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], names=names)
    page = roles_page("<i>", graph, [Template("0-1", name="<u>")], "<b>", positions=SQUARE)
    assert "<i>" not in page
    assert "<u>" not in page
    assert "&lt;b&gt;" in page
    balance = TagBalance()
    balance.feed(page)
    assert balance.open == []


def test_induced_matches_have_no_explorer_that_would_contradict_them(karate):
    graph, _ = karate
    page = roles_page("Karate", graph, templates("3-path"), 0, induced=True)
    assert "Matching is induced" in page
    assert "explorer-data" not in page


def test_the_page_in_a_browser(window, karate, tmp_path):
    graph, places = karate
    file = tmp_path / "roles.html"
    file.write_text(
        roles_page("Karate", graph, templates("social"), 0, positions=places), encoding="utf-8"
    )
    page = window.show(file).page
    assert page.inner_text("#ego-title") == "0"
    assert page.inner_text("#ego-verdict") == "16 neighbours"
    assert page.locator(".of-labels:visible").count() == 0
    page.click("[data-template='3']")
    page.locator("#ego-members button").first.click()
    assert page.locator("#ego-view line.instance").count() == 6


def test_a_node_of_two_roles_is_a_pie():
    triangle = Graph.from_edges([0, 0, 1], [1, 2, 2])
    picture = draw_ego(triangle, Template("0-1 1-2"), 0, SQUARE[:3])
    assert "1: role 1, 2" in picture
    assert picture.count(f"fill='{role_colour(1)}'") == picture.count(f"fill='{role_colour(2)}'")
    square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    picture = draw_ego(square, Template("0-1 1-2"), 0, SQUARE)
    assert picture.count(f"fill='{role_colour(1)}'") == 2
    assert picture.count(f"fill='{role_colour(2)}'") == 1


def test_edges_of_instances_stand_out():
    tailed = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    picture = draw_ego(tailed, Template("0-1 0-2 1-2"), 0, SQUARE)
    used = re.search(r"class='used' d='([^']*)'", picture)
    assert used is not None
    assert used[1].count("M") == 3
    assert "class='used'" not in draw_ego(tailed, Template("0-1 0-2 1-2"), 3, SQUARE)


def test_a_name_that_belongs_to_another_template_does_not_bring_its_words():
    assert template_card(Template("0-1", name="triangle")).words == "0-1"
    assert "strong ties" in template_card(Template("0-1 0-2 1-2", name="triangle")).words


def test_counting_that_takes_too_long_is_left_out():
    graph = gnp(250, 0.3, seed=1)
    page = roles_page("dense", graph, templates("5-cycle"), 0, seconds=0.001)
    assert "Counting around all nodes would have taken longer" in page
    instances = sum(ego_role_counts(graph, "5-cycle", 0)[1].values()) // 2
    assert f"<b>{instances:,}</b> instances around 0" in page
    assert 'id="table"' not in page
    balance = TagBalance()
    balance.feed(page)
    assert balance.open == []


def test_a_large_graph_is_drawn_around_the_node():
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 5000, size=(2, 30_000))
    ends = np.unique(np.sort(ends[:, ends[0] != ends[1]], axis=0), axis=1)
    graph = Graph.from_edges(*ends, 5000, names=[f"{k:05}" * 130 for k in range(5000)])
    page = roles_page("large", graph, templates("3-path"), graph.name_of(7))
    assert 10 < page.count("<title>") < 60
    assert "explorer-data" not in page  # three megabytes of names


def test_examples_name_the_file_and_one_instance_is_one():
    graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    page = roles_page(
        "friends", graph, templates("triangle,4-clique"), "ann", arguments=["my friends.csv"],
        opened="grape.read_graph('my friends.csv')",
    )  # fmt: skip
    assert "graph = grape.read_graph(&#39;my friends.csv&#39;)" in page
    words = re.sub("</?span[^>]*>", "", page)
    assert "grape match &#39;my friends.csv&#39; -t triangle,4-clique --out roles.csv" in words
    assert "<small>1 instance</small>" in page
    assert (
        page.count('<div class="scroll few">') == 1
    )  # nothing is drawn of a template that is not there
