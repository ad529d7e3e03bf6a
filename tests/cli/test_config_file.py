"""``--config``: options from a file, and files that do not fit."""

from __future__ import annotations

import json

import pytest

from grape_gnn.runs import RunFolder


@pytest.fixture
def config(tmp_path):
    """Write a config file."""

    def write(text, name="c.toml"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


TOML = """
graph = "planted-roles"
option = "num_shapes=9"
templates = ["edge", "triangle"]
learning-rate = 0.02
hidden = 6
epochs = 2
"""


def test_a_file_gives_options_and_the_command_line_wins(grape, config, tmp_path):
    file = config(TOML)
    grape.output("train", "--config", file, "--out", tmp_path / "a")
    grape.output("train", "--hidden", 3, "--config", file, "-t", "edge", "--out", tmp_path / "b")
    first, second = (RunFolder.open(tmp_path / name).config for name in "ab")
    assert first["parameters"]["hidden"] == 6
    assert first["parameters"]["learning_rate"] == 0.02
    assert len(first["templates"]) == 2
    assert second["parameters"]["hidden"] == 3
    assert second["parameters"]["epochs"] == 2
    assert len(second["templates"]) == 1


def test_json_and_underscores_do_as_well(grape, config, tmp_path):
    data = {"graph": "planted-roles", "option": ["num_shapes=9"], "epochs": 1, "min_epochs": 1}
    file = config(json.dumps(data), "c.json")
    grape.output("train", "--config", file, "-o", tmp_path / "r")
    assert RunFolder.open(tmp_path / "r").config["parameters"]["min_epochs"] == 1


def test_files_of_columns(grape, config, teams, tmp_path):
    edges, _, people, *_ = teams
    text = f'graph = "{edges}"\nnodes = "{people}"\nlabel = "team"\ntemplates = "edge"\n'
    file = config(text + 'features = ["height", "age"]\nepochs = 1\nundirected = true\n')
    assert "unknown key 'undirected'" in grape.error("train", "--config", file)
    file = config(text + 'features = ["height", "age"]\nepochs = 1\ndirected = false\n')
    grape.output("train", "--config", file, "-o", tmp_path / "r")
    assert RunFolder.open(tmp_path / "r").metrics["features"] == 2


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("hiden = 3", "c.toml", "unknown key 'hiden'; did you mean 'hidden'?"),
        ("learning_rat = 3", "c.toml", "unknown key 'learning_rat'; did you mean 'learning-rate'"),
        ("zzz = 3", "c.toml", "unknown key 'zzz'; known are batch-size, categorical, class-weight"),
        ("[network]\nhidden = 3", "c.toml", "unknown key 'network'"),
        ("hidden = 'wide'", "c.toml", "c.toml: hidden = 'wide': "),
        ("hidden = true", "c.toml", "hidden = true: expected"),
        ("threads = 0", "c.toml", "c.toml: threads = 0: "),
        ("hidden = ", "c.toml", "not valid TOML"),
        ("{", "c.json", "not valid JSON"),
        ("[1]", "c.json", "expected names and values"),
        ("hidden: 3", "c.yaml", "must end in .toml or .json"),
        ("[" * 100_000, "c.json", "not valid JSON: it is nested too deeply"),
        ('{"hidden": ' + "9" * 5000 + "}", "c.json", "a number of thousands of digits"),
        ("hidden = " + "[" * 100_000, "c.toml", "not valid TOML: it is nested too deeply"),
        ("hidden = " + "9" * 5000, "c.toml", "a number of thousands of digits"),
        ("hidden" + ".a" * 100_000 + " = 1", "c.toml", "a line has more than 1000 dots"),
        ("hidden" + ".a" * 900 + " = 1", "c.toml", "hidden: expected a number, a text or a list"),
        ("hidden = 2026-01-01", "c.toml", "hidden: expected a number, a text or a list"),
        ("resume = 'x'", "c.toml", "unknown key 'resume'"),
    ],
)
def test_files_that_do_not_fit(grape, config, text, name, message):
    assert message in grape.error("train", "cora", "--config", config(text, name))


def test_a_file_that_is_not_there(grape, tmp_path):
    message = grape.error("train", "cora", "--config", tmp_path / "none.toml")
    assert message == f"error: cannot read {tmp_path / 'none.toml'}: No such file or directory"
