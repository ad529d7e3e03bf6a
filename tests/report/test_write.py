"""`write_report`: what kind of folder, where to, and what is refused."""

from __future__ import annotations

import json
import re
import shutil
from functools import partial

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.datasets.source import find_source
from grape_gnn.errors import GrapeError, ModelError, ModelFileError, UnknownNodeError
from grape_gnn.explain import explain_decoupled, explain_node, explain_run
from grape_gnn.explain.decoupled import role_terms
from grape_gnn.nn.role_maps import GivenMessages
from grape_gnn.report import run_report, write_report
from grape_gnn.report.ego_data import ego_data
from grape_gnn.runs.training import train_run
from grape_gnn.search import search


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Search for templates on a tiny graph."""
    folder = tmp_path_factory.mktemp("searches") / "tiny"
    graph = grape.datasets.load("planted-roles", num_shapes=9)
    model = {"epochs": 2, "hidden": 4, "min_epochs": 0}
    search(
        graph,
        rounds=3,
        out=folder,
        settings=grape.SearchSettings(templates_per_gene=2, population=4, model=model),
    )
    return folder


def test_the_report_lies_in_the_folder(social_run):
    file = write_report(social_run.path)
    assert file == social_run.path / "report.html"
    page = file.read_text(encoding="utf-8")
    file.unlink()
    assert page.startswith("<!doctype html>")
    assert "grape train social-like" in re.sub("</?span[^>]*>", "", page)
    assert len(page) < 400_000


def test_every_plot_has_a_title_and_says_how_to_read_it(social_run, found, tmp_path):
    for folder in (social_run.path, found):
        page = write_report(folder, tmp_path / "r.html").read_text(encoding="utf-8")
        cards = re.findall(r"<article>(.*?)</article>", page, re.DOTALL)
        plots = [
            card for card in cards if re.search("class=.chart|class=.heat|class=.scroll tree", card)
        ]
        assert len(plots) >= 3
        for card in plots:
            assert "<h3>" in card
            assert 'class="read"' in card


def test_a_search_says_how_it_is_repeated(found, tmp_path):
    by_rounds = write_report(found, tmp_path / "rounds.html").read_text(encoding="utf-8")
    assert "give the same genes" in by_rounds
    assert "<tr><th>weighted F1</th><td>" in by_rounds  # all metrics, of the best and the start
    timed = shutil.copytree(found, tmp_path / "timed")
    config = json.loads((timed / "config.json").read_text())
    config["budget"] = {"seconds": 2.0, "rounds": None}
    (timed / "config.json").write_text(json.dumps(config))
    by_time = write_report(timed, tmp_path / "time.html").read_text(encoding="utf-8")
    assert "<code>--rounds 3</code> in place of the budget" in by_time
    for page in (by_rounds, by_time):
        assert f"<th>grape-gnn</th><td>{grape.__version__}</td>" in page


def test_a_search_in_a_browser(window, found, tmp_path):
    page = window.show(write_report(found, tmp_path / "search.html")).page
    assert page.locator("h2").all_inner_texts() == [
        "Templates found", "Progress", "Family tree", "Best genes", "Settings",
    ]  # fmt: skip
    assert page.locator(".tree rect.best").count() >= 1
    page.locator(".tree rect").first.hover()
    assert "first tried in round 0" in page.inner_text(".tip")
    page.locator("svg.chart").first.hover()
    assert "best so far" in page.inner_text(".tip") or "gene:" in page.inner_text(".tip")
    assert re.fullmatch(r"\d+\.\d%", page.inner_text(".facts .main b"))
    # One button for the whole tree, not one for every template in it.
    assert page.locator("article:has(.tree) .save").count() == 1
    page.set_viewport_size({"width": 390, "height": 900})
    page.locator(".tree + .more").wait_for()  # in sight


def test_a_large_graph_is_explored_by_some_nodes(window, social_run, tmp_path, monkeypatch):
    monkeypatch.setattr(run_report, "ego_data", partial(ego_data, most_bytes=0))
    page = window.show(write_report(social_run.path, tmp_path / "large.html")).page
    assert "too large for one page" in page.inner_text("main")
    graph = social_run.graph()
    ego = int(page.inner_text("#ego-title"))
    page.click("[data-template='1']")
    rows = [row.locator("td").all_inner_texts() for row in page.locator("#ego-shares tr").all()]
    counts = grape.ego_role_counts(graph, "3-path", ego)
    assert [row[1] for row in rows][2:] == [f"{len(c):,}" for c in counts[1:]]
    page.locator("#ego-members button").first.click()
    assert "instance" in page.inner_text("#step-words")
    page.click("#ego-random")
    known = {int(name) for name in page.locator("#ego-names option").evaluate_all(
        "options => options.map((option) => option.value)")}  # fmt: skip
    stranger = next(v for v in range(graph.num_nodes) if v not in known and v != ego)
    page.fill("#ego-name", str(stranger))
    page.press("#ego-name", "Enter")
    assert page.locator("#ego-note.warn").count() == 1


def test_the_first_node_can_be_chosen(social_run, tmp_path):
    page = write_report(social_run.path, tmp_path / "r.html", node="42").read_text("utf-8")
    assert '"start":42' in page
    with pytest.raises(UnknownNodeError, match="no node is called 'nobody'"):
        write_report(social_run.path, tmp_path / "r.html", node="nobody")


def test_what_is_no_folder_of_ours_is_refused(tmp_path, social_run):
    with pytest.raises(ModelFileError, match="there is no such folder"):
        write_report(tmp_path / "nowhere")
    with pytest.raises(ModelFileError, match="is not the folder of a training"):
        write_report(tmp_path)
    (tmp_path / "config.json").write_text("[1, 2")
    with pytest.raises(ModelFileError, match=r"config\.json: is damaged"):
        write_report(tmp_path)
    with pytest.raises(GrapeError, match=r"the folder .* does not exist"):
        write_report(social_run.path, tmp_path / "no" / "such" / "folder.html")


def test_a_search_is_named_after_its_file_not_its_folder(found, tmp_path):
    moved = shutil.copytree(found, tmp_path / "moved")
    config = json.loads((moved / "config.json").read_text())
    config["source"] = {"file": "/home/ann/secret project/friends.csv", "reading": {}}
    config["command"] = ["grape", "search", "secret project/friends.csv"]
    (moved / "config.json").write_text(json.dumps(config))
    page = write_report(moved, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<title>Template search on friends</title>" in page
    words = re.sub("</?span[^>]*>", "", page)
    assert "grape search &#39;secret project/friends.csv&#39;" in words


@pytest.mark.parametrize(("column", "figure"), [("price", "RMSE"), ("tags", "micro F1")])
def test_numbers_and_several_labels_have_reports(tmp_path, column, figure):
    rng = np.random.default_rng(0)
    edges, table = tmp_path / "edges.csv", tmp_path / "items.csv"
    edges.write_text("source,target\n" + "".join(f"{k},{(k + 1) % 90}\n" for k in range(90)))
    rows = [
        f"{k},{k % 5},{100 + 20 * (k % 5) + rng.normal():.2f},{('r', 's', 'r;s')[k % 3]}\n"
        for k in range(90)
    ]
    table.write_text("id,size,price,tags\n" + "".join(rows))
    reading = {"nodes": str(table), "label": column, "features": ["size"]}
    source = find_source(str(edges), reading)
    run = train_run(tmp_path / "run", source, {"epochs": 3, "hidden": 8}, templates="edge")
    page = write_report(run.path).read_text(encoding="utf-8")
    assert not re.search("text-anchor='middle'[^>]*>2.5<", page)  # epochs have no halves
    assert f"test {figure}" in page
    assert ("Predicted and true" in page) == (column == "price")
    assert ("Label by label" in page) == (column == "tags")
    assert "Who is taken for whom" not in page
    found = explain_run(run)
    assert found.features.names == ("size",)
    assert found.measure == ("R2" if column == "price" else "micro F1")
    assert explain_node(run, 5).node == 5


# ------------------------------------------------------------------ decoupled models


@pytest.fixture(scope="module")
def decoupled_run(tmp_path_factory):
    """Train a decoupled model on a small social network."""
    return train_run(
        tmp_path_factory.mktemp("runs") / "decoupled",
        find_source("social-like", {"num_nodes": 150}),
        {"epochs": 12, "hidden": 8, "preset": "decoupled"},
        templates="edge,3-path,triangle",
        command=["grape", "train", "social-like", "--preset", "decoupled"],
    )


def test_a_decoupled_model_has_a_report(window, decoupled_run, tmp_path):
    page = window.show(write_report(decoupled_run.path, tmp_path / "d.html", node="42")).page
    assert page.locator("h2").all_inner_texts() == [
        "Accuracy", "Learning", "Templates", "Weights", "Nodes", "Settings",
    ]  # fmt: skip
    assert page.locator("nav a").all_inner_texts() == page.locator("h2").all_inner_texts()
    words = page.inner_text("main")
    assert "What roles and features are worth one by one cannot be shown: it takes role" in words
    accuracy = f"{100 * decoupled_run.metrics['test_accuracy']:.1f}%"
    assert page.locator(".facts .main b").inner_text().startswith(accuracy)
    (layer,) = explain_decoupled(decoupled_run.model(), decoupled_run.graph()).layers
    for alpha, share in zip(layer.alpha, layer.share, strict=True):
        assert f"{100 * share:.0f}%, α {alpha:.2f}" in words
    assert "layer 1" not in words
    assert page.inner_text("#ego-title") == "42"
    page.click("[data-template='2']")
    counts = grape.ego_role_counts(decoupled_run.graph(), "triangle", 42)
    rows = [row.locator("td").all_inner_texts() for row in page.locator("#ego-shares tr").all()]
    assert [row[1] for row in rows][2:] == [f"{len(c):,}" for c in counts[1:]]
    page.set_viewport_size({"width": 390, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_decoupled_model_of_a_very_large_graph_leaves_nodes_out(
    window, decoupled_run, tmp_path, monkeypatch
):
    monkeypatch.setattr(run_report, "_EXPLORED", 10)
    page = window.show(write_report(decoupled_run.path, tmp_path / "d.html")).page
    assert page.locator("h2").all_inner_texts()[-2:] == ["Weights", "Settings"]
    assert "and the nodes one by one, cannot be shown" in page.inner_text("main")


def test_a_node_of_a_page_without_nodes_is_refused(decoupled_run, tmp_path, monkeypatch):
    monkeypatch.setattr(run_report, "_EXPLORED", 10)
    with pytest.raises(ModelError, match="more than 10 edges shows no nodes; leave out"):
        write_report(decoupled_run.path, tmp_path / "d.html", node=42)
    assert not (tmp_path / "d.html").exists()


def test_the_terms_of_a_decoupled_model_add_up(decoupled_run):
    import torch

    model, graph = decoupled_run.model(), decoupled_run.graph()
    network = model.network.eval()
    _, logs, *hops = model.product_inputs(graph).rows(torch.arange(graph.num_nodes))
    with torch.no_grad():
        found = role_terms(network, logs, network.narrowed(hops))
        for maps, mine, terms in zip(network.maps, network.slices, found, strict=True):
            added = torch.stack([term for *_, term in terms]).sum(dim=0)
            given = [
                part(hop[:, mine], GivenMessages(logs[:, mine]))
                for part, hop in zip(maps, hops, strict=True)
            ]
            torch.testing.assert_close(added, sum(given), rtol=1e-4, atol=1e-5)
    layers = explain_decoupled(model, graph).layers
    assert sum(layers[0].share) + layers[0].own == pytest.approx(1)
    layered = grape.GrapeClassifier("edge", epochs=1).fit(graph)
    with pytest.raises(ModelError, match="the preset 'default' takes no products"):
        layered.product_inputs(graph)
