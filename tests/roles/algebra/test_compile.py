"""Known templates compile to the expressions one derives by hand."""

from __future__ import annotations

import pytest

from grape_gnn.roles.algebra.compile import compile_role
from grape_gnn.roles.algebra.expression import Core, transpose
from grape_gnn.roles.algebra.notation import Notation
from grape_gnn.roles.algebra.share import gather
from grape_gnn.template import Template
from grape_gnn.template.zoo import all_templates

BY_HAND = [
    ("0-1", 1, "A"),
    ("0-1 1-2", 1, "A·D − A"),
    ("0-1 1-2", 2, "A·A − D"),
    ("0-1 0-2", 1, "D·A − A"),
    ("0-1 0-2 1-2", 1, "T"),
    ("0-1 1-2 2-3", 3, "A·A·A − A·D − D·A + A − diag(t)"),
    ("0-1 0-2 1-2 0-3", 1, "D·T − 2 T"),
    ("0-1 0-2 1-2 0-3", 2, "(diag(t)·A − 2 T) / 2"),
    ("0-1 1-2 2-3 0-3", 1, "A∘(A·A·A) − A·D − D·A + A"),
    ("0-1 1-2 2-3 0-3", 2, "((A·A)∘(A·A) − A·A − diag(d∘d) + D) / 2"),
    ("0-1 0-2 0-3 1-2 1-3 2-3", 1, "(K4) / 2"),
    ("0>1 1>2 2>0", 1, "A∘(Aᵀ·Aᵀ)"),
    ("0<>1 1>2", 2, "B·A − diag(B·1)"),
]


@pytest.mark.parametrize(("template", "role", "expression"), BY_HAND)
def test_expressions_derived_by_hand(template, role, expression):
    assert Notation().operator(compile_role(Template(template), role)) == expression


def test_terms_that_differ_in_one_diagonal_are_one_product():
    plan = gather(compile_role(Template("0-1 1-2 2-3"), 2))  # A·A·D − A·A − ...
    assert [len(product.factors) for product in plan.products] == [2, 1]


def test_a_symmetric_operator_is_its_own_transpose():
    plan = gather(compile_role(Template("0-1 0-2 1-2"), 1))
    assert plan.transposed() == plan


def test_transposing_twice_gives_the_same_expression():
    for template in all_templates(5, directed=False):
        for role in range(1, template.num_roles):
            plan = gather(compile_role(template, role))
            assert plan.transposed().transposed() == plan
            for _, matrix in compile_role(template, role).terms:
                if not isinstance(matrix, Core):
                    assert transpose(transpose(matrix)) == matrix
