"""Make the pictures of the documentation with the library's own drawing code.

Run ``python docs/make_images.py`` after a change of the drawings. The pictures follow the colour
scheme of the reader's system.
"""

from __future__ import annotations

import re
from pathlib import Path

import networkx as nx
import numpy as np

from grape_gnn import Graph, RoleClusters, Template, significance, templates
from grape_gnn.drawing.figure import draw_ego
from grape_gnn.links import GrapeLinkPredictor, suggestion_svg
from grape_gnn.template.draw import sheet

IMAGES = Path(__file__).parent / "images"
STYLE = """<style>
svg { color: #1f2328; --edge: #d3d6da; --used: #59636e; --other: #b4bac1; --card: #ffffff; }
@media (prefers-color-scheme: dark) {
  svg { color: #e6edf3; --edge: #3d444d; --used: #a3acb6; --other: #656e78; --card: #0d1117; }
}
.edge { stroke: var(--edge); fill: none; } .other { fill: var(--other); }
.used { stroke: var(--used); stroke-width: 1.3; fill: none; }
.dot { stroke: var(--card); stroke-width: 1.2; }
.name { font: 600 12px system-ui, sans-serif; text-anchor: middle; fill: currentColor;
  paint-order: stroke; stroke: var(--card); stroke-width: 3.5px; stroke-linejoin: round; }
</style>"""


def styled(picture: str) -> str:
    """Put the style sheet into a drawing, for use as a file of its own."""
    head, body = picture.split(">", 1)
    return f"{head}>{STYLE}{body}\n"


def ego_picture() -> str:
    """Draw the roles of the 3-path around Fantine in Les Misérables."""
    novel = nx.les_miserables_graph()
    graph = Graph.from_networkx(novel)
    places = nx.kamada_kawai_layout(novel, weight=None)
    positions = np.array([places[graph.name_of(v)] for v in range(graph.num_nodes)])
    return draw_ego(graph, Template("0-1 1-2"), "Fantine", positions, size=(760.0, 430.0))


def link_picture() -> str:
    """Draw why a link of Les Misérables is suggested."""
    novel = Graph.from_networkx(nx.les_miserables_graph())
    return suggestion_svg(GrapeLinkPredictor(seed=0).fit(novel).suggest(1)[0])


def clusters_picture() -> str:
    """Draw the clusters of the barbell graph, which are its orbits."""
    return RoleClusters().fit(nx.barbell_graph(10, 10)).svg()


def chance_picture() -> str:
    """Draw Les Misérables among rewired graphs with the same degrees."""
    novel = Graph.from_networkx(nx.les_miserables_graph())
    return significance(novel, "triangle,4-cycle,4-clique,tailed-triangle,4-path", seed=0).svg()


def induced_picture() -> str:
    """Draw a template, a match of it, and a match with an edge the template does not ask for."""
    # Names make every node a role of its own, so the triangle wears the colours of the path.
    path = Template("0-1 1-2", name="the template: a 3-path")
    exact = Template("0-1 1-2 0:ann 1:bob 2:cat", name="a match, induced or not")
    closed = Template("0-1 0-2 1-2 0:ann 1:bob 2:cat", name="a match only if non-induced")
    return sheet([path, exact, closed], columns=3)


def message_passing_picture() -> str:
    """Draw two graphs that message passing cannot tell apart, and the tree it sees in both."""
    ring = [(k, (k + 1) % 6) for k in range(6)]
    triangles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    turns = np.pi * (np.arange(6) / 3 - 0.5)
    circle = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    apart = np.array([[0.5, 0], [0, 1], [1, 1], [2.5, 0], [2, 1], [3, 1]], float)
    panels = []
    for edges, places, size in ((ring, circle, 190.0), (triangles, apart, 250.0)):
        graph = Graph.from_edges(*zip(*edges, strict=True))
        drawn = draw_ego(graph, Template("0-1 0-2 1-2"), 0, places, size=(size, 170.0))
        # The names are numbers, which say nothing here.
        panels.append(re.sub("<text.*?</text>", "", drawn.split(">", 1)[1].removesuffix("</svg>")))
    texts = ("around the ego: no triangle", "around the ego: a triangle", "both egos see this tree")
    starts, middles = (0, 215, 505), (95, 340, 620)
    parts = [
        f"<g transform='translate({x} 0)'>{panel}</g>"
        for x, panel in zip(starts[:2], panels, strict=True)
    ]
    parts += [
        f"<text class='name' x='{x}' y='196'>{text}</text>"
        for x, text in zip(middles, texts, strict=True)
    ]
    return (
        "<svg viewBox='0 0 740 205' xmlns='http://www.w3.org/2000/svg' role='img'>"
        f"{''.join(parts)}<g transform='translate(505 0)'>{_tree()}</g></svg>"
    )


def _tree() -> str:
    """Draw a node with two children that have two each."""
    rows = {0: [115], 1: [57, 173], 2: [28, 86, 144, 202]}
    at = [(x, 34 + 55 * row) for row, xs in rows.items() for x in xs]
    lines = "".join(
        f"M{at[a][0]} {at[a][1]}L{at[b][0]} {at[b][1]}"
        for a, b in ((0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6))
    )
    dots = "".join(
        f"<circle class='other' cx='{x}' cy='{y}' r='{9 if k == 0 else 6}'/>"
        for k, (x, y) in enumerate(at)
    )
    ring = f"<circle cx='{at[0][0]}' cy='{at[0][1]}' r='12.5' fill='none' stroke='currentColor'/>"
    return f"<path class='used' d='{lines}'/>{dots}{ring}"


def main() -> None:
    """Write all pictures."""
    for name, picture in {
        "social.svg": sheet(templates("social"), columns=5),
        "zoo.svg": sheet(templates("citation,ecommerce,house,butterfly,diamond-tip"), columns=5),
        "ego.svg": ego_picture(),
        "induced.svg": induced_picture(),
        "message-passing.svg": message_passing_picture(),
    }.items():
        (IMAGES / name).write_text(styled(picture), encoding="utf-8")
    (IMAGES / "link.svg").write_text(link_picture(), encoding="utf-8")
    (IMAGES / "clusters.svg").write_text(clusters_picture(), encoding="utf-8")
    (IMAGES / "chance.svg").write_text(chance_picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
