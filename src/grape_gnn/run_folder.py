"""Run folders: all that is known of one training, in files that are whole or not there.

====================  =============================================================================
config.json           what was trained on what: source of the graph and its checksum, parameters,
                      templates, versions, the command
checkpoint            only while training goes on; ``grape train --resume`` starts from it
``.safetensors``
history.json          loss and validation accuracy of every epoch
model.safetensors     the weights of the best epoch
predictions.csv       label, prediction and part of every node
metrics.json          accuracy and confusion; written last, so it marks a finished run
====================  =============================================================================
"""

from __future__ import annotations

import json
import os
import shlex
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grape_gnn.datasets.source import GraphSource
from grape_gnn.errors import GrapeError, ModelFileError
from grape_gnn.files import atomic_write
from grape_gnn.graph import Graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.predictions import Prediction, read_predictions, split_of, write_predictions
from grape_gnn.training.history import History
from grape_gnn.training.split import Split

if TYPE_CHECKING:
    from grape_gnn.estimator import GrapeClassifier

__all__ = ["RunFolder", "graph_digest"]

KIND, VERSION = "train", 1
_CONFIG, _HISTORY, _METRICS = "config.json", "history.json", "metrics.json"
_MODEL, _PREDICTIONS, _CHECKPOINT = (
    "model.safetensors", "predictions.csv", "checkpoint.safetensors",
)  # fmt: skip
_RESULTS = (_HISTORY, _MODEL, _PREDICTIONS, _METRICS)
_CONFIG_KEYS = ("source", "parameters", "templates", "data", "versions", "threads", "command")
_METRICS_KEYS = (
    "validation_accuracy", "test_accuracy", "majority_share", "best_epoch", "epochs", "seconds",
    "nodes", "parts", "classes", "confusion",
)  # fmt: skip
_REMEDY = "restore it from a copy, or train again"


