// The work page: shows an item, takes its answer, keeps it until it is acknowledged, shows the next.
import { Outbox, Refused, SignedOut, Unreachable, post } from "./outbox.js";

const AHEAD = 2; // items fetched before they are needed, so that there is no wait, and some work for when the line is down
const MOVE_ON = 1500; // milliseconds to wait for the acknowledgement before the next item is shown anyway
const LOOK_AGAIN = 10000; // milliseconds until a page with nothing to do asks again; it asks less and less often
const LOOK_AT_LEAST = 60000;
const MOST_HELD = 20; // ids of items that the service is told of at once
const NOT_YET = 500; // milliseconds in which an Enter was meant for the item, not for the explanation that came up

const work = document.getElementById("work");
const place = document.getElementById("item");
const { campaign, person } = work.dataset;
const outbox = new Outbox(person);
const task = await import(work.dataset.script);

const queue = []; // items at hand, the next one first: { item_id, expires_at, version, html }
const answered = []; // ids of items answered on this page, the latest last
let current = null; // { id, version, running, begun, seconds }
let busy = false;
let fetching = false;
let lookAgain = null;
let idle = 0; // times that there was nothing to do

/* ── showing ── */

function show(html) {
  current?.running?.end?.();
  clearTimeout(lookAgain);
  place.innerHTML = html; // rendered, and escaped, by the service
  const item = place.querySelector(".item");
  const form = place.querySelector("form#answer");
  if (!form) {
    current = null;
    if (item?.dataset.nothing === "waiting" || item?.dataset.nothing === "paused") lookAgain = setTimeout(fetchMore, Math.min(LOOK_AGAIN * 2 ** idle, LOOK_AT_LEAST));
    idle += 1;
    return;
  }
  idle = 0;
  const given = item.dataset.given ? JSON.parse(item.dataset.given) : null;
  current = { id: item.dataset.item, given, version: Number(item.dataset.version), html, seconds: 0, since: visibleNow() };
  current.running = task.begin(form, pageOf(current));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  item.querySelector("[data-hands-back]")?.addEventListener("click", handBack);
  item.querySelector("[data-keeps]")?.addEventListener("click", keepBefore);
  if (!form.contains(document.activeElement)) {
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }
  window.scrollTo({ top: 0 });
}

// What a task's script may ask of the page.
function pageOf(shown) {
  const draftKey = `paraloom:draft:${person}:${campaign}:${shown.id}`;
  return {
    submit,
    changed: () => {
      place.querySelector("[data-says]")?.classList.remove("error");
      const button = place.querySelector('button[type="submit"]');
      if (!button) return;
      try {
        shown.running.answer();
        button.removeAttribute("aria-disabled");
      } catch {
        button.setAttribute("aria-disabled", "true");
      }
    },
    say: (text) => window.paraloom.status("", text),
    post: (path, body) => post(`/judge/${campaign}/items/${shown.id}/${path}`, body),
    draft: (value) => {
      if (value === undefined) return JSON.parse(localStorage.getItem(draftKey) || "null");
      if (value === null) localStorage.removeItem(draftKey);
      else
        try {
          localStorage.setItem(draftKey, JSON.stringify(value));
        } catch {
          // no room for a draft: the work goes on without
        }
      return value;
    },
  };
}

function visibleNow() {
  return document.visibilityState === "visible" ? performance.now() : null;
}

// Time counts while the page can be seen: a coffee in another tab is no time of thought.
document.addEventListener("visibilitychange", () => {
  if (!current) return;
  if (document.visibilityState === "hidden") {
    if (current.since !== null) current.seconds += (performance.now() - current.since) / 1000;
    current.since = null;
  } else current.since = performance.now();
});

function secondsSpent() {
  return Math.round((current.seconds + (current.since === null ? 0 : (performance.now() - current.since) / 1000)) * 10) / 10;
}

/* ── answering ── */

async function submit() {
  if (busy || !current) return;
  let answer;
  try {
    answer = current.running.answer();
  } catch (missing) {
    tellMissing(missing.message);
    return;
  }
  busy = true;
  place.classList.add("sending");
  const item = current;
  const given = {
    client_id: crypto.randomUUID ? crypto.randomUUID() : randomId(),
    item_id: item.id,
    answer,
    instructions_version: item.version,
    seconds: Math.min(secondsSpent(), 86400),
  };
  const kept = outbox.keep(campaign, given);
  window.paraloom.status("saving", "Saving …");
  const sending = deliver(kept, item);
  const inTime = await Promise.race([sending, new Promise((resolve) => setTimeout(() => resolve(null), MOVE_ON))]);
  if (inTime === null) sending.then((late) => late.feedback && explain(late.feedback, answer, item));
  else if (inTime.feedback) await explain(inTime.feedback, answer, item);
  if (inTime?.state !== "refused") {
    answered.push(item.id);
    await moveOn();
  }
  busy = false;
  place.classList.remove("sending");
  tellUnsent();
}

