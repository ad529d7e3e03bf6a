"""The raw format of SNAP's ``amazon-meta.txt``, read as a stream.

A product is a block of lines::

    Id:   7
    ASIN: B00000AU3R
      title: Batik
      group: Music
      salesrank: 5392
      similar: 5  B00002616C  B0000261KX  B00006AM8D  B000059OB9  B0000261O7
      categories: 3
       |Music[5174]|Styles[301668]|Jazz[34]|General[63926]
       ...
      reviews: total: 3  downloaded: 3  avg rating: 4.5
        2000-5-22  cutomer: A2O3PW57IFNUHV  rating: 5  votes:  10  helpful:  10
        ...

or just ``Id``, ``ASIN`` and ``discontinued product``. Before the first block may stand comments
and the number of blocks (``Total items: 548552``), which is checked. Lines of categories and
single reviews, nearly the whole file, are passed over.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from grape_gnn.errors import GraphFileError
from grape_gnn.graph.unpack import open_unpacked

__all__ = ["Product", "read_products"]

KEYS = (b"ASIN", b"group", b"similar", b"reviews")
REVIEWS = re.compile(
    rb"total: (\d{1,18})\s+downloaded: (\d{1,18})\s+avg rating: (\d(?:\.\d+)?)\s*$"
)


@dataclass(frozen=True)
class Product:
    """What a graph needs of a product; `rating` is 0 when it has no reviews."""

    asin: str
    similar: tuple[str, ...]
    reviews: int
    downloaded: int
    rating: float


def read_products(path: Path, group: str) -> tuple[list[Product], list[str]]:
    """Return the products of a group, in file order, and all groups that the file has.

    Raises
    ------
    GraphFileError
        A line cannot be understood, or the file ends too early; the message has the line.
    """
    products: list[Product] = []
    groups: set[str] = set()
    try:
        with open_unpacked(path) as file:
            for block in _blocks(path, file):
                if block.discontinued:
                    continue
                groups.add(block.group)
                if block.group == group:
                    products.append(block.product())
    except (EOFError, zlib.error, OSError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(
            path, f"is a damaged gzip file, remove it and get it again: {reason}"
        ) from error
    return products, sorted(groups)


@dataclass
class _Block:
    """The lines of one product that matter, each with its number."""

    path: Path
    start: int
    lines: dict[bytes, tuple[bytes, int]] = field(default_factory=dict)
    discontinued: bool = False

    def take(self, line: bytes, number: int) -> None:
        key, _, value = line.partition(b":")
        if key == b"discontinued product":
            self.discontinued = True
        elif key in KEYS:
            if key in self.lines:
                reason = f"a second {key.decode()!r} in the product that starts at {self.start}"
                raise GraphFileError(self.path, reason, number)
            self.lines[key] = value.strip(), number

    def value(self, key: bytes) -> tuple[bytes, int]:
        if key not in self.lines:
            raise GraphFileError(self.path, f"the product has no {key.decode()!r}", self.start)
        return self.lines[key]

    @property
    def group(self) -> str:
        return self.value(b"group")[0].decode("utf-8", "replace")

    def product(self) -> Product:
        asin, _ = self.value(b"ASIN")
        listed, number = self.value(b"similar")
        count, *similar = listed.split() or [b""]
        if not count.isdigit() or len(count) > 18 or int(count) != len(similar):
            reason = f"'similar: {_show(listed)}' should be a number and as many products"
            raise GraphFileError(self.path, reason, number)
        summary, number = self.value(b"reviews")
        found = REVIEWS.match(summary)
        if found is None:
            reason = (
                f"'reviews: {_show(summary)}' should be 'total: 3  downloaded: 3  avg rating: 4.5'"
            )
            raise GraphFileError(self.path, reason, number)
        return Product(
            asin=_show(asin),
            similar=tuple(_show(name) for name in similar),
            reviews=int(found[1]),
            downloaded=int(found[2]),
            rating=float(found[3]),
        )


def _blocks(path: Path, file: BinaryIO) -> Iterator[_Block]:
    block: _Block | None = None
    expected: int | None = None
    count = 0
    for number, line in enumerate(file, start=1):
        if line[:3] == b"   ":  # a category or a single review
            continue
        text = line.strip()
        if not text or text[:1] == b"#":
            continue
        if text[:3] == b"Id:":
            if block is not None:
                yield block
            block = _Block(path, number)
            count += 1
        elif block is not None:
            block.take(text, number)
        elif found := re.fullmatch(rb"Total items: (\d{1,18})", text):
            expected = int(found[1])
        else:
            raise GraphFileError(
                path, f"{_show(text[:60])!r} stands before the first 'Id:'", number
            )
    if block is not None:
        yield block
    if count == 0 or expected not in (None, count):
        raise GraphFileError(
            path, f"has {count} products of {expected or 'an unknown number'}: it is cut short"
        )


def _show(text: bytes) -> str:
    return text.decode("utf-8", "replace")
