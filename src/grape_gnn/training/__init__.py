"""Training: splits, the loop with early stopping and checkpoints, the grid, methods, results."""

from grape_gnn.extras import named_extra

with named_extra():
    from grape_gnn.training.batches import (
        WHOLE,
        Batch,
        Batches,
        FullBatch,
        Share,
        scores_of,
        share_of,
    )
    from grape_gnn.training.checkpoint import checkpoint_identity
    from grape_gnn.training.grid import PAPER_GRID, grid_points
    from grape_gnn.training.history import Epoch, History
    from grape_gnn.training.label_inputs import LabelInputs, with_all_labels
    from grape_gnn.training.method import Fitted, Method, Prepared, Shape
    from grape_gnn.training.metrics import (
        METRICS,
        Metric,
        accuracy,
        all_figures,
        check_metric,
        default_metric,
        figure_text,
        in_units,
        metrics_of,
        score,
        score_text,
    )
    from grape_gnn.training.min_epochs import is_constant, min_epochs
    from grape_gnn.training.objective import InUnits, Objective, hide_labels, num_label_columns
    from grape_gnn.training.processes import is_first, processes, several
    from grape_gnn.training.product_inputs import ProductBatches, ProductInputs
    from grape_gnn.training.results import RunResult, append_results, read_results, summarise
    from grape_gnn.training.settings import TrainSettings
    from grape_gnn.training.split import Split, as_mask, random_split
    from grape_gnn.training.threads import torch_threads
    from grape_gnn.training.trainer import seeded, train
    from grape_gnn.training.versions import versions

__all__ = [
    "METRICS",
    "PAPER_GRID",
    "WHOLE",
    "Batch",
    "Batches",
    "Epoch",
    "Fitted",
    "FullBatch",
    "History",
    "InUnits",
    "LabelInputs",
    "Method",
    "Metric",
    "Objective",
    "Prepared",
    "ProductBatches",
    "ProductInputs",
    "RunResult",
    "Shape",
    "Share",
    "Split",
    "TrainSettings",
    "accuracy",
    "all_figures",
    "append_results",
    "as_mask",
    "check_metric",
    "checkpoint_identity",
    "default_metric",
    "figure_text",
    "grid_points",
    "hide_labels",
    "in_units",
    "is_constant",
    "is_first",
    "metrics_of",
    "min_epochs",
    "num_label_columns",
    "processes",
    "random_split",
    "read_results",
    "score",
    "score_text",
    "scores_of",
    "seeded",
    "several",
    "share_of",
    "summarise",
    "torch_threads",
    "train",
    "versions",
    "with_all_labels",
]
