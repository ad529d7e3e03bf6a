"""Files of plain arrays: an uncompressed ``.npz`` that can be mapped into memory.

``numpy.load(path)`` reads them too, without pickle. Members start on 64-byte boundaries, so that
mapped arrays are aligned; their checksums are verified before anything is used.
"""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.files import atomic_write

__all__ = ["pack_names", "read_arrays", "unpack_names", "write_arrays"]

ALIGNMENT = 64
# Local file headers of larger members carry 64-bit sizes.
ZIP64_BYTES = 1 << 30
PADDING_FIELD = 0xD935  # the id that Android's zipalign uses for padding


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
        members = _map_members(path)
    except FileNotFoundError:
        raise ValueError("no such file") from None
    # What a damaged archive makes zipfile and NumPy raise, by where the damage is.
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError, struct.error) as error:
        raise ValueError(f"is not a readable {what} file: {error}") from error
    if not np.array_equal(members.get("format", np.array("")), f"grape-{what}"):
        raise ValueError(f"is an .npz file, but not a {what} file saved by grape-gnn")
    found = members.get("version", np.array("none"))
    if not np.array_equal(found, version):
        raise ValueError(
            f"has format version {found}, this release reads {version}; update grape-gnn"
        )
    return members if mmap else {key: np.array(array) for key, array in members.items()}


def pack_names(key: str, names: Any) -> dict[str, Any]:
    """Turn names into plain arrays: integers as they are, texts as their letters and ends."""
    if all(isinstance(name, (int, np.integer)) for name in names):
        return {key: np.array(names, np.int64)}
    texts = [name.encode("utf-8", "surrogatepass") for name in names]
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return {f"{key}_utf8": np.frombuffer(b"".join(texts), np.uint8), f"{key}_ends": ends}


def unpack_names(members: Mapping[str, NDArray[Any]], key: str) -> tuple[Any, ...] | None:
    """Undo :func:`pack_names`; None if there are no names under this key."""
    if key in members:
        return tuple(members[key].tolist())
    if f"{key}_utf8" not in members:
        return None
    letters = members[f"{key}_utf8"].tobytes()
    ends = members[f"{key}_ends"].tolist()
    return tuple(
        letters[a:b].decode("utf-8", "surrogatepass")
        for a, b in zip([0, *ends], ends, strict=False)
    )


def _write_member(archive: zipfile.ZipFile, position: int, key: str, array: NDArray[Any]) -> None:
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(array))
    info = zipfile.ZipInfo(f"{key}.npy")
    large = array.nbytes > ZIP64_BYTES
    # Local header (30 bytes), name, our padding field (4 bytes and the padding), 64-bit sizes.
    fixed = position + 30 + len(info.filename) + 4 + (20 if large else 0)
    padding = -fixed % ALIGNMENT
    info.extra = struct.pack("<HH", PADDING_FIELD, padding) + bytes(padding)
    with archive.open(info, "w", force_zip64=large) as member:
        member.write(head.getvalue())
        member.write(array.reshape(-1).view(np.uint8).data)


def _map_members(path: Path) -> dict[str, NDArray[Any]]:
    contents = np.asarray(np.memmap(path, np.uint8, mode="r"))
    members = {}
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if info.compress_type != zipfile.ZIP_STORED:
                raise ValueError(f"member {info.filename} is compressed")
            local = contents[info.header_offset : info.header_offset + 30].tobytes()
            name_length, extra_length = struct.unpack("<HH", local[26:30])
            begin = info.header_offset + 30 + name_length + extra_length
            stored_name = contents[info.header_offset + 30 :][:name_length].tobytes()
            if stored_name != info.filename.encode():
                raise ValueError(f"member {info.filename} is damaged")
            member = contents[begin : begin + info.file_size]
            if member.size != info.file_size or zlib.crc32(member.data) != info.CRC:
                raise ValueError(f"member {info.filename} is damaged")
            members[info.filename.removesuffix(".npy")] = _as_array(member)
    return members


def _as_array(member: NDArray[np.uint8]) -> NDArray[Any]:
    head = io.BytesIO(member[:4096].tobytes())
    if np.lib.format.read_magic(head) != (1, 0):
        raise ValueError("unknown .npy version")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(head)
    if fortran or dtype.hasobject:
        raise ValueError("a member is not a plain C-ordered array")
    count = int(np.prod(shape, dtype=np.int64))
    values = member[head.tell() :]
    if values.size != count * dtype.itemsize:
        raise ValueError("a member has the wrong size")
    return values.view(dtype).reshape(shape)
