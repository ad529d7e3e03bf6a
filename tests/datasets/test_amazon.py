"""Co-purchase graphs: arcs, ratings and features from raw records and from derived tables."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn import datasets
from grape_gnn.datasets.amazon import read_amazon_meta, read_copurchase_table
from grape_gnn.errors import DatasetError, GraphFileError

HEADER = ",nodeId,Id,ASIN,group,salesrank,totalSimilar,s1,s2,s3,s4,s5,totalReview,avgRate,totalVote"
ROWS = """
0,0,1,A,DVD,9,3,B,C,B,,,3,4.5,20
1,1,2,B,DVD,9,2,A,X,,,,0,0,0
2,2,3,C,DVD,9,1,C,,,,,7,5,1
"""


@pytest.fixture
def table(tmp_path):
    """Give a function that writes a table in which `old` is replaced by `new`."""

    def write(old="", new=""):
        path = tmp_path / "table.csv"
        path.write_text((HEADER + ROWS).replace(old, new, 1) if old else HEADER + ROWS)
        return path

    return write


def test_arcs_stay_within_the_table(table):
    g = read_copurchase_table(table())
    names = [(g.name_of(u), g.name_of(v)) for u, v in g.edge_array()]
    # X is not in the table, A names B twice, C names itself
    assert names == [("A", "B"), ("A", "C"), ("B", "A")]
    assert g.directed


def test_ratings_are_classes(table):
    g = read_copurchase_table(table())
    assert g.label_names == ("4.5", "5")
    assert g.y.tolist() == [0, -1, 1]
    g = read_copurchase_table(table(), missing="class")
    assert g.label_names == ("4.5", "5", "unrated")
    assert g.y.tolist() == [0, 2, 1]


def test_ratings_are_rounded_to_half_stars(table):
    assert read_copurchase_table(table(",4.5,", ",4.3,")).label_names == ("4.5", "5")
    assert read_copurchase_table(table(",4.5,", ",4.2,")).label_names == ("4", "5")


def test_features_are_standardised_logarithms(table):
    x = read_copurchase_table(table()).x
    raw = np.log1p([[3, 20], [0, 0], [7, 1]])
    np.testing.assert_allclose(x, (raw - raw.mean(0)) / raw.std(0), rtol=1e-5)


def test_constant_feature_is_zero(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text(f"{HEADER}\n0,0,1,A,DVD,9,0,,,,,,3,4.5,20\n")
    assert read_copurchase_table(path).x.tolist() == [[0, 0]]


def test_empty_table(tmp_path):
    path = tmp_path / "none.csv"
    path.write_text(f"{HEADER}\n")
    with pytest.raises(GraphFileError, match=r"none\.csv: has no products"):
        read_copurchase_table(path)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("totalVote", "votes", r"table\.csv, line 1: has no column 'totalVote'"),
        ("3,4.5,20", "3,good,20", r"table\.csv, line 2: 'good' is not a number of stars"),
        ("7,5,1", "7,5", r"table\.csv, line 4: has fewer cells"),
        (",3,C,DVD", ",3,A,DVD", r"table\.csv: has a product twice"),
        ("7,5,1", "7,6,1", r"table\.csv, line 4: '6' is not a number of stars up to 5"),
    ],
)
def test_malformed_table(table, old, new, reason):
    with pytest.raises(GraphFileError, match=reason):
        read_copurchase_table(table(old, new))


def test_unknown_treatment_of_missing_ratings(table):
    with pytest.raises(DatasetError, match="missing='x' is unknown: use 'class' or 'drop-label'"):
        read_copurchase_table(table(), missing="x")


def test_unknown_group(shared_data):
    path = shared_data / "amazon" / "amazon-meta.first462.txt"
    with pytest.raises(DatasetError, match="no product of the group 'music'; it has Book, DVD, "):
        read_amazon_meta(path, group="music")


def test_first_records(shared_data):
    path = shared_data / "amazon" / "amazon-meta.first462.txt"
    sizes = {
        k: read_amazon_meta(path, group=k).num_nodes for k in ("Book", "DVD", "Music", "Video")
    }
    # 462 records, four of them discontinued
    assert sizes == {"Book": 365, "DVD": 16, "Music": 59, "Video": 18}
    g = read_amazon_meta(path)
    assert [(g.name_of(u), g.name_of(v)) for u, v in g.edge_array()] == [
        ("B000068GA4", "B000068GA3"),
        ("B000068GA3", "B000068GA4"),
        ("B0000296JF", "B0000296JD"),
    ]
    batik = g.index_of("B00000AU3R")
    assert g.label_names[g.y[batik]] == "4.5"
    assert (g.y < 0).sum() == 12
    np.testing.assert_allclose(g.x.mean(axis=0), 0, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "nodes", "arcs", "pairs", "unrated"),
    [
        ("amazon-dvd", 19828, 50908, 39878, 1354),
        ("amazon-video", 26131, 22470, 16724, 3774),
    ],
)
def test_derived_tables(shared_data, name, nodes, arcs, pairs, unrated):
    g = datasets.load(name, data_dir=shared_data, download=False)
    assert (g.num_nodes, g.num_edges) == (nodes, arcs)
    assert len(np.unique(np.sort(g.edge_array(), axis=1), axis=0)) == pairs
    assert g.label_names == ("1", "1.5", "2", "2.5", "3", "3.5", "4", "4.5", "5")
    assert (g.y < 0).sum() == unrated
    assert "stand-in" in datasets.info(name).description
