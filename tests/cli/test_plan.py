"""``grape plan``."""

from __future__ import annotations

import json

from grape_gnn import explain_plan, read_graph


def test_templates_ways_and_a_command(grape, friends):
    words = grape.output("plan", friends, "--templates", "social")
    assert "4-clique" in words
    assert "full batch" in words
    assert f"grape train {friends} --templates social" in words.replace("\n", "")


def test_a_machine_that_is_too_small(grape, friends):
    words = " ".join(grape.output("plan", friends, "-t", "edge", "--memory", "1KB").split())
    assert "Nothing fits" in words
    assert "next:" not in words


def test_figures_for_scripts(grape, friends):
    found = json.loads(grape.output("plan", friends, "-t", "triangle", "--json"))
    assert found["matching"][0]["template"] == "triangle"
    assert found["training"][0]["fits"]
    assert found["command"].startswith("grape train")


def test_the_explanation_is_the_librarys(grape, friends):
    expected = explain_plan(read_graph(friends), "3-path", weighting="set", induced=True)
    words = grape.output(
        "plan", friends, "-t", "3-path", "--weighting", "set", "--induced", "--explain"
    )
    assert words.strip() == expected.strip()
    assert expected != explain_plan(read_graph(friends), "3-path")


def test_unknown_templates(grape, friends):
    assert "'blob'" in grape.error("plan", friends, "-t", "blob")
