"""Finding the files of a dataset: on this machine if they are here, from their source if not.

A folder of files is laid out by family: ``planetoid/``, ``facebook100/``, ``airports/`` and so on.
Three such folders are looked into, in this order: the one given as `data_dir`, the one named by
the environment variable ``GRAPE_DATA``, and the user's cache, where downloads go. Every file with
a published SHA-256 is checked before anyone reads it.

``GRAPE_DATA_URL`` names a mirror with the same layout, to be used instead of the public sources.
"""

from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from grape_gnn.errors import DatasetError, DatasetUnavailableError, GrapeError
from grape_gnn.files import atomic_write, open_regular

__all__ = ["DATA_FOLDER", "MIRROR", "RemoteFile", "cache_folder", "fetch"]

DATA_FOLDER = "GRAPE_DATA"
MIRROR = "GRAPE_DATA_URL"
TIMEOUT_SECONDS = 60
CHUNK_BYTES = 1 << 16


@dataclass(frozen=True)
class RemoteFile:
    """A published file.

    Parameters
    ----------
    path
        Where it lies below a data folder, such as ``"planetoid/ind.cora.allx"``.
    sha256
        Its checksum; None where none is known.
    urls
        Public sources, tried in this order.
    """

    path: str
    sha256: str | None
    urls: tuple[str, ...]


def cache_folder() -> Path:
    """Return the folder that downloads go to, below the user's cache."""
    if sys.platform == "darwin":
        caches = Path.home() / "Library" / "Caches"
    else:
        caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "grape-gnn"


def fetch(
    file: RemoteFile, data_dir: str | os.PathLike[str] | None = None, download: bool = True
) -> Path:
    """Return a checked copy of a file on this machine, downloading it if there is none.

    Parameters
    ----------
    file
        What to look for. A file published as ``.gz`` may also lie there unpacked.
    data_dir
        Folder to look into before all others.
    download
        Whether to go to the network at all.

    Raises
    ------
    DatasetError
        A copy in `data_dir` or ``GRAPE_DATA`` is not the published file.
    DatasetUnavailableError
        There is no copy, and none could be downloaded; the message says where to put it.
    """
    if data_dir is not None and not Path(data_dir).is_dir():
        raise DatasetError(f"data_dir {data_dir} is not a folder")
    named = os.environ.get(DATA_FOLDER)
    given = [Path(folder) for folder in (data_dir, named) if folder]
    for folder in given:
        for copy in _places(folder, file):
            if copy.is_file():
                _verify(copy, file)
                return copy
    cache = cache_folder()
    for copy in _places(cache, file):
        if copy.is_file() and _is_intact(copy, file):
            return copy
    problems = _download(file, cache / file.path) if download else ["downloading was turned off"]
    if problems is None:
        return cache / file.path
    raise DatasetUnavailableError(_explain(file, (*given, cache), problems))


def _places(folder: Path, file: RemoteFile) -> list[Path]:
    packed = folder / file.path
    return [packed, packed.with_suffix("")] if packed.suffix == ".gz" else [packed]


def _is_intact(copy: Path, file: RemoteFile) -> bool:
    return file.sha256 is None or _sha256(copy) == file.sha256


def _verify(copy: Path, file: RemoteFile) -> None:
    if not _is_intact(copy, file):
        raise DatasetError(
            f"{copy} is not the published file: its SHA-256 is {_sha256(copy)}, expected "
            f"{file.sha256}; replace it with {file.urls[0]}, or remove it to download it again"
        )


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open_regular(path) as content:
        while chunk := content.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _sources(file: RemoteFile) -> tuple[str, ...]:
    mirror = os.environ.get(MIRROR)
    return (f"{mirror.rstrip('/')}/{file.path}",) if mirror else file.urls


def _download(file: RemoteFile, target: Path) -> list[str] | None:
    """Try every source; return what went wrong at each, or None when the file is there."""
    problems = []
    for url in _sources(file):
        problem = _download_from(url, file, target)
        if problem is None:
            return None
        problems.append(f"{url}: {problem}")
    return problems


def _download_from(url: str, file: RemoteFile, target: Path) -> str | None:
    """Try one source; return what went wrong, or None when the file is there."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(target) as temporary:
            _receive(url, temporary, target.name)
            if not _is_intact(temporary, file):
                raise DatasetError(
                    f"sent another file: its SHA-256 is {_sha256(temporary)}, expected "
                    f"{file.sha256}"
                )
    except (GrapeError, OSError) as error:
        return str(error)
    return None


def _receive(url: str, path: Path, name: str) -> None:
    # Not at the top: `import grape_gnn` would wait for them.
    from http.client import HTTPException
    from socket import gaierror
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, urlopen

    from grape_gnn.progress import progress_bar

    request = Request(url, headers={"User-Agent": "grape-gnn"})
    try:
        with (
            urlopen(request, timeout=TIMEOUT_SECONDS) as answer,
            path.open("wb") as out,
            progress_bar(f"downloading {name}") as show,
        ):
            done, total = 0, int(answer.headers.get("Content-Length") or 0)
            while chunk := answer.read(CHUNK_BYTES):
                out.write(chunk)
                done += len(chunk)
                show(done, max(total, done))
    except HTTPError as error:
        raise DatasetError(f"the server answered {error.code} {error.reason}") from error
    except (HTTPException, OSError) as error:
        cause = error.reason if isinstance(error, URLError) else error
        if isinstance(cause, TimeoutError):
            reason = f"no answer within {TIMEOUT_SECONDS} s"
        elif isinstance(cause, ConnectionError | gaierror):
            reason = "no connection"
        else:
            reason = str(cause) or type(cause).__name__
        raise DatasetError(reason) from error
    if done < total:
        raise DatasetError(f"the connection broke after {done:,} of {total:,} bytes")


def _explain(file: RemoteFile, folders: tuple[Path, ...], problems: list[str]) -> str:
    looked = ", ".join(str(folder / file.path) for folder in folders)
    return (
        f"the file {file.path} is not on this machine (looked for {looked}) and could not be "
        f"downloaded ({'; '.join(problems)}). Without network: get {file.urls[0]} elsewhere, save "
        f"it as {folders[-1] / file.path}, or as {file.path} in a folder of your own that you "
        f"name with data_dir= or the environment variable {DATA_FOLDER}"
    )
