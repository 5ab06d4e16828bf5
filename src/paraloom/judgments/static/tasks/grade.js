// A label from 1 to 4 or x, flags behind a 4, a rewrite into a plain 4 where there is something to mend.
import { press, sends } from "./keyboard.js";

const MEANINGS = {
  1: "unrelated",
  2: "related, but not a paraphrase",
  3: "paraphrase in this context",
  4: "paraphrase in every context",
  x: "to be skipped",
};
const FLAGS = { ">": "B is more general", "<": "A is more general", i: "they deviate a little", s: "they differ in style" };
const FEW = "1 unrelated · 2 related · 3 the same here · 4 the same everywhere · x skip";
const LINES = 3; // that the arrows scroll
const OPPOSITE = { ">": "<", "<": ">" };
const same = (one, other) => one.trim().split(/\s+/).join(" ") === other.trim().split(/\s+/).join(" ");

export function begin(form, page) {
  const over = new AbortController();
  const listen = (type, does) => form.addEventListener(type, does, { signal: over.signal });
  const bases = [...form.querySelectorAll('input[name="base"]')];
  const flags = [...form.querySelectorAll('input[name="flag"]')];
  const flagSet = form.querySelector(".flags");
  const opener = form.querySelector('[data-does="rewrite"]');
  const rewriting = form.querySelector("#rewrite");
  const rewrites = [...rewriting.querySelectorAll("textarea")];
  const unsure = form.querySelector('input[name="unsure"]');
  const noteField = form.querySelector(".note");
  const note = noteField.querySelector("textarea");
  const chosen = form.querySelector(".chosen");
  const contexts = [...form.querySelectorAll(".document-text")];
  let wantsRewrite = rewrites.some(isChanged);

  const base = () => bases.find((one) => one.checked)?.value ?? "";
  const flag = (value) => flags.find((one) => one.value === value).checked;
  const label = () => base() + [">", "<", "i", "s"].filter((one) => base() === "4" && flag(one)).join("");
  const mayRewrite = () => !["", "4", "x"].includes(label());

  function isChanged(rewrite) {
    return rewrite.value.trim() !== "" && !same(rewrite.value, rewrite.dataset.original);
  }

  function show() {
    flagSet.disabled = base() !== "4";
    if (flagSet.disabled) for (const one of flags) one.checked = false;
    rewriting.hidden = !(wantsRewrite && mayRewrite());
    opener.setAttribute("aria-expanded", String(!rewriting.hidden));
    opener.setAttribute("aria-disabled", String(!mayRewrite()));
    noteField.hidden = !unsure.checked && !note.value.trim();
    chosen.value = label();
    form.querySelector('[type="submit"]').setAttribute("aria-disabled", String(!base()));
    form.querySelector("[data-meaning]").textContent = base() ? MEANINGS[base()] : FEW;
  }

  // Both documents at once: the texts stand at the same place of the story.
  function scroll(event) {
    const [direction, isPage] = { ArrowUp: [-1, false], ArrowDown: [1, false], PageUp: [-1, true], PageDown: [1, true] }[event.key] ?? [];
    if (!direction || !contexts.length || contexts.includes(event.target)) return false;
    if (!isPage && event.target.matches?.("input")) return false; // there the arrows choose
    for (const one of contexts) {
      const line = parseFloat(getComputedStyle(one).lineHeight);
      one.scrollTop += direction * (isPage ? one.clientHeight - line : line * LINES);
    }
    return true;
  }

  function rewrite() {
    if (!mayRewrite()) {
      page.say(base() ? `A pair with the label ${base()} has nothing to be rewritten.` : "Choose a label first.");
      return;
    }
    wantsRewrite = rewriting.hidden;
    show();
    page.changed();
    if (wantsRewrite) edit(rewrites[0]);
  }

  listen("change", (event) => {
    const turned = flags.find((one) => one.value === OPPOSITE[event.target.value]);
    if (event.target.name === "flag" && event.target.checked && turned) turned.checked = false;
    show();
    page.changed();
  });
  listen("input", (event) => {
    if (event.target.matches("textarea")) page.changed();
  });
  listen("click", (event) => {
    if (event.target.closest('[data-does="rewrite"]')) rewrite();
  });
  listen("keydown", (event) => {
    if (event.key === "Escape" && event.target.matches("textarea")) event.target.blur(); // back to the keys
  });
  show();
  for (const place of contexts) bringToView(place, place.querySelector("mark"));

  return {
    answer() {
      if (!base()) throw new Error("Choose a label from 1 to 4, or x.");
      const [left, right] = rewrites.map((one) => (!rewriting.hidden && isChanged(one) ? one.value.trim() : null));
      const pair = rewrites.map((one, n) => [left, right][n] ?? one.dataset.original);
      if ((left ?? right) !== null && same(...pair)) throw new Error("The rewritten texts are the same; let them differ.");
      return {
        label: label(),
        rewrite_left: left,
        rewrite_right: right,
        unsure: unsure.checked,
        note: note.value.trim() || null,
      };
    },
    key(event) {
      if (event.key === "Enter" && (sends(event) || event.ctrlKey || event.metaKey)) {
        page.submit();
        return true;
      }
      const isFlag = flags.some((one) => [one.dataset.key, one.dataset.also].includes(event.key));
      if (isFlag && flagSet.disabled) {
        page.say("Flags go with label 4 only.");
        return true;
      }
      return press(form, event) || scroll(event);
    },
    end: () => over.abort(),
  };
}

/** An expected answer in words. */
export function tell({ label }) {
  const flags = [...label.slice(1)].map((flag) => FLAGS[flag]);
  return `Label ${label}: ${[MEANINGS[label[0]], ...flags].join("; ")}`;
}

/** One's own answer in words. */
export const tellOwn = tell;

function edit(field) {
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

// The document scrolls, not the page: where the pair stands must not change what one is looking at.
function bringToView(place, mark) {
  const above = mark.getBoundingClientRect().top - place.getBoundingClientRect().top;
  place.scrollTop += above - place.clientHeight / 3;
}
