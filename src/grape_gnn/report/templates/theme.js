// Light, dark, or as the system is; the choice is kept if the browser lets files keep anything.
(function () {
  const order = ["system", "light", "dark"];
  let theme = "system";
  try { theme = localStorage.getItem("grape-theme") || "system"; } catch (error) { /* not kept */ }
  function apply() {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }
  apply();
  document.addEventListener("DOMContentLoaded", function () {
    const button = document.getElementById("theme"), word = button.querySelector("span");
    button.hidden = false;
    word.textContent = theme;
    button.addEventListener("click", function () {
      theme = order[(order.indexOf(theme) + 1) % order.length];
      try { localStorage.setItem("grape-theme", theme); } catch (error) { /* not kept */ }
      apply();
      word.textContent = theme;
    });
  });
})();
