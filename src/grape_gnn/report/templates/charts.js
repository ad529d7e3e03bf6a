// Read a chart by pointing at it: a line at the nearest place, and the values there.

const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.body.appendChild(tip);

function showTip(text, event) {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const x = event.clientX + 14 + box.width > innerWidth ? event.clientX - 14 - box.width : event.clientX + 14;
  const y = event.clientY + 14 + box.height > innerHeight ? event.clientY - 14 - box.height : event.clientY + 14;
  tip.style.left = Math.max(4, x) + "px";
  tip.style.top = Math.max(4, y) + "px";
}

function hideTip() { tip.hidden = true; }

// Every element with a hint shows it; charts show the hint of the nearest place.
document.addEventListener("pointermove", function (event) {
  const hinted = event.target.closest("[data-hint]");
  if (hinted) showTip(hinted.dataset.hint, event);
  else if (!event.target.closest("svg.chart, svg.ego")) hideTip();
});
document.addEventListener("pointerleave", hideTip);

for (const chart of document.querySelectorAll("svg.chart[data-places]")) {
  const places = JSON.parse(chart.dataset.places), cursor = chart.querySelector(".cursor");
  chart.addEventListener("pointermove", function (event) {
    const width = chart.viewBox.baseVal.width, box = chart.getBoundingClientRect();
    const x = (event.clientX - box.left) * width / box.width;
    let best = 0;
    places.forEach(function (place, k) {
      if (Math.abs(place[0] - x) < Math.abs(places[best][0] - x)) best = k;
    });
    cursor.setAttribute("x1", places[best][0]);
    cursor.setAttribute("x2", places[best][0]);
    cursor.style.visibility = "visible";
    showTip(places[best][1], event);
  });
  chart.addEventListener("pointerleave", function () {
    cursor.style.visibility = "hidden";
    hideTip();
  });
}

// What does not fit says so: the bars of some systems hide until one scrolls.
const wideBoxes = [...document.querySelectorAll(".scroll")].map(function (box) {
  const words = document.createElement("p");
  words.className = "more";
  box.after(words);
  return [box, words];
});

function markWide() {
  for (const [box, words] of wideBoxes) {
    const wide = box.scrollWidth > box.clientWidth + 2, tall = box.scrollHeight > box.clientHeight + 2;
    words.hidden = !wide && !tall;
    words.textContent = wide && tall ? "more to the right and below: scroll"
      : wide ? (box.scrollLeft > 2 ? "more on both sides: scroll sideways" : "more to the right: scroll sideways") : "more below: scroll down";
  }
}
// The ego is in the middle of a drawing that does not fit.
for (const drawing of document.querySelectorAll(".scroll > svg.ego")) {
  drawing.parentElement.scrollLeft = (drawing.parentElement.scrollWidth - drawing.parentElement.clientWidth) / 2;
}
markWide();
addEventListener("resize", markWide);
