"""A command line to type into, and a small graph file."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from grape_gnn.cli import app


class Shell:
    """Runs ``grape`` inside the tests' process, or as a process of its own."""

    def run(self, *words):
        """Return the result, whatever the exit code."""
        return CliRunner().invoke(app, [str(word) for word in words])

    def output(self, *words):
        """Return standard output; the command must succeed."""
        result = self.run(*words)
        assert result.exit_code == 0, result.output
        return result.stdout

    def json(self, *words):
        """Return the decoded JSON; the command must succeed."""
        return json.loads(self.output(*words, "--json"))

    def error(self, *words):
        """Return the one line on standard error; the command must fail as bad input does."""
        result = self.run(*words)
        assert result.exit_code == 2, result.output
        assert result.stdout == ""
        assert result.stderr.count("\n") == 1
        return result.stderr.rstrip("\n")

    @staticmethod
    def process(*words, **options):
        """Start the command as a process."""
        main = "from grape_gnn.cli import main; main()"
        return subprocess.Popen(
            [sys.executable, "-c", main, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )


@pytest.fixture
def grape():
    """Give a command line."""
    return Shell()


@pytest.fixture
def friends(tmp_path):
    """Write a triangle with a tail: ann, bob and cat know each other, cat knows dan."""
    path = tmp_path / "friends.csv"
    path.write_text("source,target\nann,bob\nann,cat\nbob,cat\ncat,dan\n")
    return path


SHAPES = ("planted-roles", "--option", "num_shapes=9")


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """Give the folder of a finished training on a small generated graph; do not change it."""
    path = tmp_path_factory.mktemp("runs") / "roles"
    Shell().output("train", *SHAPES, "--epochs", 30, "--hidden", 4, "--seed", 2, "-o", path)
    return path


@pytest.fixture
def teams(tmp_path):
    """Write a ring of 40 people in two teams who differ in a feature; return file and options."""
    edges = tmp_path / "ring.csv"
    edges.write_text("".join(f"p{i},p{(i + 1) % 40}\n" for i in range(40)))
    people = tmp_path / "people.csv"
    lines = [f"p{i},{'red' if i % 2 else 'blue'},{i % 2},{i}\n" for i in range(40)]
    people.write_text("name,team,height,age\n" + "".join(lines))
    return edges, "--nodes", people, "--label", "team", "--features", "height"
