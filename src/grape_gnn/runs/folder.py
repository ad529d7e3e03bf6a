"""Run folders: all that is known of one training, in files that are whole or not there.

====================  =============================================================================
config.json           what was trained on what: source of the graph and its checksum, parameters,
                      templates, versions, the command
checkpoint            only while training goes on; ``grape train --resume`` starts from it; with
``.safetensors``      ``edge-`` in front, that of the edges alone
trials.jsonl          the settings tried, and their validation scores: all templates and the edges
                      alone, or with ``--tune`` more
tuned.json            with ``--tune``: the settings chosen, once they are
columns.json          for a table of nodes: what was done to each of its columns
history.json          loss and validation score of every epoch
model.safetensors     the weights of the best epoch
predictions.csv       label, prediction and part of every node
metrics.json          all metrics, confusion; written last, so it marks a finished run
====================  =============================================================================
"""

from __future__ import annotations

import os
import shlex
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypedDict, TypeVar

from grape_gnn.datasets.source import GraphSource
from grape_gnn.errors import ModelFileError
from grape_gnn.estimator.edge_choice import edge_checkpoint
from grape_gnn.estimator.tuning import Trial
from grape_gnn.features import NodeEncoder
from grape_gnn.files import (
    Amount,
    Count,
    Finite,
    Folder,
    Share,
    append_records,
    check_shape,
    holder_of,
    read_records,
)
from grape_gnn.graph import Graph
from grape_gnn.graph.checksum import checksum, feature_parts
from grape_gnn.runs.predictions import (
    Prediction,
    read_predictions,
    split_of,
    write_predictions,
    wrong_answers,
)
from grape_gnn.training.history import Epoch, History
from grape_gnn.training.split import Split
from grape_gnn.warn import said_before

if TYPE_CHECKING:
    from grape_gnn.estimator.fitted import FittedModel

__all__ = ["RunFolder", "graph_digest"]

R = TypeVar("R", bound="RunFolder")

_CONFIG, _HISTORY, _METRICS = "config.json", "history.json", "metrics.json"
_COLUMNS = "columns.json"
_TRIALS, _TUNED = "trials.jsonl", "tuned.json"
_MODEL, _PREDICTIONS, _CHECKPOINT = (
    "model.safetensors", "predictions.csv", "checkpoint.safetensors",
)  # fmt: skip
_RESULTS = (_HISTORY, _MODEL, _PREDICTIONS, _METRICS)
_REMEDY = "restore it from a copy, or train again"


class _Tuning(TypedDict):
    seconds: Amount | None
    settings: list[str]


class _ConfigToTune(TypedDict):
    tuning: _Tuning


class _ConfigOfSeveral(TypedDict):
    processes: int


class _Config(TypedDict):
    source: dict[str, Any]
    parameters: dict[str, Any]
    templates: list[dict[str, Any]]
    data: str
    versions: dict[str, str]
    threads: Count
    command: list[str]


class _History(TypedDict):
    best: Count
    epochs: list[Epoch]


class _Parts(TypedDict):
    train: Count
    validation: Count
    test: Count


class _Metrics(TypedDict):
    task: Literal["classification", "multi-label", "regression"]
    metric: str
    figures: dict[str, dict[str, Finite | None]]
    best_epoch: Count
    epochs: Count
    seconds: Amount
    resumed: bool
    nodes: Count
    edges: Count
    features: Count
    weights: Count
    parts: _Parts


class _ClassMetrics(_Metrics):
    validation_accuracy: Share
    test_accuracy: Share | None
    majority_share: Share | None
    classes: list[str | int | float]
    confusion: list[list[Count]]


class _LabelMetrics(_Metrics):
    classes: list[str | int | float]


