"""Templates as answers to questions: all of them, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.search.encoding import choose_gene, choose_template
from grape_gnn.template.family import all_templates


@pytest.mark.parametrize(("directed", "size"), [(False, 4), (True, 3)])
def test_every_template_can_be_chosen(directed, size):
    rng = np.random.default_rng(0)

    def draw(question, answers):
        return int(rng.integers(answers))

    found = {choose_template(draw, size, directed).canonical for _ in range(4000)}
    wanted = {t.canonical for k in range(2, size + 1) for t in all_templates(k, directed)}
    assert found == wanted


def test_questions_have_names_of_their_own_and_depend_on_answers():
    asked = []

    def answer(question, answers):
        asked.append((question, answers))
        return 1 if question == "template 1: nodes" else 0

    gene = choose_gene(answer, 2, 4, directed=False)
    assert gene.texts == ["0-1", "0-1 0-2"]
    assert asked == [
        ("template 0: nodes", 3),
        ("template 1: nodes", 3),
        ("template 1: attach 2", 2),
        ("template 1: join 1 2", 2),
    ]
