"""The edges alone, or all templates: validation decides.

A template that does not help must not hurt. So the model is trained twice, with all templates and
with the edges alone, which cost little, and the one that validates better is taken over.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from grape_gnn.errors import ModelError
from grape_gnn.estimator.method import Grape
from grape_gnn.estimator.tuning import best_trial, trial_of
from grape_gnn.extras import named_extra
from grape_gnn.roles import RoleMatches
from grape_gnn.training import processes
from grape_gnn.warn import held, warn

with named_extra():
    import torch

if TYPE_CHECKING:
    from grape_gnn.estimator.base import GrapeEstimator

__all__ = ["edge_checkpoint", "fit_better", "is_choice"]


def is_choice(model: GrapeEstimator) -> bool:
    """Tell whether validation decides: asked for, or nobody asked for any templates.

    Examples
    --------
    >>> from grape_gnn import GrapeClassifier
    >>> is_choice(GrapeClassifier()), is_choice(GrapeClassifier("social"))
    (True, False)
    >>> is_choice(GrapeClassifier("social", edge_only="auto"))
    True
    """
    if model.edge_only not in (None, False, True, "auto"):
        raise ModelError(f"edge_only={model.edge_only!r} is unknown: use False, True or 'auto'")
    wanted = model.templates is None if model.edge_only is None else model.edge_only == "auto"
    if not wanted or model.preset != "default":
        return False
    return model.templates is None or "edge_only" in Grape(model.templates).choices


def edge_checkpoint(checkpoint: str | os.PathLike[str]) -> Path:
    """Return the checkpoint of the edges alone, beside that of all templates.

    Examples
    --------
    >>> edge_checkpoint("checkpoint.safetensors").name
    'edge-checkpoint.safetensors'
    """
    return Path(checkpoint).with_name(f"edge-{Path(checkpoint).name}")


def fit_better(
    model: GrapeEstimator,
    graph: Any,
    y: Any,
    *,
    roles: RoleMatches | None,
    checkpoint: str | os.PathLike[str] | None,
    options: Mapping[str, Any],
) -> None:
    """Train with all templates and with the edges alone, and take over the better model.

    Parameters
    ----------
    model
        Becomes the better one; its parameters stay.
    graph, y, roles, checkpoint
        As for `GrapeClassifier.fit`.
    options
        Its other arguments.
    """
    trained, trials = {}, {}
    for alone in (False, True):
        candidate = type(model)(**{**model.get_params(), "edge_only": alone})
        candidate._cache = model.role_cache
        candidate._shares = model._shares
        file = checkpoint if checkpoint is None or not alone else edge_checkpoint(checkpoint)
        began = monotonic()
        with held() as said:
            matched = None if alone else roles
            candidate.fit(graph, y, roles=matched, checkpoint=file, **options)
        trained[alone] = candidate, said
        settings = {"edge_only": alone}
        trials[alone] = trial_of(settings, candidate.history_, monotonic() - began)
    better = best_trial(list(trials.values())).settings["edge_only"]
    chosen, said = trained[processes(torch.device(model.device)).from_first(better)]
    own = set(model.get_params())
    for name, value in vars(chosen).items():
        if name not in own:
            setattr(model, name, value)
    model.trials_ = tuple(trials.values())
    for each in said:  # of the model that was not taken nobody needs to know
        warn(each)
