"""How a file was understood is explained once; a guess that could be wrong, by every command."""

from __future__ import annotations

import pytest

# Typical names; or the first two columns hold what no other column does.
CLEAR = ["id,from,to,minutes\n1,a,b,3\n2,b,a,4\n3,b,c,5\n", "a,b,0.5\nb,c,1.5\n"]
# Any two columns might be the ends.
GUESS = "a b c\nb c d\n"


def commands(file):
    yield "roles", file, "-t", "edge", "-n", "b"
    yield "match", file, "-t", "edge"
    yield "plan", file, "-t", "edge"
    yield "profile", file


@pytest.mark.parametrize("text", CLEAR)
def test_what_is_clear_is_explained_by_info_alone(grape, tmp_path, text):
    file = tmp_path / "calls.csv"
    file.write_text(text)
    assert "ignored" in grape.run("info", file).stderr
    for words in commands(file):
        assert grape.run(*words).stderr == ""


def test_commands_that_keep_something_explain_too(grape, tmp_path):
    file = tmp_path / "calls.csv"
    file.write_text(CLEAR[0])
    for words in (("convert", file, tmp_path / "g.grape"), ("precompute", file, "-t", "edge")):
        more = () if words[0] == "convert" else ("--features", "constant", "-o", tmp_path / "p")
        assert "took 'from' and 'to'" in grape.run(*words, *more).stderr


def test_a_guess_is_said_by_every_command_until_the_columns_are_named(grape, tmp_path):
    file = tmp_path / "calls.csv"
    file.write_text(GUESS)
    for words in (("info", file), *commands(file)):
        said = grape.run(*words).stderr
        assert said.count("name them by --source and --target") == 1
        assert grape.run(*words, "--source", "1").stderr == ""
