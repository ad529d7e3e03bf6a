"""The raw product format: blocks that are whole, discontinued, malformed or cut."""

from __future__ import annotations

import gzip

import pytest

from grape_gnn.datasets.amazon_meta import Product, read_products
from grape_gnn.errors import GraphFileError

TEXT = """# Full information about Amazon Share the Love products
Total items: 4

Id:   0
ASIN: 0771044445
  discontinued product

Id:   1
ASIN: B1
  title: Id: 5 group: Book
  group: Music
  salesrank: -1
  similar: 3  B2  B0  B9
  categories: 1
   |Music[5174]|Styles[301668]
  reviews: total: 2  downloaded: 1  avg rating: 4.5
    2000-7-28  cutomer: A2JW67OY8U6HHK  rating: 5  votes:  10  helpful:   9

Id:   2
ASIN: B0
  title: Caf\u00e9
  group: Book
  similar: 0
  reviews: total: 0  downloaded: 0  avg rating: 0

Id:   3
ASIN: B2
  group: Music
  similar: 0
  reviews: total: 0  downloaded: 0  avg rating: 0
"""


@pytest.fixture
def written(tmp_path):
    """Give a function that writes a file in which `old` is replaced by `new`."""

    def write(old="", new="", encoding="utf-8"):
        assert old in TEXT
        path = tmp_path / "amazon-meta.txt"
        path.write_text(TEXT.replace(old, new, 1) if old else TEXT, encoding=encoding)
        return path

    return write


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_products_of_a_group(written, encoding):
    products, groups = read_products(written(encoding=encoding), "Music")
    assert products == [
        Product("B1", ("B2", "B0", "B9"), 2, 1, 4.5),
        Product("B2", (), 0, 0, 0.0),
    ]
    assert groups == ["Book", "Music"]


def test_gzipped(written, tmp_path):
    packed = tmp_path / "amazon-meta.txt.gz"
    packed.write_bytes(gzip.compress(TEXT.encode()))
    assert read_products(packed, "Music") == read_products(written(), "Music")


def test_without_the_lines_before_the_first_product(written):
    path = written(TEXT[: TEXT.index("Id:")], "")
    assert len(read_products(path, "Music")[0]) == 2


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("similar: 3  B2", "similar: 4  B2", "line 13: 'similar: 4  B2  B0  B9' should be a numb"),
        ("similar: 3", "similar: many", "line 13: 'similar: many .*' should be a number"),
        ("similar: 3  B2  B0  B9", "similar:", "line 13: 'similar: ' should be a number"),
        ("total: 2", "total: two", "line 16: 'reviews: total: two .*' should be 'total: 3 "),
        ("avg rating: 4.5", "avg rating: good", "line 16: 'reviews: .* good' should be"),
        ("  group: Music\n", "", "line 8: the product has no 'group'"),
        ("ASIN: B1\n", "", "line 8: the product has no 'ASIN'"),
        ("\nId:   3", "", "line 26: a second 'ASIN' in the product that starts at 19"),
        ("Total items: 4", "Total: 4", "line 2: 'Total: 4' stands before the first 'Id:'"),
        ("Total items: 4", "Total items: 5", "has 4 products of 5: it is cut short"),
    ],
)
def test_malformed(written, old, new, reason):
    with pytest.raises(GraphFileError, match=rf"amazon-meta\.txt(, |: ){reason}"):
        read_products(written(old, new), "Music")


def test_malformed_product_of_another_group_does_not_matter(written):
    path = written("  similar: 0\n  reviews: total: 0", "  similar: x\n  reviews: total: 0")
    assert len(read_products(path, "Music")[0]) == 2
    with pytest.raises(GraphFileError, match="line 23: 'similar: x' should be"):
        read_products(path, "Book")


def test_cut_in_the_middle_of_a_product(tmp_path):
    path = tmp_path / "amazon-meta.txt"
    path.write_text(TEXT[: TEXT.rindex("  reviews")])
    with pytest.raises(GraphFileError, match="line 26: the product has no 'reviews'"):
        read_products(path, "Music")


def test_empty_file(tmp_path):
    path = tmp_path / "amazon-meta.txt"
    path.write_text("")
    with pytest.raises(GraphFileError, match="has 0 products of an unknown number"):
        read_products(path, "Music")


@pytest.mark.parametrize("damage", ["cut", "flip"])
def test_damaged_gzip(tmp_path, damage):
    packed = tmp_path / "amazon-meta.txt.gz"
    content = bytearray(gzip.compress(TEXT.encode()))
    if damage == "cut":
        content = content[: len(content) // 2]
    else:
        content[-6] ^= 1
    packed.write_bytes(content)
    with pytest.raises(GraphFileError, match="is a damaged gzip file, remove it and get it again"):
        read_products(packed, "Music")
