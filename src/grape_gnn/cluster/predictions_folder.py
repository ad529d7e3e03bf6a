"""The folder of predictions in parts: one table for every block of egos, each whole or not there.

================================  ==================================================================
config.json                       of which graph and model; the blocks of egos
model.safetensors                 the model, for the workers
x.npy, known.npy, labels1.npy     what else they need, if they do: features, known labels, products
products/                         of a decoupled model, if they were computed for these predictions
parts/predictions-0-500.parquet   a row for every node, with the columns of ``grape predict``
seals/                            size and checksum of every part and array
manifest.json                     the parts with their egos, sizes and checksums, when all are there
================================  ==================================================================

``pandas.read_parquet("predictions/parts")``, Dask and Spark read the tables as one.
"""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

import numpy as np
from numpy.typing import NDArray

from grape_gnn.cluster.blocks_folder import Block, BlocksFolder
from grape_gnn.errors import FileError, ModelFileError
from grape_gnn.files import Count, atomic_write
from grape_gnn.files.npy import read_array, write_array

if TYPE_CHECKING:
    from grape_gnn.estimator.base import GrapeEstimator
    from grape_gnn.graph import Graph
    from grape_gnn.runs.predictions import Prediction

__all__ = ["ModelBytes", "PredictionsFolder", "model_bytes"]

_MODEL = "model.safetensors"


class Config(TypedDict):
    """What the parts are of."""

    graph: str
    model: str
    features: str
    known: str
    task: str
    trained_here: bool
    format: str
    borders: list[Count]


class PredictionsFolder(BlocksFolder):
    """The folder of one prediction in parts; see the top of the module for its files."""

    kind: ClassVar[str] = "predictions"
    thing: ClassVar[str] = "prediction in parts"
    command: ClassVar[str] = "grape predict --parts"
    error: ClassVar[type[FileError]] = ModelFileError
    config_shape: ClassVar[Any] = Config
    changes: ClassVar[dict[str, str]] = {
        "graph": "the graph is another one, or has changed",
        "model": "the model is another one",
        "features": "the features are others",
        "known": "the known labels are others",
        "format": "the format is another one",
        "borders": "the blocks of egos are others",
    }

    @property
    def stem(self) -> str:
        """How the files of parts are called."""
        return "predictions"

    def model(self) -> GrapeEstimator:
        """Load the model."""
        from grape_gnn.estimator import GrapeClassifier, GrapeRegressor

        if self.config["task"] == "regression":
            return GrapeRegressor.load(self.path / _MODEL)
        return GrapeClassifier.load(self.path / _MODEL)

    def write_array(self, name: str, array: NDArray[Any]) -> None:
        """Keep an array for the workers."""
        file = self.path / f"{name}.npy"
        with atomic_write(file) as temporary:
            write_array(temporary, array)
        self.seal(file)

    def array(self, name: str) -> NDArray[Any] | None:
        """Map an array, if it is there and was written to its end."""
        file = self.path / f"{name}.npy"
        if not self.is_sealed(file):
            return None
        self.check_whole([file])
        try:
            return read_array(file, mmap=True)
        except ValueError as error:
            raise ModelFileError(
                file, f"is damaged ({error}); remove it and predict again"
            ) from error

    def write_part(self, block: Block, graph: Graph, rows: list[Prediction]) -> None:
        """Write the predictions of a block, whole or not at all, and seal them."""
        from grape_gnn.runs.predictions import write_predictions

        path = self.part_path(block)
        if self.config["format"] == "csv":
            write_predictions(path, rows)
            self.seal(path)
            return
        import pyarrow as pa
        import pyarrow.parquet as pq

        names = np.arange(*block) if graph.names is None else list(graph.names[slice(*block)])
        texts = {key: [getattr(row, key) for row in rows] for key in ("label", "predicted", "part")}
        table = pa.table(
            {
                "node": pa.array(names),
                "label": pa.array(texts["label"], pa.string()),
                "predicted": pa.array(texts["predicted"], pa.string()),
                "probability": pa.array([row.probability for row in rows], pa.float64()),
                "part": pa.array(texts["part"], pa.string()),
            }
        )
        with atomic_write(path) as temporary:
            pq.write_table(table, temporary)
        self.seal(path)


@dataclass(frozen=True)
class ModelBytes:
    """A model as it is in its file."""

    content: bytes

    @property
    def checksum(self) -> str:
        """What tells it from other models."""
        return hashlib.sha256(self.content).hexdigest()

    def write(self, folder: PredictionsFolder) -> None:
        """Put it where the workers find it."""
        with atomic_write(folder.path / _MODEL) as temporary:
            temporary.write_bytes(self.content)


def model_bytes(model: GrapeEstimator) -> ModelBytes:
    """Return what `save` would write."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, _MODEL)
        model.save(file)
        return ModelBytes(file.read_bytes())
