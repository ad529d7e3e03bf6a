// Every figure can be saved as an SVG file that looks the same without this page: light, and with
// the style of every part written into it.

const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin",
  "opacity", "visibility", "font-family", "font-size", "font-weight", "text-anchor", "paint-order"];

function standalone(figure) {
  const root = document.documentElement, theme = root.dataset.theme;
  root.dataset.theme = "light";  // for paper
  const copy = figure.cloneNode(true), box = figure.viewBox.baseVal;
  const parts = [figure, ...figure.querySelectorAll("*")], copies = [copy, ...copy.querySelectorAll("*")];
  parts.forEach(function (each, k) {
    const style = getComputedStyle(each), to = copies[k];
    for (const name of KEPT) to.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "style", "data-node", "data-places", "tabindex"]) to.removeAttribute(name);
  });
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [["x", box.x], ["y", box.y], ["width", box.width], ["height", box.height], ["fill", "#ffffff"]]) paper.setAttribute(name, value);
  copy.prepend(paper);
  for (const [name, value] of [["xmlns", "http://www.w3.org/2000/svg"], ["width", box.width], ["height", box.height]]) copy.setAttribute(name, value);
  if (theme === undefined) delete root.dataset.theme; else root.dataset.theme = theme;
  return new XMLSerializer().serializeToString(copy);
}

function saveFigure(figure, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([standalone(figure)], { type: "image/svg+xml" }));
  link.download = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60) + ".svg";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

for (const figure of document.querySelectorAll("svg.chart:not(.narrow), svg.ego, .tree > svg, .shape > svg")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "save";
  button.textContent = "Save as SVG";
  const heading = figure.closest("article").querySelector("h3");
  const name = () => (figure.id === "ego-view"
    ? document.getElementById("ego-title").textContent + " " + data.templates[state.template].name
    : heading.textContent) || "figure";
  button.addEventListener("click", () => saveFigure(figure, name()));
  (figure.closest(".scroll")?.nextElementSibling || figure.closest(".shape") || figure).after(button);
}
