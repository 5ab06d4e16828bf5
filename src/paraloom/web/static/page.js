// What every page needs of behaviour: dialogs that open, menus that close, and a word in the status line when a request fails.
(function () {
  "use strict";

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (opener) {
      const dialog = document.getElementById(opener.dataset.opens);
      if (dialog && !dialog.open) dialog.showModal();
      return;
    }
    const closer = event.target.closest("[data-closes]");
    if (closer) closer.closest("dialog").close();
    if (event.target instanceof HTMLDialogElement) {
      const box = event.target.getBoundingClientRect(); // a click on the backdrop hits the dialog, outside its box
      const inside =
        event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
      if (!inside && event.detail > 0) event.target.close();
    }
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // Other scripts may call this: paraloom.status("saved", "Saved") shows a pill in the top bar and says it aloud.
  function status(state, words) {
    const place = document.getElementById("status");
    if (!place) return;
    const pill = document.createElement("span");
    pill.className = "pill " + state;
    pill.textContent = words;
    place.replaceChildren(...(words ? [pill] : []));
  }
  window.paraloom = Object.assign(window.paraloom || {}, { status });

  document.addEventListener("htmx:sendError", () => status("error", "No connection"));
  document.addEventListener("htmx:timeout", () => status("error", "No answer in time"));
  document.addEventListener("htmx:responseError", (event) => {
    const code = event.detail.xhr.status;
    const known = { 401: "Please sign in again", 403: "Not allowed", 413: "Too large to send", 429: "Too fast: please wait" };
    status("error", known[code] || "That did not work (" + code + ")");
  });
})();
