"""Tensors and a JSON header in one safetensors file, written whole or not at all.

Nothing here unpickles: a file from a stranger can be wrong, but it cannot run code.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save

from grape_gnn.errors import ModelFileError
from grape_gnn.files import atomic_write, open_regular, parse_json

__all__ = ["read_tensors", "write_tensors"]

_HEADER = "grape"


def write_tensors(
    path: str | os.PathLike[str], tensors: dict[str, torch.Tensor], header: dict[str, Any]
) -> None:
    """Write tensors and a header; after an error (a full disk) the old file is still there.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "w.safetensors")
    >>> write_tensors(file, {"w": torch.ones(2)}, {"epoch": 3})
    >>> tensors, header = read_tensors(file)
    >>> tensors["w"].tolist(), header
    ([1.0, 1.0], {'epoch': 3})
    """
    kept = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    content = save(kept, metadata={_HEADER: json.dumps(header)})
    with atomic_write(path) as temporary:
        # Not by safetensors' save_file, whose files nobody but their owner may read.
        temporary.write_bytes(content)


def read_tensors(path: str | os.PathLike[str]) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Read what `write_tensors` wrote."""
    file = Path(path)
    try:
        open_regular(file).close()
        with safe_open(file, framework="pt") as opened:
            metadata = opened.metadata() or {}
            names = opened.keys()
            tensors = {name: opened.get_tensor(name) for name in names}
    except FileNotFoundError:
        raise ModelFileError(file, "there is no such file; check the path") from None
    except Exception as error:  # of the library, or of torch where a type is unknown to it
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(
            file, f"is damaged or not a safetensors file ({reason}); save it again"
        ) from error
    try:
        header = parse_json(metadata[_HEADER])
    except (KeyError, ValueError) as error:
        raise ModelFileError(file, "was not written by grape-gnn: it has no header") from error
    if not isinstance(header, dict):
        raise ModelFileError(file, "was not written by grape-gnn: its header is no object")
    return tensors, header
