"""The layer of the preset ``default`` with one part taken away at a time, by validation scores.

Every variant has the classifier's own settings, untuned, on ten splits of the smaller tasks. It
says what a part is worth, not who wins; no test label is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean

import torch

from arena.tasks import Task, find_tasks
from grape_gnn.comparison import cells
from grape_gnn.comparison.store import ResultStore
from grape_gnn.datasets import with_features
from grape_gnn.estimator.method import Grape
from grape_gnn.files import make_folder
from grape_gnn.nn import GRAPE, RoleLayer, RoleValues
from grape_gnn.nn.role_maps import FORMS, GivenMessages, RoleMaps
from grape_gnn.training import Prepared, Shape, summarise

__all__ = ["TASKS", "VARIANTS", "ablation_table", "run_ablation"]

TASKS = ("brazil-airports", "europe-airports", "chameleon", "chameleon-constant")
# The defaults of `GrapeClassifier`.
POINT = {"hidden": 32, "layers": 2, "dropout": 0.3, "weight_decay": 5e-5, "learning_rate": 0.01}


def _without_form(form: str) -> Callable[[RoleLayer], None]:
    def change(layer: RoleLayer) -> None:
        kept = torch.tensor([float(name != form) for name in FORMS])[:, None]

        def hide(given: torch.Tensor) -> torch.Tensor:
            parts = given.view(given.shape[0], layer.num_roles, len(FORMS), -1)
            return (parts * kept).view_as(given)

        with torch.no_grad():
            layer.maps.weight.copy_(hide(layer.maps.weight))
        # Maps that are zero and get no derivative stay zero.
        layer.maps.weight.register_hook(hide)

    return change


class _Unscaled(RoleMaps):
    """The maps, of messages that are not standardised."""

    def forward(self, h: torch.Tensor, roles: RoleValues | GivenMessages) -> torch.Tensor:
        means, logs = roles.means(h), roles.log_totals(h)
        both = torch.stack([means, means * logs[:, :, None]], dim=2)
        return both.flatten(1) @ self.weight.T


def _unscaled(layer: RoleLayer) -> None:
    layer.maps.__class__ = _Unscaled


def _without_residual(layer: RoleLayer) -> None:
    layer.residual = False


def _without_own_map(layer: RoleLayer) -> None:
    layer.own.register_forward_hook(lambda _, __, own: 0 * own)


def _undamped(layer: RoleLayer) -> None:
    layer.damped = 0


VARIANTS: Mapping[str, tuple[str, Callable[[RoleLayer], None] | None]] = {
    "default": ("the layer as it is", None),
    "mean": ("means only", _without_form("log")),
    "log": ("means times logarithms only", _without_form("mean")),
    "unscaled": ("messages not standardised", _unscaled),
    "undamped": ("nothing damped by degree", _undamped),
    "no-residual": ("nothing added from the layer before", _without_residual),
    "no-own": ("no map of the ego's own features", _without_own_map),
}
PRESETS = {"paper": "the preset `paper`", "released": "the preset `released`"}


class Variant(Grape):
    """GRAPE with every layer changed.

    Parameters
    ----------
    templates
        As for `Grape`.
    change
        Changes a layer; None: as it is.
    preset
        As for `Grape`.
    """

    def __init__(
        self, templates: str, change: Callable[[RoleLayer], None] | None, preset: str = "default"
    ) -> None:
        super().__init__(templates, preset)
        self.change = change

    def network(self, shape: Shape, prepared: Prepared | None = None) -> GRAPE:
        """Return an untrained network."""
        network = super().network(shape, prepared)
        for layer in network.layers:
            if self.change is not None and isinstance(layer, RoleLayer):
                self.change(layer)
        return network


def run_ablation(
    folder: Path, tasks: Sequence[str] = TASKS, progress: Callable[[str], None] | None = None
) -> dict[str, dict[str, list[float]]]:
    """Train what is missing, and return validation scores in percent by variant and task.

    Parameters
    ----------
    folder
        Where the records are: one file a variant.
    tasks
        Names of tasks.
    progress
        Called with a line of words after every variant and task.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for task in find_tasks(tasks):
        for name in (*VARIANTS, *PRESETS):
            change = VARIANTS[name][1] if name in VARIANTS else None
            preset = name if name in PRESETS else "default"
            scores = _validated(Variant(task.templates, change, preset), task, folder / name)
            found.setdefault(name, {})[task.name] = scores
            if progress is not None:
                progress(f"{task.name} {name}: validation {mean(scores):.1f}")
    return found


def _validated(variant: Variant, task: Task, file: Path) -> list[float]:
    splits = task.splits()
    training = cells.Task(
        variant,
        with_features(task.graph(), task.features),
        task.dataset,
        task.features,
        500,
        50,
        task.metric,
        None if splits is None else tuple(splits),
        {"variant": file.name},
    )
    # Trainings that help to choose never read test labels.
    wanted = [cells.Cell("grid", seed, POINT) for seed in (*task.seeds, *task.more)[:10]]
    make_folder(file.parent)
    found = dict.fromkeys(range(len(wanted)), 0.0)
    for number, result, _ in ResultStore(file.with_suffix(".jsonl")).run(training, wanted, 1):
        found[number] = 100 * result.validation_score
    return list(found.values())


def ablation_table(scores: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """Write what each variant gains or loses against the layer as it is, split by split."""
    tasks = list(scores["default"])
    rows = ["| | " + " | ".join(tasks) + " | mean |", "|---|" + "---|" * (len(tasks) + 1)]
    rows.append(
        f"| {VARIANTS['default'][0]} | "
        + " | ".join(f"{mean(scores['default'][task]):.1f}" for task in tasks)
        + " | |"
    )
    says = {name: words for name, (words, _) in VARIANTS.items()} | PRESETS
    for name in says:
        if name == "default" or name not in scores:
            continue
        cells, gaps = [], []
        for task in tasks:
            pairs = zip(scores[name][task], scores["default"][task], strict=True)
            gap, _, error = summarise((a - b) / 100 for a, b in pairs)
            gaps.append(gap)
            cells.append(f"{gap:+.1f} ± {error:.1f}")
        rows.append(f"| {says[name]} | {' | '.join(cells)} | {mean(gaps):+.1f} |")
    return "\n".join(rows) + "\n"
