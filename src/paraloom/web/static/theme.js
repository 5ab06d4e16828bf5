// Light, dark or as the system has it. Runs before the page is drawn, so that the choice does not flash.
(function () {
  "use strict";
  const KEY = "paraloom-theme";
  const root = document.documentElement;

  function stored() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage may be forbidden; the choice then lasts as long as the page
    }
  }

  function apply(theme) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === (root.dataset.theme || "auto")));
    }
  }

  apply(stored());
  document.addEventListener("DOMContentLoaded", () => apply(stored()));
  window.addEventListener("storage", (event) => event.key === KEY && apply(event.newValue));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-choice]");
    if (!button) return;
    const theme = button.dataset.themeChoice;
    try {
      if (theme === "auto") localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, theme);
    } catch {
      // as above
    }
    apply(theme);
  });
})();