class RunFolder:
    """The folder of one training; see the top of the module for its files.

    Make one with `grape_gnn.run_training.train_run` (or ``grape train``); read it with `open`.

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
    >>> from grape_gnn.run_training import train_run
    >>> path = Path(tempfile.mkdtemp(), "roles")
    >>> source = find_source("planted-roles", {"num_shapes": 9})
    >>> _ = train_run(path, source, {"epochs": 3, "hidden": 4})
    >>> run = RunFolder.open(path)
    >>> run.config["source"]["dataset"], run.metrics["parts"]
    ('planted-roles', {'train': 43, 'validation': 15, 'test': 14})
    >>> run.classifier().predict(run.graph()).shape
    (72,)
    """

    def __init__(self, path: str | os.PathLike[str], config: dict[str, Any]) -> None:
        self.path = Path(path)
        self.config = config

    # -------------------------------------------------------------- opening

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, unfinished: bool = False) -> RunFolder:
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
        folder = Path(path)
        if not folder.is_dir():
            raise ModelFileError(folder, "there is no such folder; `grape train` makes run folders")
        if not (folder / _CONFIG).exists():
            raise ModelFileError(
                folder, f"is not a run folder: it has no {_CONFIG}; `grape train` makes run folders"
            )
        run = cls(folder, _checked_config(folder / _CONFIG))
        if not unfinished:
            run._check_finished()
        return run

    def _check_finished(self) -> None:
        missing = [name for name in _RESULTS if not (self.path / name).exists()]
        # The checkpoint goes last, so with it a missing file is not written yet, not lost.
        if self.checkpoint.exists() or len(missing) == len(_RESULTS):
            raise ModelFileError(
                self.path,
                f"this training is not finished; go on with  grape train --resume "
                f"{shlex.quote(str(self.path))}",
            )
        if missing:
            raise ModelFileError(self.path / missing[0], f"is missing; {_REMEDY}")

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
        file = self.path / _HISTORY
        try:
            history = History.from_json(_read_json(file))
        except (KeyError, TypeError, ValueError) as error:
            raise ModelFileError(file, f"is not a history ({error!r}); {_REMEDY}") from error
        if not 0 <= history.best < len(history.epochs):
            raise ModelFileError(file, f"names a best epoch that it lacks; {_REMEDY}")
        return history

    @cached_property
    def metrics(self) -> dict[str, Any]:
        """Accuracy on validation and test nodes, confusion, sizes, time."""
        file = self.path / _METRICS
        metrics = _read_json(file)
        _check_keys(file, metrics, _METRICS_KEYS)
        return metrics

    @property
    def source(self) -> GraphSource:
        """Where the graph comes from."""
        try:
            return GraphSource.from_json(self.config["source"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelFileError(
                self.path / _CONFIG, f"does not say which graph it is about ({error!r}); {_REMEDY}"
            ) from error

    def graph(self) -> Graph:
        """Load the graph of the training again, and check that it is the same."""
        return self._graph

    @cached_property
    def _graph(self) -> Graph:
        graph = self.source.load()
        if graph_digest(graph) != self.config["data"]:
            raise ModelFileError(
                self.path,
                f"{self.source.name} is not the graph of this training any more: its edges, "
                f"features, labels or names changed; restore it, or train again",
            )
        return graph

    def classifier(self) -> GrapeClassifier:
        """Load the trained model; it knows the split, so that it scores on test nodes."""
        from grape_gnn.estimator import GrapeClassifier

        model = GrapeClassifier.load(self.path / _MODEL)
        model.split_ = self.split()
        model.history_ = self.history
        return model

    def predictions(self) -> list[Prediction]:
        """Return label, prediction and part of every node, in the order of the graph."""
        file = self.path / _PREDICTIONS
        rows = read_predictions(file)
        if len(rows) != self.metrics["nodes"]:
            raise ModelFileError(
                file, f"has {len(rows)} nodes, expected {self.metrics['nodes']}; {_REMEDY}"
            )
        return rows

    def split(self) -> Split:
        """Return the parts of the nodes as masks."""
        return split_of(self.predictions())

    # -------------------------------------------------------------- writing

    @classmethod
    def create(cls, path: str | os.PathLike[str], config: dict[str, Any]) -> RunFolder:
        """Make a folder for a training that is about to start."""
        folder = Path(path)
        check_target(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ModelFileError(folder, f"cannot make the folder: {error.strerror}") from error
        run = cls(folder, {"kind": KIND, "version": VERSION, **config})
        try:
            _write_json(folder / _CONFIG, run.config)
        except GrapeError:
            run.discard()
            raise
        return run

    def finish(
        self,
        classifier: GrapeClassifier,
        predictions: list[Prediction],
        metrics: dict[str, Any],
    ) -> None:
        """Write the results; only then the checkpoint may go."""
        _write_json(self.path / _HISTORY, classifier.history_.to_json())
        classifier.save(self.path / _MODEL)
        write_predictions(self.path / _PREDICTIONS, predictions)
        _write_json(self.path / _METRICS, metrics)
        self.checkpoint.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove the folder of a training that failed before it made a step."""
        if not self.checkpoint.exists():
            with suppress(OSError):  # the error that led here says more
                (self.path / _CONFIG).unlink(missing_ok=True)
                if not any(self.path.iterdir()):
                    self.path.rmdir()


def check_target(folder: Path) -> None:
    """Refuse a folder that is in use, before hours of work."""
    if folder.is_dir() and any(folder.iterdir()):
        what = "a run" if (folder / _CONFIG).exists() else "other files"
        raise ModelFileError(
            folder, f"already holds {what}: choose another folder, or remove this one"
        )
    if folder.exists() and not folder.is_dir():
        raise ModelFileError(folder, "is a file, not a folder: choose another name")


def graph_digest(graph: Graph) -> str:
    """Return a checksum of a graph: edges, features, labels and names.

    Examples
    --------
    >>> one, two = (Graph.from_edges([0, 1], [1, 2], y=y) for y in ([0, 1, 0], [0, 1, 1]))
    >>> graph_digest(one) == graph_digest(two)
    False
    """
    return checksum(graph, graph.x, graph.y, graph.names, graph.label_names)


def _checked_config(file: Path) -> dict[str, Any]:
    config = _read_json(file)
    if config.get("kind") != KIND:
        raise ModelFileError(
            file.parent,
            f"is a folder of kind {config.get('kind')!r}, not of a training: give one that "
            f"`grape train` made",
        )
    if config.get("version") != VERSION:
        raise ModelFileError(
            file,
            f"has version {config.get('version')!r}, this release reads version {VERSION}: update "
            f"grape-gnn or train again",
        )
    _check_keys(file, config, _CONFIG_KEYS)
    return config


def _check_keys(file: Path, data: dict[str, Any], keys: tuple[str, ...]) -> None:
    missing = [key for key in keys if key not in data]
    if missing:
        raise ModelFileError(file, f"has no {missing[0]!r}; {_REMEDY}")


def _read_json(file: Path) -> dict[str, Any]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ModelFileError(file, f"cannot be read ({error}); {_REMEDY}") from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise ModelFileError(file, f"is damaged: not valid JSON ({error}); {_REMEDY}") from error
    if not isinstance(data, dict):
        raise ModelFileError(file, f"is damaged: not a JSON object; {_REMEDY}")
    return data


def _write_json(file: Path, data: dict[str, Any]) -> None:
    with atomic_write(file) as temporary:
        temporary.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
