"""From the name of an engine to a function that finds the roles of a template."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from grape_gnn.errors import MatchError
from grape_gnn.graph import Graph
from grape_gnn.roles.algebra import CostModel, Evaluator, algebra_roles, choose_engine
from grape_gnn.roles.engine import EngineOutput, MatchSettings
from grape_gnn.roles.enumerate import enumerate_roles
from grape_gnn.roles.esu import esu_roles
from grape_gnn.roles.incremental import InstanceStore
from grape_gnn.roles.native_call import compiled
from grape_gnn.roles.operator import IdentityRole, MatrixRole
from grape_gnn.roles.result import TemplateRoles
from grape_gnn.template import Template

__all__ = ["ENGINES", "RoleFinder", "role_finder", "stored_roles"]

ENGINES = ("auto", "algebra", "enumerate", "incremental", "esu")

RoleFinder = Callable[[Template, MatchSettings], TemplateRoles]


def role_finder(
    graph: Graph, engine: str, settings: MatchSettings, store: InstanceStore | None
) -> RoleFinder:
    """Pick the engine for one call of `match`, or say why the options do not go together."""
    if engine not in ENGINES:
        raise MatchError(f"unknown engine {engine!r}: choose one of {', '.join(ENGINES)}")
    if store is not None and store.graph is not graph:
        raise MatchError("the given store belongs to another graph: make one for this graph")
    wants_instances = store is not None or settings.sample is not None
    if engine == "incremental" or (engine == "auto" and wants_instances):
        return _incremental(graph, settings, store)
    if wants_instances:
        option = "sample" if store is None else "store"
        raise MatchError(f"engine {engine!r} takes no {option}: use engine='incremental'")
    if engine == "esu":
        return lambda template, left: stored_roles(
            graph, template, esu_roles(graph, template, left)
        )
    # Only enumeration goes ego by ego and instance by instance.
    if engine == "enumerate" or (engine == "auto" and (settings.partial or settings.instances)):
        return lambda template, left: stored_roles(
            graph, template, enumerate_roles(graph, template, left)
        )
    return _algebra(graph, settings) if engine == "algebra" else _cheapest(graph, settings)


def _incremental(graph: Graph, settings: MatchSettings, store: InstanceStore | None) -> RoleFinder:
    if store is None:
        memory = "1GB" if settings.bytes is None else settings.bytes
        store = InstanceStore(graph, memory, settings.sample, settings.seed)
    elif settings.sample not in (None, store.sample):
        raise MatchError(
            f"sample={settings.sample} was asked for, but the instance store has "
            f"sample={store.sample}: give sample to InstanceStore"
        )
    found = store.roles
    return lambda template, left: stored_roles(graph, template, found(template, left))


def _algebra(graph: Graph, settings: MatchSettings) -> RoleFinder:
    if settings.partial:
        raise MatchError(
            "engine 'algebra' does not go ego by ego, so it has no partial results: use "
            "engine='enumerate', or on_budget='raise'"
        )
    return partial(algebra_roles, Evaluator(graph, settings))


def _cheapest(graph: Graph, settings: MatchSettings) -> RoleFinder:
    """Algebra or enumeration, whichever is expected to cost less for all roles of a template."""
    known = Evaluator(graph, settings)
    model = CostModel(graph, induced=settings.induced)

    def find(template: Template, left: MatchSettings) -> TemplateRoles:
        compiled(graph, template)  # complains in terms of the user's template
        start = clock.monotonic()
        with model.within(left):
            engine = choose_engine(model, template, left)
        if left.seconds is not None:  # planning is a part of the call
            left = replace(left, seconds=max(0.0, left.seconds - (clock.monotonic() - start)))
        if engine == "enumerate":
            if left.bytes is not None:  # what the algebra keeps for other templates is there too
                left = replace(left, bytes=max(0, left.bytes - known.stored_bytes))
            return stored_roles(graph, template, enumerate_roles(graph, template, left))
        model.keep(template)
        return algebra_roles(known, template, left)

    return find


def stored_roles(graph: Graph, template: Template, output: EngineOutput) -> TemplateRoles:
    """Make operators of the matrices that an engine found."""
    operators = [
        IdentityRole(graph, template, 0),
        *(MatrixRole(graph, template, j, m) for j, m in enumerate(output.matrices, start=1)),
    ]
    return TemplateRoles(template, operators, output.totals, output.complete, output.sampled)