// Send a kept answer; says what became of it ("saved", "kept" or "refused") and what there is to explain.
async function deliver(kept, item) {
  try {
    const told = await outbox.send(kept, { holding: holding() });
    pageOf(item).draft(null);
    window.paraloom.status("saved", "Saved");
    tellStanding(told.standing);
    if (told.next) take(told.next);
    return { state: "saved", feedback: told.feedback };
  } catch (error) {
    if (error instanceof Refused) {
      window.paraloom.status("error", error.message);
      return { state: "refused" };
    }
    if (error instanceof SignedOut) {
      window.paraloom.status("error", error.message);
      return { state: "kept" };
    }
    const isKept = !outbox.unkept.has(kept.client_id);
    window.paraloom.status("kept", isKept ? "Kept in this browser, not sent yet" : "Not sent yet, and this browser cannot keep it: leave this page open");
    outbox.sendLater();
    return { state: "kept" };
  }
}

// What is missing is said where the eye is: beside the button that was pressed, where the task has a place for it.
function tellMissing(words) {
  const says = place.querySelector("[data-says]");
  if (says) {
    says.textContent = words;
    says.classList.add("error");
  }
  window.paraloom.status("", words);
}

function explain(feedback, answer, item) {
  const tell = item.running.tell ?? task.tell ?? plainly; // the item's own words, where it has some
  const dialog = document.getElementById("mistake");
  const own = document.getElementById("mistake-given");
  document.getElementById("mistake-expected").textContent = tell(feedback.expected);
  document.getElementById("mistake-explanation").textContent = feedback.explanation || "";
  own.textContent = (item.running.tellOwn ?? task.tellOwn)?.(answer) || "";
  own.parentElement.hidden = !own.textContent;
  const since = performance.now();
  const tooSoon = (event) => {
    if (event.repeat || performance.now() - since < NOT_YET) event.preventDefault();
  };
  dialog.addEventListener("keydown", tooSoon);
  place.classList.remove("sending"); // it is read again, beside the explanation
  dialog.showModal();
  return new Promise((resolve) => {
    const over = () => {
      dialog.removeEventListener("keydown", tooSoon);
      resolve();
    };
    dialog.addEventListener("close", over, { once: true });
  });
}

