"""Amazon co-purchases, from the raw product metadata of SNAP (Leskovec et al., 2007).

Nodes are the products of one group, named by ASIN; an arc leads from a product to one that
customers who bought it also bought. The paper uses the group Music.

- Label: the average rating, which Amazon gives in half stars: nine classes, ``"1"``, ``"1.5"``,
  ..., ``"5"``. Products without a review have no rating (the file says 0); their label is missing
  by default, and the class ``"unrated"`` with ``missing="class"``. That class is no prediction
  task: the number of reviews, a feature, gives it away.
- Features: the number of reviews in total and of those that were downloaded, each as
  ``log(1 + count)``, then shifted and scaled to mean 0 and variance 1 over the nodes, because
  counts spread over four orders of magnitude.

Two tables derived from the same source, of DVDs and of videos, are small enough to be stand-ins
where the full file (200 MB) is out of reach. They have votes in place of downloaded reviews, and
must be called by their names in any result: they are not the paper's Music graph.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import one_of
from grape_gnn.datasets.amazon_meta import Product, read_products
from grape_gnn.datasets.dataset import Dataset, DatasetInfo
from grape_gnn.datasets.download import RemoteFile
from grape_gnn.errors import DatasetError, GraphFileError
from grape_gnn.files import read_text
from grape_gnn.graph import Graph
from grape_gnn.graph.attributes import spells_integer

__all__ = ["DATASETS", "read_amazon_meta", "read_copurchase_table"]

COLUMNS = ("ASIN", "s1", "s2", "s3", "s4", "s5", "totalReview", "avgRate", "totalVote")
COUNTS = ("totalReview", "totalVote")
CITATION = (
    "Leskovec, Adamic and Huberman, The dynamics of viral marketing, ACM Transactions on the "
    "Web 1(1), 2007"
)
TABLES = "https://raw.githubusercontent.com/mumtazcem/Amazon-meta-graph"


def read_amazon_meta(path: Path, *, group: str = "Music", missing: str = "drop-label") -> Graph:
    r"""Read the co-purchases of one product group from SNAP's raw file.

    Parameters
    ----------
    path
        ``amazon-meta.txt``, or the same gzipped.
    group
        Which products, as the file spells it: Music, DVD, Video, Book.
    missing
        ``"drop-label"`` or ``"class"``: what becomes of products without a rating, see above.

    Returns
    -------
    Graph
        Directed; named by ASIN.

    Raises
    ------
    GraphFileError
        A line is malformed, or the file is cut short.

    Examples
    --------
    >>> import tempfile
    >>> reviews = "reviews: total: 3  downloaded: 3  avg rating: 4.5"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "amazon-meta.txt")
    ...     _ = path.write_text(
    ...         f"Id: 1\nASIN: B1\n  group: Music\n  similar: 1  B2\n  {reviews}\n\n"
    ...         f"Id: 2\nASIN: B2\n  group: Music\n  similar: 0\n  {reviews}\n"
    ...     )
    ...     read_amazon_meta(path)
    Graph(nodes=2, edges=1, directed, features=2, classes=1, named)
    """
    products, groups = read_products(Path(path), group)
    if not products:
        raise DatasetError(
            f"{path} has no product of the group {group!r}; it has {', '.join(groups) or 'none'}"
        )
    return _graph(Path(path), products, missing)


def read_copurchase_table(path: Path, *, missing: str = "drop-label") -> Graph:
    """Read a derived table: ASIN, five similar ASINs, totalReview, avgRate, totalVote.

    Parameters
    ----------
    path
        The CSV file.
    missing
        As for `read_amazon_meta`.

    Returns
    -------
    Graph
        Directed; named by ASIN. The features are reviews and votes.
    """
    products = []
    try:
        table = csv.DictReader(io.StringIO(read_text(path), newline=""))
        absent = [name for name in COLUMNS if name not in (table.fieldnames or ())]
        if absent:
            raise GraphFileError(path, f"has no column {absent[0]!r}", 1)
        for row in table:
            if any(row[name] is None for name in COLUMNS):
                raise GraphFileError(path, "has fewer cells than columns", table.line_num)
            similar = tuple(name for k in range(1, 6) if (name := row[f"s{k}"]))
            # Votes take the place of the downloaded reviews, which the table does not have.
            reviews, votes = (_count(path, row[name], table.line_num) for name in COUNTS)
            rating = _rating(path, row["avgRate"], table.line_num)
            products.append(Product(row["ASIN"], similar, reviews, votes, rating))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"cannot be read: {reason}; get it again") from error
    return _graph(path, products, missing)


def _count(path: Path, text: str, line: int) -> int:
    if not spells_integer(text.strip()):
        raise GraphFileError(path, f"{text[:40]!r} is not a number of reviews or votes", line)
    return int(text)


def _rating(path: Path, text: str, line: int) -> float:
    try:
        stars = float(text)
    except ValueError:
        stars = math.nan
    if not 0 <= stars <= 5:
        raise GraphFileError(path, f"{text[:40]!r} is not a number of stars up to 5", line)
    return stars


def _graph(path: Path, products: Sequence[Product], missing: str) -> Graph:
    if not products:
        raise GraphFileError(path, "has no products")
    number = {product.asin: i for i, product in enumerate(products)}
    if len(number) != len(products):
        raise GraphFileError(path, "has a product twice")
    # A set: a list of similar products may name one twice.
    arcs = {
        (number[product.asin], number[other])
        for product in products
        for other in product.similar
        if other in number and other != product.asin
    }
    counts = np.array([(product.reviews, product.downloaded) for product in products], float)
    ends = np.array(sorted(arcs), np.int64).reshape(-1, 2)
    return Graph.from_edges(
        ends[:, 0],
        ends[:, 1],
        len(products),
        directed=True,
        x=_standardise(np.log1p(counts)),
        y=_ratings(path, products, missing),
        names=[product.asin for product in products],
    )


def _standardise(values: NDArray[Any]) -> NDArray[Any]:
    spread = values.std(axis=0)
    centred: NDArray[Any] = values - values.mean(axis=0)
    return centred / np.where(spread > 0, spread, 1.0)


def _ratings(path: Path, products: Sequence[Product], missing: str) -> list[str | None]:
    one_of("missing", missing, ("class", "drop-label"), error=DatasetError)
    labels: list[str | None] = []
    for product in products:
        stars = round(product.rating * 2) / 2
        if not 0 <= stars <= 5:
            raise GraphFileError(path, f"{product.asin} has {product.rating} stars of 5")
        unrated = "unrated" if missing == "class" else None
        labels.append(f"{stars:g}" if stars else unrated)
    return labels


def _table(name: str, group: str, file: tuple[str, str, str], counts: tuple[int, int]) -> Dataset:
    local, remote, sha256 = file
    info = DatasetInfo(
        name=name,
        description=f"Amazon {group}, a stand-in for the paper's Music: products, arcs to those "
        "bought with them; label: average rating; features: reviews and votes",
        templates="ecommerce",
        citation=f"{CITATION}; table: github.com/mumtazcem/Amazon-meta-graph",
        licence="none stated by the source",
        directed=True,
        num_nodes=counts[0],
        num_edges=counts[1],
        num_features=2,
        num_classes=9,
        files=(RemoteFile(f"amazon/{local}", sha256, (f"{TABLES}/{remote}",)),),
    )
    return Dataset(info, read_copurchase_table)


DATASETS = (
    Dataset(
        DatasetInfo(
            name="amazon",
            description="Amazon Music (or another group): products, arcs to those bought with "
            "them; label: average rating; features: reviews and downloaded reviews",
            templates="ecommerce",
            citation=CITATION,
            licence="none stated by the source",
            directed=True,
            num_features=2,
            num_classes=9,
            aliases=("amazon-music",),
            files=(
                # SNAP publishes no checksum; gzip's own, and the number of products that the
                # file declares, tell a damaged copy.
                RemoteFile(
                    "amazon/amazon-meta.txt.gz",
                    None,
                    ("https://snap.stanford.edu/data/bigdata/amazon/amazon-meta.txt.gz",),
                ),
            ),
        ),
        read_amazon_meta,
    ),
    _table(
        "amazon-dvd",
        "DVDs",
        (
            "mumtazcem_dvd_g2Db.csv",
            "01adb06425e1fc7d7fb17d71a225fe07ccad90f6/saved_dataframes/g2Db.csv",
            "71225c4f0760eb4ee7598daf6b7f164bfa20f4cb9fb22ee3e10d422d5965e7ac",
        ),
        (19828, 50908),
    ),
    _table(
        "amazon-video",
        "videos",
        (
            "mumtazcem_video_g1Db.csv",
            "5150a7afa367ce37e765089371ff2ed6f323d67c/saved_dataframes/g1Db.csv",
            "b0d6eea85098e6f6f17a0b656d6529056a3923cd494866569457da28fa58aa3d",
        ),
        (26131, 22470),
    ),
)
