"""The code in the README and the documentation runs, and the pages name what there is."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from grape_gnn.cli import app
from grape_gnn.roles import ENGINES

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|pycon|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """Work in a folder with the files that the pages talk about."""
    monkeypatch.chdir(tmp_path)
    Path("friends.csv").write_text("source,target\nann,bob\nann,cat\nbob,cat\ncat,dan\n")
    Path("people.csv").write_text("name,team,age\nann,red,31\nbob,blue,28\ncat,,45\ndan,red,19\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
@pytest.mark.usefixtures("workplace")
def test_examples_run(page):
    names: dict[str, object] = {}
    for language, code in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            exec(compile(code, str(page), "exec"), names)
        elif language == "pycon":
            _run_example(code, names, page)
        else:
            _run_commands(code)


def _run_example(code, names, page):
    example = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), 0)
    outcome = doctest.DocTestRunner(optionflags=OPTIONS).run(example, clear_globs=False)
    names.update(example.globs)
    assert outcome.failed == 0


def _run_commands(code):
    for line in code.splitlines():
        assert line.startswith("$ grape ")
        result = CliRunner().invoke(app, shlex.split(line)[2:])
        assert result.exit_code == 0, f"{line}\n{result.output}"


def test_there_are_examples_to_run():
    found = [block for page in PAGES for block in BLOCK.findall(page.read_text(encoding="utf-8"))]
    assert len(found) >= 25
    assert {language for language, _ in found} == {"python", "pycon", "console"}


def test_the_command_line_page_names_every_command_and_option():
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for name, command in get_command(app).commands.items():
        assert f"## grape {name}\n" in page
        for parameter in command.params:
            for option in (*parameter.opts, *parameter.secondary_opts):
                if option.startswith("--") and option != "--help":
                    assert f"`{option}" in page, f"grape {name} {option}"


def test_the_matching_page_names_every_engine():
    page = (ROOT / "docs" / "guide" / "matching.md").read_text(encoding="utf-8")
    for engine in ENGINES:
        assert f"`{engine}`" in page or f'engine="{engine}"' in page


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page}: {target}"
