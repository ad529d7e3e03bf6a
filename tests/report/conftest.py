"""A real browser, and runs to write reports about."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.datasets.source import find_source
from grape_gnn.report import write_report
from grape_gnn.runs.training import train_run

NASTY = [
    "<script>document.title='broken'</script>", "</script>", "\"quoted\"", "O'Neil", "a&amp;b",
    "日本語", "\u2028line", "<img src=x onerror=document.title='broken'>", "${x}{{y}}",
    "back\\slash",
]  # fmt: skip
NASTY_LABELS = ["<b>bold</b>", "'single' & \"double\"", "</script><script>alert(1)</script>"]


class Window:
    """A page of the browser that remembers what went wrong."""

    def __init__(self, page):
        self.page = page
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", self._hear)
        page.on("requestfailed", lambda request: self.problems.append(f"failed: {request.url}"))
        self.requests: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))

    def _hear(self, message):
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type}: {message.text}")

    def show(self, file):
        self.page.goto(file.as_uri())
        return self


@pytest.fixture(scope="session")
def browser():
    """Start a headless Chromium, or skip the test."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next((path for path in map(shutil.which, names) if path), None)
    if found is None:
        pytest.skip("no Chromium on this machine: install the package chromium")
    with api.sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        started = playwright.chromium.launch(executable_path=found, args=flags)
        yield started
        started.close()


@pytest.fixture
def window(browser):
    """Open pages; a test fails if one of them complains."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = Window(context.new_page())
    yield opened
    context.close()
    assert opened.problems == []
    assert [url for url in opened.requests if not url.startswith("file:")] == []


@pytest.fixture(scope="session")
def social_run(tmp_path_factory):
    """Train on a small social network."""
    folder = tmp_path_factory.mktemp("runs") / "social"
    source = find_source("social-like", {"num_nodes": 150})
    return train_run(
        folder,
        source,
        {"epochs": 12, "hidden": 8},
        templates="edge,3-path,triangle",
        command=["grape", "train", "social-like"],
    )


@pytest.fixture(scope="session")
def nasty_names():
    """Give names of nodes that try to break out of the page."""
    return NASTY


@pytest.fixture(scope="session")
def nasty_run(tmp_path_factory):
    """Train on a directed graph whose names and labels try to break out of the page."""
    rng = np.random.default_rng(0)
    names = [*NASTY, *(f"node {k}" for k in range(50))]
    ends = rng.integers(0, len(names), size=(2, 260))
    keep = ends[0] != ends[1]
    pairs = np.unique(ends[:, keep], axis=1)
    graph = grape.Graph.from_edges(
        *pairs, len(names), directed=True, names=names, x=rng.random((len(names), 3)),
        y=rng.integers(0, 3, len(names)), label_names=NASTY_LABELS,
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("nasty")
    file = folder / "<b>graph & 'co'.npz"
    graph.save(file)
    settings = {"epochs": 3, "hidden": 4}
    templates = "to,from-to,bi-direct"
    return train_run(folder / "run", find_source(str(file), {}), settings, templates=templates)


@pytest.fixture(scope="session")
def social_page(social_run, tmp_path_factory):
    """Report the training on the social network."""
    return write_report(social_run.path, tmp_path_factory.mktemp("out") / "social.html")


@pytest.fixture(scope="session")
def nasty_page(nasty_run, nasty_names, tmp_path_factory):
    """Report the training with names that try to break out of the page."""
    file = tmp_path_factory.mktemp("out") / "nasty.html"
    return write_report(nasty_run.path, file, node=nasty_names[0])


@pytest.fixture
def report(window, social_page):
    """Show the report of the social network."""
    return window.show(social_page).page
