"""Our own file: an uncompressed ``.npz`` that can be mapped into memory.

Every member is a plain ``.npy`` array, so ``numpy.load(path)`` reads it too, without pickle:

========================  ==========================================================
``format``, ``version``   ``"grape-graph"`` and 1
``directed``              bool
``indptr``, ``indices``   sorted rows, as in :class:`Graph`
``in_indptr, in_indices`` the same for in-arcs; directed graphs only
``x``, ``y``              float32 features, int64 label codes; if there are any
``names``                 int64 names, or for texts ``names_utf8`` (all letters in a row)
                          and ``names_ends`` (where each ends); absent when 0..n-1
``label_names``           likewise
========================  ==========================================================

Members start on 64-byte boundaries, so that mapped arrays are aligned.
"""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.files import atomic_write
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.rows import check_rows, transpose

__all__ = ["read_npz", "write_npz"]

FORMAT = "grape-graph"
VERSION = 1
ALIGNMENT = 64
# Local file headers of larger members carry 64-bit sizes.
ZIP64_BYTES = 1 << 30
PADDING_FIELD = 0xD935  # the id that Android's zipalign uses for padding


def write_npz(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write `graph`; a reader sees the old file or the complete new one."""
    if Path(path).suffix != ".npz":
        raise GraphError(f"cannot save to {path}: the file name must end in .npz")
    members: dict[str, Any] = {
        "format": np.array(FORMAT),
        "version": np.array(VERSION),
        "directed": np.array(graph.directed),
        "indptr": graph.indptr,
        "indices": graph.indices,
    }
    if graph.directed:
        members |= {"in_indptr": graph.in_indptr, "in_indices": graph.in_indices}
    if graph.x is not None:
        members["x"] = graph.x
    if graph.y is not None:
        members["y"] = graph.y
    for key, names in (("names", graph.names), ("label_names", graph.label_names)):
        if names is not None:
            members |= _pack(key, names)
    with (
        atomic_write(path) as temporary,
        temporary.open("wb") as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive,
    ):
        for key, array in members.items():
            _write_member(archive, file.tell(), key, np.asarray(array, order="C"))


def read_npz(path: Path, *, mmap: bool = False) -> Graph:
    """Read a graph written by :func:`write_npz`.

    With `mmap`, the arrays stay in the file and are paged in when used; do not overwrite the
    file in place while the graph is in use (:meth:`Graph.save` does not).
    """
    try:
        members = _map_members(path)
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError, struct.error) as error:
        raise GraphFileError(path, f"is not a readable graph file: {error}") from error
    if not np.array_equal(members.get("format", np.array("")), FORMAT):
        raise GraphFileError(path, "is an .npz file, but not one saved by grape-gnn")
    version = members.get("version", np.array("none"))
    if not np.array_equal(version, VERSION):
        raise GraphFileError(
            path, f"has format version {version}, this release reads {VERSION}; update grape-gnn"
        )
    if not mmap:
        members = {key: np.array(array) for key, array in members.items()}
    try:
        return _assemble(members)
    except (KeyError, GraphError, UnicodeDecodeError) as error:
        raise GraphFileError(path, f"has damaged contents: {error}") from error


def _assemble(members: dict[str, NDArray[Any]]) -> Graph:
    directed = bool(members["directed"].all())
    rows = members["indptr"], members["indices"]
    in_rows = (members["in_indptr"], members["in_indices"]) if directed else rows
    # The compiled core trusts its arrays, so nothing from a file reaches it unchecked.
    check_rows(*rows)
    check_rows(*in_rows)
    reverse = transpose(*rows)
    if not (np.array_equal(reverse[0], in_rows[0]) and np.array_equal(reverse[1], in_rows[1])):
        raise GraphError("the in-arcs are not the out-arcs reversed")
    n = rows[0].size - 1
    label_names = _unpack(members, "label_names")
    x, y, names = members.get("x"), members.get("y"), _unpack(members, "names")
    if x is not None and (x.dtype != np.float32 or x.ndim != 2 or len(x) != n):
        raise GraphError(f"x has dtype {x.dtype} and shape {x.shape}")
    if y is not None and (
        y.dtype != np.int64
        or y.shape != (n,)
        or label_names is None
        or (n > 0 and not -1 <= y.min() <= y.max() < len(label_names))
    ):
        raise GraphError("y does not point into label_names")
    if names is not None and len(names) != n:
        raise GraphError(f"{len(names)} names for {n} nodes")
    return Graph(
        directed,
        *rows,
        *in_rows,
        x=x,
        y=y,
        label_names=None if label_names is None else tuple(label_names),
        names=np.array(names, np.int64) if names and isinstance(names[0], int) else names,
    )


def _pack(key: str, names: Any) -> dict[str, Any]:
    if all(isinstance(name, (int, np.integer)) for name in names):
        return {key: np.array(names, np.int64)}
    texts = [name.encode("utf-8", "surrogatepass") for name in names]
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return {f"{key}_utf8": np.frombuffer(b"".join(texts), np.uint8), f"{key}_ends": ends}


def _unpack(members: dict[str, NDArray[Any]], key: str) -> tuple[Any, ...] | None:
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
