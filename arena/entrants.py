"""Who takes part: every baseline and reference method, GRAPE with the edge alone, and GRAPE.

GRAPE is the preset ``default``, through the code that `GrapeClassifier` trains.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
import torch

from arena.tasks import Task
from grape_gnn import datasets
from grape_gnn.baselines import BASELINES, REFERENCE_METHODS, method
from grape_gnn.datasets import with_features
from grape_gnn.errors import GrapeError
from grape_gnn.graph import Graph
from grape_gnn.training import Method, grid_points, random_split, seeded

__all__ = ["ENTRANTS", "GRAPE", "GRAPE_EDGE", "PLAIN", "entrant", "find_entrants", "fingerprint"]

GRAPE, GRAPE_EDGE = "grape", "grape-edge"
TITLES = {
    "gcn": "GCN",
    "sage": "SAGE",
    "gin": "GIN",
    "gat": "GAT",
    "mixhop": "MixHop",
    "geniepath": "GeniePath",
    "meta-gnn": "Meta-GNN",
    "de-gnn": "DE-GNN",
    GRAPE_EDGE: "GRAPE, edge",
    GRAPE: "GRAPE",
    "label-propagation": "label prop.",
    "mlp": "MLP",
    "linkx": "LINKX",
    "logistic-degree": "log. degree",
    "logistic-totals": "log. totals",
}
ENTRANTS = (*BASELINES, GRAPE_EDGE, GRAPE, *REFERENCE_METHODS)
PLAIN = ("label-propagation", "logistic-degree", "logistic-totals")
"""Those that are not trained by the trainer, and so are the same in both leagues."""


def entrant(name: str, task: Task) -> Method:
    """Return an entrant, with the templates of a task.

    Examples
    --------
    >>> from arena.tasks import find_tasks
    >>> (brazil,) = find_tasks(["brazil-airports"])
    >>> entrant("grape-edge", brazil).describe()["templates"]
    ['0-1']
    """
    if name == GRAPE_EDGE:
        found = method(GRAPE, task.edge)
        found.name, found.title = name, TITLES[name]  # type: ignore[misc]
        return found
    return method(name, task.templates)


def find_entrants(names: Iterable[str] | None) -> list[str]:
    """Return names of entrants in the order of the tables; None: all.

    Examples
    --------
    >>> find_entrants(["grape", "gcn"])
    ['gcn', 'grape']
    """
    wanted = list(ENTRANTS if names is None else names)
    for name in wanted:
        if name not in ENTRANTS:
            raise GrapeError(f"no entrant is called {name!r} (there are {', '.join(ENTRANTS)})")
    return [name for name in ENTRANTS if name in wanted]


def fingerprint(chosen: Method) -> str:
    """Return how a method behaves on a small graph, so that a record of other code is known.

    A network is asked untrained, once as it predicts and once as it is trained, with constant and
    with random features; what is not a network is fitted. Three digits do not depend on the
    machine, and a change of names or comments changes nothing.

    Examples
    --------
    >>> fingerprint(method("mlp")) == fingerprint(method("mlp")) != fingerprint(method("linkx"))
    True
    """
    templates = getattr(chosen, "templates", ())
    directed = any(template.directed for template in templates)
    return " ".join(_answer(chosen, _probe(directed, kind)) for kind in ("constant", "random"))


@cache
def _probe(directed: bool, kind: str) -> Graph:
    if not directed:
        return with_features(datasets.planted_roles(num_shapes=9), kind)
    return with_features(datasets.directed_roles(num_nodes=180), kind)


def _answer(chosen: Method, graph: Graph) -> str:
    prepared = chosen.prepare(graph, torch.from_numpy(np.array(graph.x, np.float32)))
    classes = len(graph.label_names or ())
    if chosen.grid is not None:
        point = next(iter(grid_points(chosen.grid)))
        settings = chosen.settings(prepared.constant, point, epochs=1, patience=1, seed=0)
        labels = np.array(graph.y)
        split = random_split(labels, 0)
        train, validation = torch.from_numpy(split.train), torch.from_numpy(split.validation)
        asked = torch.from_numpy(labels)
        answers = [chosen.fit(prepared, asked, train, validation, classes, settings).scores]
    else:
        network, inputs = chosen.build(prepared, classes, hidden=8, dropout=0.5, seed=0)
        with torch.no_grad(), seeded(0):
            network.eval()
            answers = [network(*inputs)]
            network.train()
            answers.append(network(*inputs))
    return " ".join(f"{each.double().std().item():.3g}" for each in answers)
