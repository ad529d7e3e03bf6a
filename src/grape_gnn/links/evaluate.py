"""How well missing links are found: hide some, learn from the rest, rank the hidden ones.

The protocol: a tenth of the links is removed at random, as many pairs without a link are drawn, and
everything is learnt on the graph that is left. Common neighbours and the index of Adamic and Adar
rank the same pairs. All that is chosen is chosen on pairs of the graph that is left.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import whole_number
from grape_gnn.errors import FileError, ModelError
from grape_gnn.files.json_file import read_json, write_json
from grape_gnn.graph import Graph, GraphLike, as_graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.links.features import refuse_directions
from grape_gnn.links.predictor import GrapeLinkPredictor
from grape_gnn.links.sample import unlinked_pairs
from grape_gnn.training.ranking import average_precision_of, roc_auc_of

__all__ = ["METHODS", "evaluate_links", "link_figures", "mean_figures"]

METHODS = ("grape", "common neighbours", "Adamic-Adar")
_SHARE = 0.1
_HITS = 50


def link_figures(links: NDArray[np.float64], others: NDArray[np.float64]) -> dict[str, float]:
    """Return AUC, AP, Hits@50 and MRR of scores of hidden links and of pairs without one.

    Hits@50 is the share of the links above the 50th best of the other pairs; MRR is the mean of one
    over a link's rank among the other pairs. Ties count half.

    Examples
    --------
    >>> link_figures(np.array([3.0, 1.0]), np.array([2.0, 0.0]))["auc"]
    0.75
    """
    scores = np.concatenate([links, others])
    truth = np.arange(len(scores)) < len(links)
    descending = np.sort(others)[::-1]
    above = len(others) - np.searchsorted(np.sort(others), links, side="right")
    level = len(others) - np.searchsorted(np.sort(others), links, side="left") - above
    bar = descending[_HITS - 1] if len(others) >= _HITS else -np.inf
    return {
        "auc": roc_auc_of(scores, truth) or 0.0,
        "ap": average_precision_of(scores, truth) or 0.0,
        f"hits@{_HITS}": float((links > bar).mean()),
        "mrr": float((1.0 / (1.0 + above + level / 2)).mean()),
    }


def evaluate_links(
    graph: GraphLike,
    splits: int = 10,
    seed: int = 0,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[dict[str, dict[str, float]]]:
    """Hide a tenth of the links, several times over, and see who finds them.

    Parameters
    ----------
    graph
        An undirected graph.
    splits, seed
        How often, and the seed of the first split; the next has the next seed.
    out
        A ``.json`` file that is written after every split; one that is there already is continued.
    threads
        Number of threads; the result is the same.
    progress
        Called with (splits done, splits in all).

    Returns
    -------
    list of dict
        For every split the figures of each of `METHODS`: ``auc``, ``ap``, ``hits@50``, ``mrr``.

    Examples
    --------
    >>> from grape_gnn.testing import gnp
    >>> (figures,) = evaluate_links(gnp(30, 0.2, seed=0), splits=1)
    >>> sorted(figures)
    ['Adamic-Adar', 'common neighbours', 'grape']
    """
    graph = as_graph(graph)
    refuse_directions(graph)
    whole_number("splits", splits, 1, error=ModelError)
    whole_number("seed", seed, error=ModelError)
    if graph.num_edges < 20:
        raise ModelError(f"{graph!r} has too few links to hide a tenth of them: 20 are needed")
    about = {"kind": "grape-links", "version": 1, "graph": checksum(graph), "seed": seed}
    found = [] if out is None else _read(Path(out), about)
    for split in range(len(found), splits):
        found.append(_one_split(graph, seed + split, threads))
        if out is not None:
            write_json(out, {**about, "splits": found})
        if progress is not None:
            progress(split + 1, splits)
    return found[:splits]


def mean_figures(
    splits: list[dict[str, dict[str, float]]],
) -> dict[str, dict[str, tuple[float, float]]]:
    """Return mean and standard deviation over the splits of every method's figures.

    Examples
    --------
    >>> mean_figures([{"grape": {"auc": 0.5}}, {"grape": {"auc": 1.0}}])
    {'grape': {'auc': (0.75, 0.25)}}
    """
    found = {}
    for method, first in splits[0].items():
        values = {figure: [split[method][figure] for split in splits] for figure in first}
        found[method] = {f: (float(np.mean(v)), float(np.std(v))) for f, v in values.items()}
    return found


def _read(path: Path, about: dict[str, Any]) -> list[dict[str, dict[str, float]]]:
    if not path.exists():
        return []
    shape = dict[str, Any]
    data = read_json(path, shape, remedy="delete it, or choose another file")
    if {key: data.get(key) for key in about} != about or not isinstance(data.get("splits"), list):
        raise FileError(
            path, "holds something else, or figures of another graph or seed; choose another file"
        )
    return list(data["splits"])


def _one_split(graph: Graph, seed: int, threads: int | None) -> dict[str, dict[str, float]]:
    rng = np.random.default_rng(seed)
    links = rng.permutation(graph.edge_array())
    hidden, kept = np.split(links, [max(1, round(_SHARE * len(links)))])
    rest = Graph.from_edges(kept[:, 0], kept[:, 1], num_nodes=graph.num_nodes)
    pairs = np.concatenate([hidden, unlinked_pairs(graph, len(hidden), rng)])
    model = GrapeLinkPredictor(seed=seed, threads=threads).fit(rest)
    features = model.features_.of(pairs[:, 0], pairs[:, 1])
    names = model.features_.names
    scores = {
        "grape": model.model_.decision(features),
        "common neighbours": features[:, 0],
        "Adamic-Adar": features[:, names.index("Adamic-Adar")],
    }
    return {
        method: link_figures(numbers[: len(hidden)], numbers[len(hidden) :])
        for method, numbers in scores.items()
    }
