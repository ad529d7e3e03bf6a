"""Second step of a conversion, for text names: nodes are numbered in order of first appearance.

Every chunk has numbered its own names: name ``l`` of chunk ``k`` has the *slot* ``offsets[k] + l``,
and slots ascend in order of appearance. Slots of the same name are found bucket by bucket, a name
being in the bucket that its hash says, so that never more than a bucket is in memory. The first
slot of a name decides its number.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from grape_gnn.files.array_file import page_dropper
from grape_gnn.files.npy import GrowingArray
from grape_gnn.files.texts import sorted_order
from grape_gnn.graph.streaming.numbering import Numbering, refuse_many
from grape_gnn.graph.streaming.workspace import Workspace
from grape_gnn.progress import report

__all__ = ["text_numbers"]

NAME_BYTES = 400  # of working memory for a name in a bucket
PIECE = 1 << 15  # names looked at together
Packed = tuple[NDArray[np.uint8], NDArray[np.int64]]


def text_numbers(work: Workspace, chunks: int, listed: Packed | None) -> Numbering:
    """Give numbers to the nodes and write their names.

    Parameters
    ----------
    work
        Where the chunks are.
    chunks
        How many there are.
    listed
        Letters and ends of the names that a table of nodes lists, or None.
    """
    parts = chunks
    if listed is not None:
        work.keep(f"letters_{chunks}", listed[0])
        work.keep(f"cuts_{chunks}", listed[1])
        parts += 1
    sizes = [work.array(f"cuts_{k}", mmap=True).size for k in range(parts)]
    offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    slots, on_edge_slots = int(offsets[parts]), int(offsets[chunks])
    first = np.memmap(work.path / "first.bin", np.int64, "w+", shape=max(1, slots))
    _find_first_slots(work, parts, offsets, first)
    number = np.memmap(work.path / "number.bin", np.int32, "w+", shape=max(1, slots))
    drop = page_dropper(first, number)
    nodes = on_edges = 0
    for begin in range(0, slots, PIECE):
        report("numbering the nodes", begin, slots)
        here = slice(begin, min(begin + PIECE, slots))
        own = np.arange(here.start, here.stop)
        new = first[here] == own
        number[own[new]] = nodes + np.arange(np.count_nonzero(new))
        number[here] = number[first[here]]
        nodes += int(np.count_nonzero(new))
        on_edges += int(np.count_nonzero(new & (own < on_edge_slots)))
        refuse_many(nodes)
        drop()
    _write_names(work, parts, offsets, first)
    alone = _alone(work, first[:on_edge_slots]) if chunks else None
    return Numbering(nodes, on_edges, lambda k, ends: np.asarray(number[offsets[k] + ends]), alone)


def _find_first_slots(
    work: Workspace, parts: int, offsets: NDArray[np.int64], first: NDArray[np.int64]
) -> None:
    buckets = 1 + int(offsets[parts]) * NAME_BYTES // work.memory
    drop = page_dropper(first)
    for bucket in range(buckets):
        known: dict[bytes, int] = {}
        for k in range(parts):
            report("finding names that are the same", bucket * parts + k, buckets * parts)
            for begin, letters, ends in _pieces(work, k):
                chosen = np.arange(ends.size)
                if buckets > 1:
                    chosen = np.flatnonzero(_hashes(letters, ends) % np.uint64(buckets) == bucket)
                whole, base = letters.tobytes(), int(offsets[k]) + begin
                starts = np.concatenate([[0], ends[:-1]])[chosen].tolist()
                first[base + chosen] = [
                    known.setdefault(whole[a:b], base + slot)
                    for a, b, slot in zip(
                        starts, ends[chosen].tolist(), chosen.tolist(), strict=True
                    )
                ]
            drop()


def _pieces(work: Workspace, k: int) -> Iterator[tuple[int, NDArray[np.uint8], NDArray[np.int64]]]:
    """Give the names of a chunk in pieces: the number of the first, their letters and ends."""
    letters, cuts = (work.array(f"{part}_{k}", mmap=True) for part in ("letters", "cuts"))
    for begin in range(0, cuts.size, PIECE):
        low = int(cuts[begin - 1]) if begin else 0
        ends = cuts[begin : begin + PIECE] - low
        yield begin, np.array(letters[low : low + int(ends[-1])]), ends


def _hashes(letters: NDArray[np.uint8], ends: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Scatter texts over 64 bits: every letter and its place, mixed as SplitMix64 does."""
    begins = np.concatenate([[0], ends[:-1]])
    place = np.arange(letters.size) - np.repeat(begins, ends - begins)
    bits = (place.astype(np.uint64) << np.uint64(8)) | letters
    with np.errstate(over="ignore"):
        bits += np.uint64(1)
        bits *= np.uint64(0x9E3779B97F4A7C15)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            bits ^= bits >> np.uint64(shift)
            bits *= np.uint64(factor)
        sums: NDArray[np.uint64] = np.add.reduceat(bits, begins)
    sums ^= sums >> np.uint64(31)
    return sums


def _write_names(
    work: Workspace, parts: int, offsets: NDArray[np.int64], first: NDArray[np.int64]
) -> None:
    """Write the names in order of their first slots, and the order in which they are found."""
    folder = work.graph
    written = 0
    with (
        GrowingArray(folder.array_path("names_utf8"), np.uint8) as all_letters,
        GrowingArray(folder.array_path("names_ends"), np.int64) as all_ends,
    ):
        for k in range(parts):
            for begin, letters, ends in _pieces(work, k):
                slots = int(offsets[k]) + begin + np.arange(ends.size)
                new = first[slots] == slots
                lengths = np.diff(ends, prepend=0)
                all_letters.append(letters[np.repeat(new, lengths)])
                all_ends.append(written + np.cumsum(lengths[new]))
                written += int(lengths[new].sum())
    report("sorting the names")
    packed = (
        np.load(folder.array_path(f"names_{part}"), mmap_mode="r") for part in ("utf8", "ends")
    )
    folder.write_arrays({"names_order": sorted_order(*packed)})


def _alone(work: Workspace, first: NDArray[np.int64]) -> tuple[str, str] | None:
    """Return the two ends of the first edge if they occur on no other."""
    ends = work.array("ends_0", mmap=True)
    if not len(ends) or ends[0].tolist() not in ([0, 0], [0, 1]):
        return None
    names = 1 + int(ends[0, 1])
    again = np.count_nonzero(first < names) > names or np.count_nonzero(ends < names) > 2
    if again or first.size <= names:
        return None
    letters, cuts = (work.array(f"{part}_0", mmap=True) for part in ("letters", "cuts"))
    bounds = [0, *cuts[:names].tolist()]
    words = [letters[a:b].tobytes().decode() for a, b in pairwise(bounds)]
    return words[0], words[-1]
