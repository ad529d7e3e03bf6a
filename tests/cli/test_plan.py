"""``grape plan``."""

from __future__ import annotations

from grape_gnn import explain_plan, read_graph


def test_the_plan_is_the_librarys(grape, friends):
    expected = explain_plan(read_graph(friends), "social")
    assert grape.output("plan", friends, "--templates", "social").strip() == expected.strip()


def test_options_reach_the_library(grape, friends):
    expected = explain_plan(read_graph(friends), "3-path", weighting="set", induced=True)
    words = grape.output("plan", friends, "-t", "3-path", "--weighting", "set", "--induced")
    assert words.strip() == expected.strip()
    assert expected != explain_plan(read_graph(friends), "3-path")


def test_unknown_templates(grape, friends):
    assert "'blob'" in grape.error("plan", friends, "-t", "blob")
