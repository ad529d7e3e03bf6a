"""Training: splits, the loop with early stopping and checkpoints, the grid, methods, results."""

from grape_gnn.extras import named_extra

with named_extra():
    from grape_gnn.training.grid import PAPER_GRID, grid_points
    from grape_gnn.training.history import Epoch, History
    from grape_gnn.training.label_inputs import LabelInputs, with_all_labels
    from grape_gnn.training.method import Fitted, Method, Prepared, Shape
    from grape_gnn.training.metrics import METRICS, accuracy, check_metric, score
    from grape_gnn.training.min_epochs import is_constant, min_epochs
    from grape_gnn.training.results import RunResult, append_results, read_results, summarise
    from grape_gnn.training.settings import TrainSettings
    from grape_gnn.training.split import Split, as_mask, random_split
    from grape_gnn.training.threads import torch_threads
    from grape_gnn.training.trainer import seeded, train
    from grape_gnn.training.versions import versions

__all__ = [
    "METRICS",
    "PAPER_GRID",
    "Epoch",
    "Fitted",
    "History",
    "LabelInputs",
    "Method",
    "Prepared",
    "RunResult",
    "Shape",
    "Split",
    "TrainSettings",
    "accuracy",
    "append_results",
    "as_mask",
    "check_metric",
    "grid_points",
    "is_constant",
    "min_epochs",
    "random_split",
    "read_results",
    "score",
    "seeded",
    "summarise",
    "torch_threads",
    "train",
    "versions",
    "with_all_labels",
]
