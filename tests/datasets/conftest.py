"""What several dataset tests need: an empty cache, a server of files, colour refinement."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from grape_gnn.datasets.download import RemoteFile
from grape_gnn.graph import Graph


@pytest.fixture
def empty_cache(tmp_path, monkeypatch) -> Path:
    """Give a cache with nothing in it, and no data folder in the environment."""
    cache = tmp_path / "cache"
    monkeypatch.setattr("grape_gnn.datasets.download.cache_folder", lambda: cache)
    for name in ("GRAPE_DATA", "GRAPE_DATA_URL"):
        monkeypatch.delenv(name, raising=False)
    return cache


class FileServer(ThreadingHTTPServer):
    """Serves the `files`; announces more bytes than it sends for paths in `cut`."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.cut: set[str] = set()
        self.requests: list[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: FileServer

    def do_GET(self) -> None:
        path = self.path.lstrip("/")
        self.server.requests.append(path)
        content = self.server.files.get(path)
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if path in self.server.cut else content)

    def log_message(self, *parts: object) -> None:
        """Keep quiet."""


@pytest.fixture
def server(monkeypatch) -> Iterator[FileServer]:
    """Give a running server; no proxy stands between it and the client."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    running = FileServer()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


CONTENT = bytes(range(256)) * 1000


@pytest.fixture
def published(server) -> RemoteFile:
    """Give a file that the server has at two addresses."""
    server.files = {"one/data.bin": CONTENT, "two/data.bin": CONTENT}
    return RemoteFile(
        "family/data.bin",
        hashlib.sha256(CONTENT).hexdigest(),
        (f"{server.url}/one/data.bin", f"{server.url}/two/data.bin"),
    )


@pytest.fixture(scope="session")
def colour_refinement() -> Callable[[Graph], NDArray[np.int64]]:
    """Give a function to the stable 1-WL colours: what message passing can tell apart at all."""

    def refine(graph: Graph) -> NDArray[np.int64]:
        colours = np.zeros(graph.num_nodes, np.int64)
        while True:
            seen = [
                (int(colours[node]), tuple(sorted(colours[graph.neighbours(node)].tolist())))
                for node in range(graph.num_nodes)
            ]
            number = {view: i for i, view in enumerate(dict.fromkeys(seen))}
            if len(number) == len(np.unique(colours)):
                return colours
            colours = np.array([number[view] for view in seen])

    return refine
