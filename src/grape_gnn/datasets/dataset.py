"""What is known of a dataset before it is loaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from grape_gnn.datasets.download import RemoteFile
from grape_gnn.graph import Graph
from grape_gnn.graph.split import Split

__all__ = ["Dataset", "DatasetInfo"]


@dataclass(frozen=True)
class DatasetInfo:
    """The facts of a dataset.

    Parameters
    ----------
    name
        What :func:`grape_gnn.datasets.load` calls it.
    description
        What nodes, edges, labels and features are, in a line.
    templates
        Templates that suit it: the set that the paper uses on this kind of graph
        (``"citation"``, ``"social"`` or ``"ecommerce"``), or names separated by commas.
    citation
        Whom to cite.
    licence
        Under which terms the data is published, as far as its source says.
    directed
        Whether edges are arcs.
    num_nodes, num_edges, num_features, num_classes
        Counts of the graph as loaded without options; None where the published file, too large
        to be at hand, has not been counted.
    num_splits
        How many splits are published with it, see :func:`grape_gnn.datasets.splits`.
    metric
        What its authors score by: ``"accuracy"``, or ``"roc-auc"`` for two classes.
    aliases
        Other names it goes by.
    files
        What has to be on this machine or be downloaded; empty for generated graphs.
    """

    name: str
    description: str
    templates: str
    citation: str
    licence: str
    directed: bool = False
    num_nodes: int | None = None
    num_edges: int | None = None
    num_features: int | None = None
    num_classes: int | None = None
    num_splits: int = 0
    metric: str = "accuracy"
    aliases: tuple[str, ...] = ()
    files: tuple[RemoteFile, ...] = ()


@dataclass(frozen=True)
class Dataset:
    """A dataset and how to get it.

    `read` takes the files' paths, and options by keyword; `read_splits`, where splits are
    published, takes the paths alone.
    """

    info: DatasetInfo
    read: Callable[..., Graph]
    read_splits: Callable[..., list[Split]] | None = None
