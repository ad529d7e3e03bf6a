"""Run folders of training on links: how well hidden ones are found, a model, what it suggests.

===================  =====================================================================
config.json          which graph, its checksum, the seed, the command
splits.json          figures of every split that is done; an interrupted run goes on after them
model.npz            the model, trained on all links
suggestions.csv      the likeliest missing links, each with the reason
metrics.json         means and deviations over the splits; it is written last
===================  =====================================================================
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterable
from typing import Any, TypedDict

from grape_gnn.datasets.source import GraphSource
from grape_gnn.errors import GrapeError, ModelFileError
from grape_gnn.files import Count, Folder
from grape_gnn.graph import Graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.links import GrapeLinkPredictor, Suggestion, evaluate_links, mean_figures

__all__ = ["LinkRun", "link_table", "resume_link_run", "train_link_run"]

SPLITS = 10
_SUGGESTED = 100
Progress = Callable[[int, int], None]


class _Config(TypedDict):
    source: dict[str, Any]
    data: str
    seed: Count
    threads: Count | None
    command: list[str]


class LinkRun(Folder):
    """The folder of a training on links.

    Examples
    --------
    >>> LinkRun.kind
    'train-links'
    """

    kind, thing, command = "train-links", "training on links", "grape train --task link"
    error = ModelFileError
    config_shape = _Config

    @property
    def is_finished(self) -> bool:
        """Whether the training has ended."""
        return (self.path / "metrics.json").exists()

    @property
    def metrics(self) -> dict[str, Any]:
        """All figures."""
        found: dict[str, Any] = self.read_json("metrics.json")
        return found

    @property
    def source(self) -> GraphSource:
        """Where the graph comes from."""
        return GraphSource.from_json(self.config["source"])

    def graph(self) -> Graph:
        """Read the graph again; refuse another than that of the training."""
        found = self.source.load()
        if checksum(found) != self.config["data"]:
            raise ModelFileError(
                self.path, f"{self.source.name} has changed since this training: train again"
            )
        return found

    def model(self) -> GrapeLinkPredictor:
        """Read the trained model."""
        return GrapeLinkPredictor.load(self.path / "model.npz", self.graph())


def train_link_run(
    path: str | os.PathLike[str],
    source: GraphSource,
    seed: int = 0,
    *,
    threads: int | None = None,
    command: Iterable[str] = (),
    progress: Progress | None = None,
) -> LinkRun:
    """Measure how well hidden links of a graph are found, then learn from all of its links.

    Parameters
    ----------
    path
        The folder to make.
    source
        The graph.
    seed
        Seed of all that is drawn.
    threads
        Number of threads; the result is the same.
    command
        What the user typed, to be kept.
    progress
        Called after every split with (splits done, splits in all).
    """
    LinkRun.check_free(path)
    graph = source.load()
    config = {
        "source": source.to_json(),
        "data": checksum(graph),
        "seed": seed,
        "threads": threads,
        "command": list(command),
    }
    with LinkRun.create(path, config) as run:
        try:
            _train(run, graph, progress)
        except GrapeError:
            if not (run.path / "splits.json").exists():  # nothing is lost with it
                run.discard()
            raise
    return run


def resume_link_run(path: str | os.PathLike[str], progress: Progress | None = None) -> LinkRun:
    """Go on with an interrupted training, to the result it would have had."""
    run = LinkRun.open(path)
    if not run.is_finished:
        with run:
            _train(run, run.graph(), progress)
    return run


def link_table(suggestions: Iterable[Suggestion]) -> str:
    """Return suggested links as comma-separated values.

    Examples
    --------
    >>> print(link_table([Suggestion("ann", "dan", 0.9, (("ann", "bob", "dan"),), 1)]), end="")
    source,target,score,reason
    ann,dan,0.900000,1 common neighbour: bob
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["source", "target", "score", "reason"])
    for s in suggestions:
        table.writerow([s.head, s.tail, f"{s.probability:.6f}", s.reason])
    return text.getvalue()


def _train(run: LinkRun, graph: Graph, progress: Progress | None) -> None:
    seed, threads = run.config["seed"], run.config["threads"]
    splits = evaluate_links(graph, SPLITS, seed, run.path / "splits.json", threads, progress)
    model = GrapeLinkPredictor(seed, threads).fit(graph)
    model.save(run.path / "model.npz")
    run.write_text("suggestions.csv", link_table(model.suggest(_SUGGESTED)))
    counts = {"nodes": graph.num_nodes, "edges": graph.num_edges, "splits": len(splits)}
    run.write_json("metrics.json", {"task": "link", **counts, "figures": mean_figures(splits)})
