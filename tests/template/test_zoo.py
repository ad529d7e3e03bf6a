"""The named templates: the paper's, by number and by name, and the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from grape_gnn.errors import TemplateError, UnknownTemplateError
from grape_gnn.template import Template, save_templates, zoo
from grape_gnn.template.zoo import ZOO, template, templates

PAPER = {
    "S1": ("edge", "0-1", ((0,), (1,))),
    "S2": ("3-path", "0-1 1-2", ((0,), (1,), (2,))),
    "S3": ("triangle", "0-1 0-2 1-2", ((0,), (1, 2))),
    "S4": ("4-path", "0-1 1-2 2-3", ((0,), (1,), (2,), (3,))),
    "S5": ("4-clique", "0-1 0-2 0-3 1-2 1-3 2-3", ((0,), (1, 2, 3))),
    "S6": ("tailed-triangle", "0-1 0-2 1-2 0-3", ((0,), (1, 2), (3,))),
    "S7": ("to", "1>0", ((0,), (1,))),
    "S8": ("from", "0>1", ((0,), (1,))),
    "S9": ("bi-direct", "0<>1", ((0,), (1,))),
    "S10": ("from-to", "1>0 0>2", ((0,), (1,), (2,))),
    "S11": ("directed-triangle", "0<>1 0<>2 1<>2", ((0,), (1, 2))),
}


@pytest.mark.parametrize("number", PAPER)
def test_templates_of_the_paper(number: str) -> None:
    name, text, roles = PAPER[number]
    found = template(number)
    assert found == Template(text) == template(name)
    assert found.name == name
    assert found.roles == roles
    assert [entry.number for entry in ZOO if entry.name == name] == [number]


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("citation", "S1 S2 S3 S4 S6"),
        ("social", "S1 S2 S3 S5 S6"),
        ("ecommerce", "S7 S8 S9 S10 S11"),
        ("e-commerce", "S7 S8 S9 S10 S11"),
        ("Social", "S1 S2 S3 S5 S6"),
    ],
)
def test_sets(name: str, numbers: str) -> None:
    assert templates(name) == [template(number) for number in numbers.split()]


def test_every_entry_is_another_template_with_a_description() -> None:
    assert len({entry.template.canonical for entry in ZOO}) == len(ZOO) == 61
    names = [name for entry in ZOO for name in (entry.name, *entry.aliases)]
    assert len({name.lower() for name in names}) == len(names)
    for entry in ZOO:
        assert len(entry.description) > 10
        assert entry.template.name == entry.name
        assert all(zoo.is_name(name) for name in (entry.name, *entry.aliases))
        assert template(entry.name) == entry.template
        assert zoo.entry_of(entry.template) == entry


@pytest.mark.parametrize(
    ("name", "num_edges", "num_automorphisms", "num_roles"),
    [
        ("diamond", 5, 2, 3),
        ("diamond-tip", 5, 2, 3),
        ("house", 6, 2, 3),
        ("house-eave", 6, 1, 5),
        ("house-base", 6, 1, 5),
        ("bull", 5, 2, 3),
        ("butterfly", 6, 8, 2),
        ("bow-tie-wing", 6, 2, 4),
        ("5-clique", 10, 24, 2),
        ("4-cycle", 4, 2, 3),
        ("claw", 3, 6, 2),
        ("5-wheel", 8, 8, 2),
        ("ffl", 3, 1, 3),
        ("feedback-loop", 3, 1, 3),
    ],
)
def test_well_known_shapes(
    name: str, num_edges: int, num_automorphisms: int, num_roles: int
) -> None:
    found = template(name)
    assert len(found.edges) == num_edges
    assert found.num_automorphisms == num_automorphisms
    assert found.num_roles == num_roles


@pytest.mark.parametrize("size", range(2, 9))
def test_families_of_every_size(size: int) -> None:
    assert len(template(f"{size}-path").edges) == size - 1
    assert template(f"{size}-path").num_roles == size
    assert len(template(f"{size}-clique").edges) == size * (size - 1) // 2
    star = template(f"{size}-star")
    assert star.num_nodes == size
    assert {0} == set.intersection(*(set(edge) for edge in star.edges)) - {1}
    if size > 2:
        assert len(template(f"{size}-cycle").edges) == size
        assert template(f"{size}-cycle").adjacency().sum(axis=1).tolist() == [2] * size
    if size > 3:
        leaf = template(f"{size}-star-leaf")
        assert leaf.roles == ((0,), (1,), tuple(range(2, size)))
    assert zoo.entry_of(zoo.template(f"{size}-path")).description


def test_names_are_forgiving() -> None:
    assert template(" Tailed Triangle ") == template("tailed_triangle") == template("s6")
    assert template("0-1 1-2") == Template("0-1 1-2")
    assert template(template("edge")) is not None


def test_lists_of_templates(tmp_path: Path) -> None:
    assert [t.name for t in templates("S1,S3")] == ["edge", "triangle"]
    assert templates(["triangle", "0-1 1-2"]) == [template("S3"), template("S2")]
    assert templates(["social", template("house")]) == [*templates("social"), template("house")]
    assert templates("0-1,1-2") == [template("S2")]
    assert templates("triangle") == templates(template("triangle")) == [template("S3")]
    assert templates("3-star, 4-star") == [template("3-star"), template("claw")]
    assert templates("S1,") == [template("S1")]
    save_templates(templates("citation"), tmp_path / "mine.json")
    assert templates(str(tmp_path / "mine.json")) == templates("citation")
    assert templates(tmp_path / "mine.json") == templates("citation")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("trangle", r"called 'trangle': did you mean 'triangle' or .*\? `grape templates`"),
        ("socail", r"did you mean 'social'"),
        ("S12", r"did you mean 'S2' or 'S1' or 'S11'\?"),
        ("qqqq", r"called 'qqqq': `grape templates` .* lists all names; text such as"),
        ("9-path", r"paths, stars, cliques and cycles have 2 to 8 nodes"),
        ("2-cycle", r"\(a cycle 3\)"),
        ("", r"called ''"),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    for look_up in (template, templates):
        with pytest.raises(UnknownTemplateError, match=message):
            look_up(name)


@pytest.mark.parametrize("several", ["social", "Triangle,edge", "all-4"])
def test_several_where_one_is_wanted(several: str) -> None:
    count = len(templates(several))
    with pytest.raises(UnknownTemplateError, match=f"is {count} templates, and one is wanted here"):
        template(several)


def test_unknown_name_in_a_list() -> None:
    with pytest.raises(UnknownTemplateError, match="called 'trangle'"):
        templates("S1, trangle")


def test_bad_requests() -> None:
    with pytest.raises(TemplateError, match="cannot find a template by 3: give a name"):
        template(3)
    with pytest.raises(
        TemplateError, match="cannot find templates by 3: give a set such as 'social'"
    ):
        templates(3)
    with pytest.raises(TemplateError, match=r"cannot read templates from gone\.json"):
        templates("gone.json")


def test_the_folder_of_a_search_stands_for_its_templates(tmp_path: Path, monkeypatch) -> None:
    save_templates(templates("citation"), tmp_path / "templates.json")
    assert templates(str(tmp_path)) == templates("citation")
    # A name or a set wins over a folder that happens to be called like it.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "social").mkdir()
    assert len(templates("social")) == 5
    (tmp_path / "empty").mkdir()
    with pytest.raises(TemplateError, match=r"templates\.json"):
        templates("empty")


def test_a_search_folder_gives_every_template_once(tmp_path):
    path, again, edge = Template("0-1 1-2"), Template("0-2 2-1", name="again"), Template("0-1")
    save_templates([path, edge, again, edge], tmp_path / "templates.json")
    assert templates(str(tmp_path)) == [path, edge]
