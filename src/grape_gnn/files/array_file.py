"""Files of plain arrays: an uncompressed ``.npz`` that can be mapped into memory.

``numpy.load(path)`` reads them too, without pickle. Members start on 64-byte boundaries, so that
mapped arrays are aligned.

A file is never believed: sizes are compared with that of the file before anything is allocated.
The checksum of a member is verified when it is read. A mapped member is not read, so its checksum
is not verified, unless it is small.
"""

from __future__ import annotations

import math
import mmap as memory_map
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from grape_gnn.files import atomic_write, open_regular
from grape_gnn.files.npy import HEADER_BYTES, npy_header, parse_npy_header
from grape_gnn.files.texts import Texts

__all__ = ["pack_names", "page_dropper", "read_arrays", "unpack_names", "write_arrays"]

ALIGNMENT = 64
# Local file headers of larger members carry 64-bit sizes.
ZIP64_BYTES = 1 << 30
PADDING_FIELD = 0xD935  # the id that Android's zipalign uses for padding
CHECK_BYTES = 1 << 16  # mapped members up to this size are verified all the same
CHUNK_BYTES = 1 << 20


def write_arrays(
    path: str | os.PathLike[str], what: str, version: int, members: Mapping[str, Any]
) -> None:
    """Write named arrays to a file; a reader sees the old file or the complete new one.

    Parameters
    ----------
    path
        The file.
    what
        What it holds, such as ``"graph"``.
    version
        Version of the layout of its arrays.
    members
        The arrays by name.
    """
    stamped = {"format": f"grape-{what}", "version": version, **members}
    with (
        atomic_write(path) as temporary,
        temporary.open("wb") as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive,
    ):
        for key, array in stamped.items():
            _write_member(archive, file.tell(), key, np.asarray(array, order="C"))


def read_arrays(path: Path, what: str, version: int, *, mmap: bool) -> dict[str, NDArray[Any]]:
    """Read the arrays of a file by name, or map them into memory, and check them for damage.

    Raises
    ------
    ValueError
        The file cannot be read, is damaged, holds something else or is of another version; the
        message, which follows the name of the file, says which.
    """
    try:
        with open_regular(path) as file, zipfile.ZipFile(file) as archive:
            members = _members(file, archive, mmap=mmap)
    except FileNotFoundError:
        raise ValueError("no such file") from None
    except OSError as error:
        raise ValueError(f"is not a readable {what} file: {error.strerror or error}") from error
    except Exception as error:  # a damaged archive makes zipfile and NumPy fail in many ways
        raise ValueError(f"is not a readable {what} file: {error}") from error
    if not np.array_equal(members.get("format", np.array("")), f"grape-{what}"):
        raise ValueError(f"is an .npz file, but not a {what} file saved by grape-gnn")
    found = members.get("version", np.array("none"))
    if not np.array_equal(found, version):
        raise ValueError(
            f"has format version {found}, this release reads {version}; update grape-gnn"
        )
    return members


def page_dropper(*arrays: NDArray[Any]) -> Callable[[], None]:
    """Return a function that gives back the pages of mapped arrays; they are read again when used.

    For arrays in memory, and on systems that cannot do it, it does nothing.
    """
    maps = {id(found): found for array in arrays if (found := _map_of(array)) is not None}

    def drop() -> None:
        for mapped in maps.values():
            if hasattr(mapped, "madvise") and hasattr(memory_map, "MADV_DONTNEED"):
                mapped.madvise(memory_map.MADV_DONTNEED)

    return drop


def _map_of(array: Any) -> memory_map.mmap | None:
    while isinstance(array, np.ndarray):
        array = array.base
    if isinstance(array, memoryview):  # of the buffer that an array was made from
        array = array.obj
    return array if isinstance(array, memory_map.mmap) else None


def pack_names(key: str, names: Any) -> dict[str, Any]:
    """Turn names into plain arrays: integers as they are, texts as their letters and ends."""
    if isinstance(names, Texts):
        return {f"{key}_utf8": names.letters, f"{key}_ends": names.ends}
    if all(isinstance(name, (int, np.integer)) for name in names):
        return {key: np.array(names, np.int64)}
    texts = [name.encode("utf-8", "surrogatepass") for name in names]
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return {f"{key}_utf8": np.frombuffer(b"".join(texts), np.uint8), f"{key}_ends": ends}


