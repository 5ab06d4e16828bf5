// The page where one conflict is decided: the task's own form, or one of the judgments taken over.
import { post } from "./outbox.js";

const page = document.getElementById("decide");
const place = document.getElementById("item");
const form = place.querySelector("form#answer");
const { campaign, item, after, seen, previous, next } = page.dataset;
const reason = document.getElementById("reason");
const submitButton = form.querySelector('button[type="submit"]');
const task = await import(page.dataset.script);
let busy = false;

const running = task.begin(form, {
  submit,
  changed,
  say: (text) => window.paraloom.status("", text),
  post: () => Promise.reject(new Error("Nothing is checked while one decides.")),
  draft: () => null,
});

function changed() {
  if (!submitButton) return;
  try {
    running.answer();
    submitButton.removeAttribute("aria-disabled");
  } catch {
    submitButton.setAttribute("aria-disabled", "true");
  }
}

function submit() {
  let answer;
  try {
    answer = running.answer();
  } catch (missing) {
    window.paraloom.status("", missing.message);
    return;
  }
  send({ answer });
}

async function send(what) {
  if (busy) return;
  busy = true;
  page.classList.add("sending");
  window.paraloom.status("saving", "Saving …");
  try {
    const told = await post(`/decide/${campaign}/decisions`, {
      item_id: item,
      seen: seen ? seen.split(" ") : [],
      after: after ? Number(after) : null,
      reason: reason.value,
      ...what,
    });
    window.paraloom.status("saved", "Decided");
    location.assign(told.next);
  } catch (error) {
    window.paraloom.status("error", error.message);
    busy = false;
    page.classList.remove("sending");
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});

page.addEventListener("click", (event) => {
  const button = event.target.closest("[data-accepts]");
  if (button) send({ accepted: button.dataset.accepts });
});

const TYPING = "input:not([type=radio]):not([type=checkbox]):not([type=button]):not([type=submit]), textarea, select, [contenteditable]";

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
  const typing = event.target instanceof Element && event.target.closest(TYPING);
  if (typing) {
    if (event.key === "Escape") event.target.blur();
    if (!form.contains(event.target) || !((event.ctrlKey || event.metaKey) && event.key === "Enter")) return;
  }
  if ((event.ctrlKey || event.metaKey || event.altKey) && event.key !== "Enter") return;
  if (busy || event.repeat) return;
  if (running.key?.(event)) {
    event.preventDefault(); // the task's own keys come first
    return;
  }
  const accept = page.querySelector(`[data-letter="${CSS.escape(event.key.toLowerCase())}"]`);
  if (accept) accept.click();
  else if (event.key === "j" && next) location.assign(next);
  else if (event.key === "k" && previous) location.assign(previous);
  else if (event.key === "Enter" && !event.target.closest?.("button, a, summary") && submitButton) submit();
  else return;
  event.preventDefault();
});

// The queue moves on: a page from the browser's memory would show a conflict that is decided already.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

if (submitButton?.firstChild instanceof Text) submitButton.firstChild.data = "Decide ";
changed();
