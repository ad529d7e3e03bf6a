"""``grape demo``."""

from __future__ import annotations


def test_the_demo_prints_roles_and_writes_a_page(grape, tmp_path):
    folder = tmp_path / "new" / "folder"
    words = grape.output("demo", "--out", folder)
    assert "77 characters, 254 pairs who meet" in words
    assert "role 1: Listolier 15, Tholomyes 15, Fameuil 15" in words
    assert str(folder / "index.html") in words
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "Around Fantine" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_folder_that_cannot_be_made(grape, tmp_path):
    (tmp_path / "file").write_text("")
    result = grape.run("demo", "--out", tmp_path / "file")
    assert result.exit_code == 2
    assert "error: cannot make the folder" in result.stderr