def unpack_names(
    members: Mapping[str, NDArray[Any]], key: str
) -> NDArray[np.int64] | tuple[str, ...] | None:
    """Undo :func:`pack_names`; None if there are no names under this key.

    Raises
    ------
    ValueError
        The arrays are not what `pack_names` makes.
    """
    if key in members:
        return _vector(members, key, np.int64)
    if f"{key}_utf8" not in members:
        return None
    letters = _vector(members, f"{key}_utf8", np.uint8).tobytes()
    ends = [0, *_vector(members, f"{key}_ends", np.int64).tolist()]
    if ends != sorted(ends) or ends[-1] != len(letters):
        raise ValueError(f"{key}_ends do not ascend to the end of {key}_utf8")
    return tuple(letters[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(ends))


def _vector(members: Mapping[str, NDArray[Any]], key: str, dtype: Any) -> NDArray[Any]:
    array = members[key]
    if array.dtype != dtype or array.ndim != 1:
        raise ValueError(f"{key} has dtype {array.dtype} and shape {array.shape}")
    return array


def _write_member(archive: zipfile.ZipFile, position: int, key: str, array: NDArray[Any]) -> None:
    head = npy_header(array.shape, array.dtype)
    info = zipfile.ZipInfo(f"{key}.npy")
    large = array.nbytes > ZIP64_BYTES
    # Local header (30 bytes), name, our padding field (4 bytes and the padding), 64-bit sizes.
    fixed = position + 30 + len(info.filename) + 4 + (20 if large else 0)
    padding = -fixed % ALIGNMENT
    info.extra = struct.pack("<HH", PADDING_FIELD, padding) + bytes(padding)
    with archive.open(info, "w", force_zip64=large) as member:
        member.write(head)
        member.write(array.reshape(-1).view(np.uint8).data)


def _members(file: BinaryIO, archive: zipfile.ZipFile, *, mmap: bool) -> dict[str, NDArray[Any]]:
    size = os.fstat(file.fileno()).st_size
    contents = memory_map.mmap(file.fileno(), 0, access=memory_map.ACCESS_READ) if mmap else None
    members = {}
    for info in archive.infolist():
        key = info.filename.removesuffix(".npy")
        if info.compress_type != zipfile.ZIP_STORED:
            raise ValueError(f"member {info.filename} is compressed")
        begin = _begin(file, info)
        if begin + info.file_size > size or key in members:
            raise ValueError(f"member {info.filename} is damaged")
        file.seek(begin)
        head = file.read(min(info.file_size, HEADER_BYTES))
        shape, dtype, offset = parse_npy_header(head)
        if info.file_size - offset != math.prod(shape) * dtype.itemsize:
            raise ValueError(f"member {info.filename} has the wrong size")
        flat: NDArray[Any]
        if contents is None:
            flat = np.empty(math.prod(shape), dtype)
            file.seek(begin + offset)
            # The type of binary files in general does not promise what those on disk can do.
            file.readinto(flat.view(np.uint8).data)  # type: ignore[attr-defined]
        else:
            flat = np.frombuffer(contents, dtype, math.prod(shape), begin + offset)
            if not flat.flags.aligned:  # not a file of ours: np.savez does not align
                flat = flat.copy()
        unread = contents is not None and info.file_size > CHECK_BYTES
        if not unread and _checksum(head[:offset], flat) != info.CRC:
            raise ValueError(f"member {info.filename} is damaged")
        members[key] = flat.reshape(shape)
    return members


def _begin(file: BinaryIO, info: zipfile.ZipInfo) -> int:
    file.seek(info.header_offset)
    local = file.read(30)
    name_length, extra_length = struct.unpack("<HH", local[26:30])
    if file.read(name_length) != info.filename.encode():
        raise ValueError(f"member {info.filename} is damaged")
    return info.header_offset + 30 + int(name_length) + int(extra_length)


def _checksum(head: bytes, flat: NDArray[Any]) -> int:
    total = zlib.crc32(head)
    raw = flat.view(np.uint8)
    for begin in range(0, raw.size, CHUNK_BYTES):  # so that Ctrl-C is heard
        total = zlib.crc32(raw[begin : begin + CHUNK_BYTES].data, total)
    return total
