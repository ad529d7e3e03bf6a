"""What reaches a terminal: no control characters out of files, and commands that can be typed."""

from __future__ import annotations

import json
import re
import shlex

import pytest
from rich.text import Text

from grape_gnn.cli.output import print_wide, shell_words, visible
from grape_gnn.cli.safe_console import SafeConsole

RETITLE = "\x1b]0;gotcha\x07"
CLEAR = "\x9b2J"
TURNED = "\u202egnp.exe"


@pytest.fixture
def evil(tmp_path):
    """Write a graph whose names and labels are orders to a terminal."""
    names = [f"ann{RETITLE}", f"bob{CLEAR}", f"cat{TURNED}", "dan\x7f"]
    edges = [(0, 1), (0, 2), (1, 2), (2, 3)]
    path = tmp_path / "edges.csv"
    path.write_text("".join(f"{names[u]},{names[v]}\n" for u, v in edges), encoding="utf-8")
    people = tmp_path / "people.csv"
    lines = [f"{name},team{k % 2}{RETITLE}\n" for k, name in enumerate(names)]
    people.write_text("name,team\n" + "".join(lines), encoding="utf-8")
    return path, "--nodes", people, "--label", "team"


def test_names_and_labels_are_written_out(grape, evil):
    for words in (
        ("info", *evil),
        ("roles", *evil, "-t", "triangle", "-n", f"ann{RETITLE}"),
        ("orbits", *evil),
        ("info", *evil, "--json"),
        ("orbits", *evil, "--json"),
        ("match", *evil, "-t", "triangle"),
    ):
        result = grape.run(*words)
        assert result.exit_code == 0, result.output
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", result.output), words
    found = json.loads(grape.output("orbits", *evil, "--json"))
    assert f"ann{RETITLE}" in [name for each in found["classes"] for name in each]


def test_names_in_errors_and_file_names_too(grape, evil, tmp_path):
    assert grape.error("info", tmp_path / f"no{RETITLE}.csv").count("\\x1b]0;gotcha\\x07") == 1
    line = grape.error("roles", *evil, "-t", "triangle", "-n", f"eve{CLEAR}")
    assert "\\x9b2J" in line
    assert "\x9b" not in line


def test_texts_of_our_own_keep_their_colours(capsys):
    SafeConsole(force_terminal=True, color_system="standard", width=40).print(
        Text(f"ann{RETITLE}", style="red")
    )
    assert capsys.readouterr().out == "\x1b[31mann\\x1b]0;gotcha\x1b[0m\n"


def test_accents_and_emoji_stay():
    words = "Zoë Ångström 东京 👩\u200d🚀 می\u200cخواهم\tx\n"
    assert visible(words) == words


def test_printed_commands_can_be_typed(grape, teams, tmp_path):
    run = tmp_path / "my runs" / "it's one"
    printed = grape.output("train", *teams, "--epochs", 2, "--hidden", 4, "-o", run)
    commands = re.findall("grape (?:evaluate|predict) .*", printed)
    assert len(commands) == 2
    for command in commands:
        assert shlex.split(command)[2] == str(run)
    assert shlex.split(shell_words("grape", "train", "--resume", run)) == [
        "grape", "train", "--resume", str(run),
    ]  # fmt: skip
    (run / "metrics.json").unlink()
    for file in ("history.json", "model.safetensors", "predictions.csv"):
        (run / file).unlink()
    told = grape.error("evaluate", run)
    assert shlex.split(told[told.index("grape train") :])[3] == str(run)


def test_wide_tables_come_in_parts(capsys, monkeypatch):
    heads = ["label", *(f"column {k}" for k in range(20))]
    rows = [[f"row {k}", *(f"{100 * k + c}" for c in range(20))] for k in range(3)]
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("grape_gnn.cli.output.console", lambda: SafeConsole(width=80))
    print_wide(heads, rows)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("row 2") for line in lines) > 1
    text = " ".join(lines)
    assert all(f"column {k}" in text for k in range(20))
    assert all(str(200 + c) in text for c in range(20))
    assert "…" not in text
    print_wide(heads[:3], [row[:3] for row in rows])
    assert sum("row 2" in line for line in capsys.readouterr().out.splitlines()) == 1
