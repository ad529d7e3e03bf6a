"""Seeded damage to files: bytes, numbers, words, lines, and fields behind a checksum."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["mutate"]

Rng = np.random.Generator

NUMBERS = (
    b"0", b"-1", b"1", b"0.5", b"255", b"300000000", b"2147483647", b"2147483648", b"-2147483649",
    b"9223372036854775807", b"9223372036854775808", b"18446744073709551615",
    b"1" + b"0" * 30, b"9" * 5000, b"nan", b"NaN", b"inf", b"-Infinity", b"1e400", b"",
)  # fmt: skip
WORDS = (
    b"null", b"true", b"[]", b"{}", b'""', b'"x"', b"[[1]]", b'{"a": 1}', b"\0", b"\xff", b"\n",
    b"\r", b"\xe2\x80\xa8", b'"', b"'", b",", b"<", b">", b"&#0;", b"[" * 5000, b"..", b"\\ud800",
    b"%", b"#",
)  # fmt: skip
VALUE = re.compile(rb'"[^"\n]*"|[A-Za-z_]+|-?\d+(?:\.\d+)?')


def mutate(content: bytes, rng: Rng) -> bytes:
    """Return the content of a file, damaged at one to three places.

    What a checksum or a length would give away at once is also changed with the checksum or the
    length put right.

    Examples
    --------
    >>> one, two = (mutate(b"a,b", np.random.default_rng(7)) for _ in range(2))
    >>> one == two != b"a,b"
    True
    """
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        ways = [_bytes, _bytes, _integers, _numbers, _numbers, _values, _lines, _cut]
        if content[:2] == b"PK":
            ways += [_arrays] * 16
        elif content[:2] == b"\x1f\x8b":
            ways += [_packed] * 16
        elif content[8:9] == b"{":
            ways += [_header] * 16
        content = ways[rng.integers(len(ways))](content, rng)
    return content


def _place(content: bytes, rng: Rng) -> int:
    return int(rng.integers(len(content) + 1))


def _bytes(content: bytes, rng: Rng) -> bytes:
    at = _place(content, rng)
    length = int(rng.choice([0, 1, 1, 2, 8, 64]))
    new = rng.integers(0, 256, int(rng.choice([0, 1, 1, 2, 8])), np.uint8).tobytes()
    return content[:at] + new + content[at + length :]


def _integers(content: bytes, rng: Rng) -> bytes:
    width = int(rng.choice([1, 2, 4, 8]))
    at = _place(content, rng) // width * width
    value = int(rng.choice([0, 1, 2, 7, 2**31 - 1, 2**31, 2**32 - 1, 2**62])) - int(rng.integers(2))
    new = (value % (1 << 8 * width)).to_bytes(width, "little")
    return content[:at] + new + content[at + width :]


def _replaced(pattern: re.Pattern[bytes], new: bytes, content: bytes, rng: Rng) -> bytes:
    found = list(pattern.finditer(content))
    if not found:
        return content + new
    chosen = found[rng.integers(len(found))]
    return content[: chosen.start()] + new + content[chosen.end() :]


def _numbers(content: bytes, rng: Rng) -> bytes:
    new = NUMBERS[rng.integers(len(NUMBERS))]
    return _replaced(re.compile(rb"-?\d+(?:\.\d+)?"), new, content, rng)


def _values(content: bytes, rng: Rng) -> bytes:
    return _replaced(VALUE, WORDS[rng.integers(len(WORDS))], content, rng)


def _lines(content: bytes, rng: Rng) -> bytes:
    lines = content.split(b"\n")
    at, other = rng.integers(len(lines), size=2)
    change = rng.integers(3)
    if change == 0:
        del lines[at]
    elif change == 1:
        lines.insert(other, lines[at])
    else:
        lines[at], lines[other] = lines[other], lines[at]
    return b"\n".join(lines)


def _cut(content: bytes, rng: Rng) -> bytes:
    return content[: _place(content, rng)]


def _packed(content: bytes, rng: Rng) -> bytes:
    try:
        unpacked = gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        return content
    return gzip.compress(mutate(unpacked, rng), mtime=0)


def _header(content: bytes, rng: Rng) -> bytes:
    """Change the JSON header of a safetensors file, and its length with it."""
    length = int.from_bytes(content[:8], "little")
    head, tensors = content[8 : 8 + length], content[8 + length :]
    try:
        header: dict[str, Any] = json.loads(head)
        inner = header["__metadata__"]["grape"]
    except (ValueError, KeyError, TypeError):
        return content
    if rng.random() < 0.8:
        changed = mutate(inner.encode(), rng).decode("utf-8", "replace")
        header["__metadata__"]["grape"] = changed
        head = json.dumps(header).encode()
    else:
        head = mutate(head, rng)
    return len(head).to_bytes(8, "little") + head + tensors


def _arrays(content: bytes, rng: Rng) -> bytes:
    """Change one array of an ``.npz`` file; the new file has right checksums."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as members:
            arrays = dict(members)
    except Exception:  # what earlier damage left may fail in any way
        return content
    if not arrays:
        return content
    key = sorted(arrays)[rng.integers(len(arrays))]
    array = arrays.pop(key)
    if rng.random() > 0.1:
        arrays[key] = ARRAY_CHANGES[rng.integers(len(ARRAY_CHANGES))](array, rng)
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def _one_value(array: Any, rng: Rng) -> Any:
    changed = np.array(array)
    if changed.size == 0 or changed.dtype.kind not in "biuf":
        return changed
    wild: list[float] = [0, 1, 2, 100] if changed.dtype.kind in "bu" else [-1, 0, 1, 9, 2**31 - 1]
    if changed.dtype.kind == "f":
        wild += [np.nan, np.inf]
    elif changed.dtype.itemsize == 8:
        wild += [2**62]
    changed.reshape(-1)[rng.integers(changed.size)] = wild[rng.integers(len(wild))]
    return changed


def _other_text(array: Any, rng: Rng) -> Any:
    if array.dtype != np.uint8:
        return _one_value(array, rng)
    return np.frombuffer(mutate(array.tobytes(), rng), np.uint8)


ARRAY_CHANGES: tuple[Callable[[Any, Rng], Any], ...] = (
    _one_value,
    _one_value,
    _other_text,
    lambda array, rng: array[..., None],
    lambda array, rng: array.reshape(-1)[: int(rng.integers(array.size + 1))],
    lambda array, rng: array.reshape(-1)[:1].sum() if array.dtype.kind in "biuf" else array[None],
    lambda array, rng: np.zeros(array.shape, [np.float64, np.uint64, "U3", bool][rng.integers(4)]),
    lambda array, rng: np.concatenate([array.reshape(-1)] * 2),
    lambda array, rng: array.reshape(-1)[::-1],
)
