"""Five universities of Facebook100 (Traud, Mucha and Porter, 2012), with years to predict.

Nodes are people, edges friendships, the label is the year, the features are gender and major,
one 0/1 column per value. In all columns of the source 0 means that the person did not tell; as a
feature that is a value like any other, because not telling says something about a person too.

As a label it is a choice, the option `missing`:

- ``"class"``, the default: "did not tell" (label 0) is one class among the years. The paper's
  released code does this, so only with this default can accuracies be compared with its own, and
  with the trials that chose our presets. About a tenth of the nodes is in this class.
- ``"drop-label"``: those nodes stay in the graph and have a missing label; they are neither
  trained on nor scored. The honest choice for work of your own.

Some years have a single member, so that not every split has them in all three parts. `rare` makes
the labels of classes with fewer members than that missing as well; by default none are.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import numpy as np

from grape_gnn.arguments import one_of, whole_number
from grape_gnn.datasets.dataset import Dataset, DatasetInfo
from grape_gnn.datasets.download import RemoteFile
from grape_gnn.errors import DatasetError
from grape_gnn.graph import Graph
from grape_gnn.graph.facebook100 import read_facebook100

__all__ = ["DATASETS", "drop_rare", "read_years"]

GITHUB = (
    "https://raw.githubusercontent.com/sisaman/pyg-datasets/"
    "9a92bf1e84f73b7b24dd745eb14f13e4d1979769/datasets/facebook100"
)
# The original release is one archive of all hundred; the Internet Archive serves its members.
ARCHIVE = "https://archive.org/download/oxford-2005-facebook-matrix/facebook100.zip/facebook100"


def read_years(path: Path, *, missing: str = "class", rare: int = 0) -> Graph:
    """Read a network with the year as the label.

    Parameters
    ----------
    path
        The ``.mat`` file.
    missing
        ``"class"`` or ``"drop-label"``: what becomes of people without a year, see above.
    rare
        Classes with fewer members than this become missing labels.

    Returns
    -------
    Graph
    """
    one_of("missing", missing, ("class", "drop-label"), error=DatasetError)
    graph = read_facebook100(path, missing_is_class=missing == "class")
    return drop_rare(graph, rare)


def drop_rare(graph: Graph, smallest: int) -> Graph:
    """Make labels missing whose class has fewer than `smallest` members.

    Examples
    --------
    >>> g = drop_rare(Graph.from_edges([0], [1], 3, y=["a", "b", "b"]), 2)
    >>> g.y.tolist(), g.label_names
    ([-1, 0, 0], ('b',))
    """
    whole_number("rare", smallest, error=DatasetError)
    if graph.y is None or graph.label_names is None:
        raise DatasetError("the graph has no labels, so none of them can be rare")
    members = np.bincount(graph.y[graph.y >= 0], minlength=len(graph.label_names))
    kept = np.flatnonzero(members >= smallest)
    if kept.size == 0:
        raise DatasetError(
            f"rare={smallest} leaves no class: the largest has {members.max(initial=0)} members"
        )
    # One entry more than there are classes: code -1, missing, picks the last.
    new_code = np.full(members.size + 1, -1, np.int64)
    new_code[kept] = np.arange(kept.size)
    names = tuple(graph.label_names[code] for code in kept)
    return replace(graph, y=new_code[graph.y], label_names=names)


def _dataset(
    name: str,
    school: str,
    counts: tuple[int, int, int, int],
    sha256: str,
    aliases: tuple[str, ...] = (),
) -> Dataset:
    nodes, edges, features, classes = counts
    stem = school.replace(" ", "")
    info = DatasetInfo(
        name=name,
        description=f"{school} of Facebook100: people, joined by friendship; label: year; "
        "features: gender and major",
        templates="social",
        citation="Traud, Mucha and Porter, Social structure of Facebook networks, Physica A "
        "391(16), 2012",
        licence="none stated by the source",
        num_nodes=nodes,
        num_edges=edges,
        num_features=features,
        num_classes=classes,
        aliases=(stem.lower(), *aliases),
        files=(
            RemoteFile(
                f"facebook100/{stem}.mat",
                sha256,
                (f"{GITHUB}/{stem}.mat", f"{ARCHIVE}%2F{quote(school)}.mat"),
            ),
        ),
    )
    return Dataset(info, read_years)


DATASETS = (
    _dataset(
        "amherst",
        "Amherst41",
        (2235, 90954, 33, 16),
        "3108e4b2edb01be05c5a61147583a40e61012820fff7eebe621dd26018caaf00",
    ),
    _dataset(
        "hamilton",
        "Hamilton46",
        (2314, 96394, 51, 16),
        "0ecf04e8f149fd98bcca55d4e13c22cdc24085a488a83730a9555f05355788b4",
    ),
    _dataset(
        "lehigh",
        "Lehigh96",
        (5075, 198347, 73, 18),
        "2f844f4ae997bbfb86bd558cb866c8b52f164865f67ff986556d4570f9165685",
    ),
    _dataset(
        "rochester",
        "Rochester38",
        (4563, 161404, 90, 20),
        "06d9aa5c70eea7e1077424f78638abc1e7f993ce48c955d644682cd061994ed0",
    ),
    _dataset(
        "jhu",
        "Johns Hopkins55",
        (5180, 186586, 97, 24),
        "fc7243bf257155df03afbc397ab34b5f8eb8e75f40cd1603398e207a033ef50f",
        ("johns-hopkins",),
    ),
)
