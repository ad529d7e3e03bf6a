"""Where files come from, in which order, and what is said when they come from nowhere."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

import pytest

from grape_gnn.datasets.download import cache_folder, fetch
from grape_gnn.errors import DatasetError, DatasetUnavailableError


@pytest.fixture
def content(server, published):
    return server.files["one/data.bin"]


def put(folder, content, path="family/data.bin"):
    copy = folder / path
    copy.parent.mkdir(parents=True)
    copy.write_bytes(content)
    return copy


def leftovers(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_downloads_once(empty_cache, server, published, content):
    path = fetch(published)
    assert path == empty_cache / "family" / "data.bin"
    assert path.read_bytes() == content
    assert fetch(published) == path
    assert server.requests == ["one/data.bin"]
    assert leftovers(empty_cache) == ["family/data.bin"]


def test_looks_into_folders_in_order(
    tmp_path, empty_cache, monkeypatch, server, published, content
):
    given, named = tmp_path / "given", tmp_path / "named"
    given.mkdir()
    cached = fetch(published)
    in_named = put(named, content)
    assert fetch(published, given) == cached
    monkeypatch.setenv("GRAPE_DATA", str(named))
    assert fetch(published, given) == in_named
    in_given = put(given, content)
    assert fetch(published, given) == in_given
    assert len(server.requests) == 1


def test_unpacked_copy_of_a_gzipped_file(tmp_path, empty_cache, server, published):
    packed = replace(published, path="family/data.txt.gz", sha256=None)
    copy = put(tmp_path, b"text", "family/data.txt")
    assert fetch(packed, tmp_path) == copy
    assert server.requests == []


def test_mirror_replaces_the_sources(empty_cache, monkeypatch, server, published, content):
    server.files["mirror/family/data.bin"] = content
    monkeypatch.setenv("GRAPE_DATA_URL", f"{server.url}/mirror/")
    fetch(published)
    assert server.requests == ["mirror/family/data.bin"]


def test_second_source_after_the_first_fails(empty_cache, server, published, content):
    del server.files["one/data.bin"]
    assert fetch(published).read_bytes() == content
    assert server.requests == ["one/data.bin", "two/data.bin"]


def test_wrong_copy_in_a_data_folder_is_named(tmp_path, empty_cache, server, published):
    copy = put(tmp_path, b"something else")
    found = hashlib.sha256(b"something else").hexdigest()
    reason = f"{re.escape(str(copy))} is not the published file: its SHA-256 is {found}"
    with pytest.raises(DatasetError, match=reason):
        fetch(published, tmp_path)
    assert copy.read_bytes() == b"something else"
    assert server.requests == []


def test_wrong_copy_in_the_cache_is_replaced(empty_cache, published, content):
    put(empty_cache, b"half a file")
    assert fetch(published).read_bytes() == content


def break_hash(server):
    server.files = dict.fromkeys(server.files, b"not what was published")


def break_length(server):
    server.cut = set(server.files)


def break_address(server):
    server.files = {}


def break_network(server):
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (break_hash, "sent another file: its SHA-256 is [0-9a-f]{64}, expected"),
        (break_length, "the connection broke after [0-9,]+ of [0-9,]+ bytes"),
        (break_address, "the server answered 404"),
        (break_network, "no connection"),
    ],
)
def test_failed_download(empty_cache, server, published, damage, reason):
    damage(server)
    with pytest.raises(DatasetUnavailableError, match=f"(?is){reason}.*{reason}") as caught:
        fetch(published)
    message = str(caught.value)
    target = empty_cache / "family" / "data.bin"
    assert f"the file family/data.bin is not on this machine (looked for {target})" in message
    assert f"get {published.urls[0]} elsewhere, save it as {target}" in message
    assert "data_dir= or the environment variable GRAPE_DATA" in message
    assert leftovers(empty_cache) == []


def test_cut_download_leaves_a_cache_without_checksum_empty(empty_cache, server, published):
    server.cut = set(server.files)
    with pytest.raises(DatasetUnavailableError, match="the connection broke"):
        fetch(replace(published, sha256=None))
    assert leftovers(empty_cache) == []


def test_download_turned_off(tmp_path, empty_cache, server, published):
    with pytest.raises(DatasetUnavailableError, match="downloading was turned off"):
        fetch(published, tmp_path, download=False)
    assert server.requests == []


def test_data_dir_must_be_a_folder(tmp_path, empty_cache, published):
    with pytest.raises(DatasetError, match="nowhere is not a folder"):
        fetch(published, tmp_path / "nowhere")


def test_cache_follows_the_system(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "grape-gnn"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "grape-gnn"
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder() == tmp_path / "Library" / "Caches" / "grape-gnn"


def test_a_server_that_does_not_answer_is_named(empty_cache, monkeypatch, published):
    def never(*args, **kwargs):
        raise TimeoutError

    monkeypatch.setattr("urllib.request.urlopen", never)
    with pytest.raises(DatasetUnavailableError, match="no answer within 60 s"):
        fetch(published)