class RunFolder(Folder):
    """The folder of one training; see the top of the module for its files.

    Make one with `grape_gnn.runs.training.train_run` (or ``grape train``); read it with `open`.

    Attributes
    ----------
    path : Path
        The folder.
    config : dict
        What was trained on what.

    Examples
    --------
    >>> import tempfile
    >>> from grape_gnn.datasets.source import find_source
    >>> from grape_gnn.runs.training import train_run
    >>> path = Path(tempfile.mkdtemp(), "roles")
    >>> source = find_source("planted-roles", {"num_shapes": 9})
    >>> _ = train_run(path, source, {"epochs": 3, "hidden": 4})
    >>> run = RunFolder.open(path)
    >>> run.config["source"]["dataset"], run.metrics["parts"]
    ('planted-roles', {'train': 43, 'validation': 15, 'test': 14})
    >>> run.model().predict(run.graph()).shape
    (72,)
    """

    kind, thing, command = "train", "training", "grape train"
    error = ModelFileError
    config_shape: ClassVar[Any] = _Config
    sample = "node"  # what is predicted

    # -------------------------------------------------------------- opening

    @classmethod
    def open(cls: type[R], path: str | os.PathLike[str], *, unfinished: bool = False) -> R:
        """Open a folder and check that nothing is missing.

        Parameters
        ----------
        path
            The folder.
        unfinished
            Whether a training that has not ended will do.

        Raises
        ------
        ModelFileError
            It is not a run folder, or a file is missing or damaged; the message names it.
        """
        run = super().open(path)
        if not unfinished:
            run._check_finished()
        return run

    def _check_finished(self) -> None:
        missing = [name for name in _RESULTS if not (self.path / name).exists()]
        # The checkpoint goes last, so with it a missing file is not written yet, not lost.
        if self.checkpoint.exists() or len(missing) == len(_RESULTS):
            holder = holder_of(self.path)
            remedy = (
                f"go on with  grape train --resume {shlex.quote(str(self.path))}"
                if holder is None
                else f"wait for {holder}"
            )
            raise ModelFileError(self.path, f"this training is not finished; {remedy}")
        if missing:
            raise ModelFileError(self.path / missing[0], f"is missing; {_REMEDY}")

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters of the classifier, those that were tuned as they were chosen."""
        given: dict[str, Any] = self.config["parameters"]
        if not self.is_tuned:
            return given
        return {**given, **self.read_json(_TUNED)}

    @property
    def tuning(self) -> dict[str, Any] | None:
        """Which settings are to be chosen, and the seconds for it; None without ``--tune``."""
        if "tuning" not in self.config:
            return None
        found: dict[str, Any] = self.read_json(_CONFIG, _ConfigToTune)["tuning"]
        return found

    @property
    def shares(self) -> int | None:
        """How many processes began the training, each with its share of a batch; None: one."""
        if "processes" not in self.config:
            return None
        return max(1, int(self.read_json(_CONFIG, _ConfigOfSeveral)["processes"]))

    @property
    def is_tuned(self) -> bool:
        """Whether settings were to be chosen, and are."""
        return (self.path / _TUNED).exists()

    @property
    def trials(self) -> list[Trial]:
        """The settings tried, if any were."""
        file = self.path / _TRIALS
        return read_records(file, _trial, error=ModelFileError) if file.exists() else []

    @property
    def is_finished(self) -> bool:
        """Whether the training ended and all its files are written."""
        return not self.checkpoint.exists() and (self.path / _METRICS).exists()

    @property
    def checkpoint(self) -> Path:
        """The file that an interrupted training goes on from."""
        return self.path / _CHECKPOINT

    # -------------------------------------------------------------- contents

    @cached_property
    def history(self) -> History:
        """Loss and validation accuracy of every epoch."""
        data = self.read_json(_HISTORY, _History)
        try:
            return History.from_json(data)
        except ValueError as error:
            raise ModelFileError(self.path / _HISTORY, f"is damaged: {error}; {_REMEDY}") from error

    @cached_property
    def metrics(self) -> dict[str, Any]:
        """All metrics of the validation and test nodes, confusion, sizes, time."""
        metrics: dict[str, Any] = self.read_json(_METRICS, _Metrics)
        if metrics["task"] != "classification":
            several = metrics["task"] == "multi-label"
            return self.read_json(_METRICS, _LabelMetrics) if several else metrics
        metrics = self.read_json(_METRICS, _ClassMetrics)
        classes = len(metrics["classes"])
        if [len(row) for row in metrics["confusion"]] != [classes] * classes:
            raise ModelFileError(
                self.path / _METRICS, f"has a confusion that does not fit its classes; {_REMEDY}"
            )
        return metrics

    @property
    def encoder(self) -> NodeEncoder | None:
        """What was done to the columns of the node table; None if there was none."""
        if not (self.path / _COLUMNS).exists():
            return None
        try:
            return NodeEncoder.from_json(self.read_json(_COLUMNS))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelFileError(
                self.path / _COLUMNS, f"is damaged ({error!r}); {_REMEDY}"
            ) from error

    @property
    def source(self) -> GraphSource:
        """Where the graph comes from."""
        try:
            return GraphSource.from_json(self.config["source"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelFileError(
                self.path / _CONFIG, f"does not say which graph it is about ({error!r}); {_REMEDY}"
            ) from error

    @property
    def title(self) -> str:
        """What the graph is called on a screen."""
        return self.source.title

    @property
    def name(self) -> str:
        """The dataset, or the file of the graph."""
        return self.source.name

    def graph(self) -> Graph:
        """Load the graph of the training again, and check that it is the same."""
        return self._graph

    @cached_property
    def _graph(self) -> Graph:
        try:
            with said_before():
                graph = self.source.load()
        except TypeError as error:
            raise ModelFileError(
                self.path / _CONFIG, f"does not say which graph it is about ({error}); {_REMEDY}"
            ) from error
        if graph_digest(graph) != self.config["data"]:
            raise ModelFileError(
                self.path,
                f"{self.source.name} is not the graph of this training any more: its edges, "
                f"features, labels or names changed; restore it, or train again",
            )
        return graph

    def model(self) -> Any:
        """Load the trained model; it knows the split, so that it scores on the test part."""
        model = self.estimator(self.metrics["task"]).load(self.path / _MODEL)
        model.split_ = self.split()
        model.history_ = self.history
        return model

    @staticmethod
    def estimator(task: str | None) -> type[FittedModel]:
        """Return the class of the models of a task."""
        from grape_gnn.estimator import GrapeClassifier, GrapeRegressor

        return GrapeRegressor if task == "regression" else GrapeClassifier

    def predictions(self) -> list[Prediction]:
        """Return label, prediction and part of every node, in the order of the graph."""
        file, things = self.path / _PREDICTIONS, f"{self.sample}s"
        rows = read_predictions(file, self.sample)
        if len(rows) != self.metrics[things]:
            raise ModelFileError(
                file, f"has {len(rows)} {things}, expected {self.metrics[things]}; {_REMEDY}"
            )
        wrong = wrong_answers(rows, self.metrics)
        if wrong is not None:
            raise ModelFileError(file, f"{wrong}; {_REMEDY}")
        return rows

    def split(self) -> Split:
        """Return the parts of the nodes as masks."""
        return split_of(self.predictions())

    # -------------------------------------------------------------- writing

    def add_trial(self, trial: Trial) -> None:
        """Keep a trial."""
        append_records(self.path / _TRIALS, [trial.to_json()], error=ModelFileError)

    def choose(self, settings: dict[str, Any]) -> None:
        """Keep the settings that the training takes."""
        self.write_json(_TUNED, settings)

    def finish(
        self, model: FittedModel, predictions: list[Prediction], metrics: dict[str, Any]
    ) -> None:
        """Write the results; only then the checkpoint may go."""
        encoder = getattr(model, "encoder_", None)
        if encoder is not None:
            self.write_json(_COLUMNS, encoder.to_json())
        self.write_json(_HISTORY, model.history_.to_json())
        model.save(self.path / _MODEL)
        write_predictions(self.path / _PREDICTIONS, predictions, self.sample)
        self.write_json(_METRICS, metrics)
        edge_checkpoint(self.checkpoint).unlink(missing_ok=True)
        self.checkpoint.unlink(missing_ok=True)


def _trial(data: dict[str, Any]) -> Trial:
    check_shape(data, Trial)
    return Trial(**data)


def graph_digest(graph: Graph) -> str:
    """Return a checksum of a graph: edges, features, labels and names.

    Examples
    --------
    >>> one, two = (Graph.from_edges([0, 1], [1, 2], y=y) for y in ([0, 1, 0], [0, 1, 1]))
    >>> graph_digest(one) == graph_digest(two)
    False
    """
    splits = [part for split in graph.splits for part in vars(split).values()]
    parts = (graph.y, graph.names, graph.label_names, *splits)
    return checksum(graph, *feature_parts(graph), *parts)