function plainly(expected) {
  return Object.entries(expected)
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${Array.isArray(value) ? value.join(", ") : value}`)
    .join(" · ");
}

function tellStanding(standing) {
  document.getElementById("answered-count").textContent = standing.answered;
  document.getElementById("welcome")?.remove();
  const earned = document.getElementById("earned");
  if (earned) earned.textContent = amount(standing.earned, earned.dataset.currency);
}

// Only codes of three letters are currencies to a browser; a campaign may count in points.
function amount(value, currency) {
  const known = /^[A-Za-z]{3}$/.test(currency);
  return known ? new Intl.NumberFormat(undefined, { style: "currency", currency }).format(value) : `${currency} ${value.toFixed(2)}`;
}

function randomId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/* ── the next item ── */

// Items that the service need not hand out: shown, at hand, or answered and on their way.
function holding() {
  const unsent = outbox.waiting().filter((one) => one.campaign === campaign);
  const ids = [...queue.map((one) => one.item_id), ...(current ? [current.id] : []), ...unsent.map((one) => one.item_id)];
  return [...new Set(ids)].slice(0, MOST_HELD);
}

function take(next) {
  if (next.item_id === null) {
    if (!queue.length) queue.nothing = next.html;
    return;
  }
  queue.nothing = undefined;
  if (!queue.some((one) => one.item_id === next.item_id) && current?.id !== next.item_id) queue.push(next);
}

async function moveOn() {
  while (queue.length && Date.parse(queue[0].expires_at) < Date.now()) queue.shift();
  if (queue.length) {
    show(queue.shift().html);
    fetchMore();
    return;
  }
  if (queue.nothing !== undefined) {
    show(queue.nothing);
    queue.nothing = undefined;
    return;
  }
  current = null;
  place.innerHTML = '<div class="item"><p class="muted work-waiting">Waiting for the next one …</p></div>';
  await fetchMore();
}

// Fetch items until there are enough at hand; show the first if nothing is shown.
async function fetchMore() {
  if (fetching) return;
  fetching = true;
  try {
    while (queue.length < AHEAD) {
      const told = await post(`/judge/${campaign}/next`, { holding: holding() });
      if (told.next.item_id === null) {
        if (!current && !queue.length) show(told.next.html);
        break;
      }
      take(told.next);
      if (!current) show(queue.shift().html);
    }
  } catch (error) {
    if (!current) {
      const reason = error instanceof Unreachable ? "The service cannot be reached. This page tries again by itself." : error.message;
      place.innerHTML = '<div class="item"><p class="notice warn"></p></div>';
      place.querySelector("p").textContent = reason;
      lookAgain = setTimeout(fetchMore, 3000);
    }
  } finally {
    fetching = false;
  }
}

async function handBack() {
  if (busy || !current) return;
  if (place.querySelector("[data-keeps]")) {
    keepBefore(); // it is answered: there is nothing to hand back
    return;
  }
  busy = true;
  const item = current;
  try {
    await post(`/judge/${campaign}/hand-back`, { item_id: item.id });
    window.paraloom.status("", "Handed back");
    await moveOn();
  } catch (error) {
    window.paraloom.status("error", error.message);
  } finally {
    busy = false;
  }
}

// Leave an answer from before as it is and go on.
async function keepBefore() {
  if (busy || !current) return;
  answered.push(current.id);
  window.paraloom.status("", "Left as it was");
  await moveOn();
}

// Back to the latest answer, to change one's mind.
function back() {
  const id = answered.pop();
  if (id) reopen(id);
  else location.href = `/judge/${campaign}/mine`;
}

// Show an item that was answered before; the new answer is stored beside the old one and takes its place.
async function reopen(id) {
  if (busy) return;
  busy = true;
  try {
    const told = await fetch(`/judge/${campaign}/answered/${encodeURIComponent(id)}`, { headers: { accept: "application/json" } });
    if (!told.ok) throw new Error("This answer cannot be opened again.");
    const { html } = await told.json();
    if (current) queue.unshift({ item_id: current.id, html: current.html, expires_at: place.querySelector(".item").dataset.expires });
    show(html);
    window.paraloom.status("", "");
  } catch (error) {
    window.paraloom.status("error", error instanceof TypeError ? "The service cannot be reached." : error.message);
  } finally {
    busy = false;
  }
}

/* ── keys ── */

const TYPING = "input:not([type=radio]):not([type=checkbox]):not([type=button]):not([type=submit]), textarea, select, [contenteditable]";

const DIALOGS = { g: "guide", "?": "keys" };

document.addEventListener("keydown", (event) => {
  const opened = document.querySelector("dialog[open]");
  if (opened && DIALOGS[event.key] === opened.id) opened.close(); // the key that opened it closes it
  if (opened || event.defaultPrevented || event.isComposing) return;
  const typing = event.target instanceof Element && event.target.closest(TYPING);
  const withModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (typing && !((event.ctrlKey || event.metaKey) && event.key === "Enter") && event.key !== "Escape") return;
  if (withModifier && event.key !== "Enter") return;
  if (event.repeat && event.key.length === 1) return; // a key held down answers once
  if (busy) {
    event.preventDefault();
    return;
  }
  if (current?.running?.key?.(event)) {
    event.preventDefault();
    return;
  }
  if (typing) return;
  const does = {
    Backspace: back,
    h: handBack,
    Escape: place.querySelector("[data-keeps]") && keepBefore,
    g: () => open(DIALOGS.g),
    "?": () => open(DIALOGS["?"]),
  }[event.key];
  if (does) {
    event.preventDefault();
    does();
  } else if (event.key === "Enter" && !event.target.closest?.("button, a, summary") && place.querySelector('button[type="submit"]')) {
    event.preventDefault();
    submit();
  }
});

function open(dialog) {
  document.getElementById(dialog).showModal();
}

document.getElementById("back").addEventListener("click", back);

/* ── what is not sent yet ── */

function tellUnsent() {
  const waiting = outbox.waiting().length;
  document.getElementById("unsent").hidden = waiting < 1 || (waiting === 1 && busy);
  document.getElementById("unsent-count").textContent = `${waiting} ${waiting === 1 ? "answer is" : "answers are"} not sent yet.`;
  if (!waiting && document.querySelector("#status .pill.kept")) window.paraloom.status("saved", "Saved");
}

outbox.onChange(tellUnsent);
window.addEventListener("online", () => outbox.sendAll().then(() => current || fetchMore()));
window.addEventListener("beforeunload", (event) => {
  if (busy || outbox.unkept.size) event.preventDefault(); // an answer is on its way, or nowhere but on this page
});
window.addEventListener("pagehide", () => {
  for (const item of queue) post(`/judge/${campaign}/hand-back`, { item_id: item.item_id }, { keepalive: true }).catch(() => {});
});

if (holding().includes(place.querySelector(".item")?.dataset.item)) moveOn(); // answered before, and not sent yet
else show(place.innerHTML.replaceAll("\r", "&#13;")); // read again, a bare carriage return would be lost, and every offset behind it wrong
outbox.sendAll();
if (current) fetchMore();
const asked = new URLSearchParams(location.search).get("item");
if (asked) reopen(asked);
