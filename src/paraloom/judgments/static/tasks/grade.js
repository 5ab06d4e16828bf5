// A label from 1 to 4 or x, flags behind a 4, a rewrite into a plain 4 where there is something to mend.
import { press, sends } from "./keyboard.js";

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
  for (const place of form.querySelectorAll(".document-text")) bringToView(place, place.querySelector("mark"));

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
      return press(form, event);
    },
    end: () => over.abort(),
  };
}

/** An expected answer in words. */
export function tell({ label }) {
  return `Label ${label}`;
}

function edit(field) {
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

// The document scrolls, not the page: where the pair stands must not change what one is looking at.
function bringToView(place, mark) {
  const above = mark.getBoundingClientRect().top - place.getBoundingClientRect().top;
  place.scrollTop += above - place.clientHeight / 3;
}
