// Two documents side by side: select a passage in each, add the pair, go on until nothing is left; then Finished or Empty.
import { named, sends } from "./keyboard.js";
import { pane } from "./pane.js";
import { ruler } from "./places.js";

const SIDES = ["left", "right"];
const QUOTED = 3; // of the pairs that were to be found, where there are many
const key = (pair) => SIDES.map((side) => `${pair[side].start}-${pair[side].end}`).join(" ");
const isSame = (one, other) => key(one) === key(other);

export function begin(form, page) {
  const over = new AbortController();
  const listen = (target, type, does) => target.addEventListener(type, does, { signal: over.signal });
  const find = (selector) => form.querySelector(selector);
  const panes = {};
  const rulers = {};
  for (const side of SIDES) {
    const place = find(`[data-side="${side}"] .document-text`);
    panes[side] = pane(place, { changed: showSelected, pressed: (numbers) => look(pairs[numbers[0] - 1]), signal: over.signal });
    rulers[side] = ruler(panes[side].text);
  }
  const both = SIDES.map((side) => panes[side]);
  const suggestions = [...form.querySelectorAll('[data-list="suggestions"] > li')].map((row) => ({
    row,
    isDismissed: false,
    ...readPair(...JSON.parse(row.dataset.spans)),
  }));
  let pairs = [];
  let current = null; // the suggestion that the keys mean
  let changing = null; // the suggestion whose passages are selected, to be changed
  let isEmpty = false;

  // ── what is kept and sent counts code points

  function readPair(left_start, left_end, right_start, right_end) {
    const span = (side, start, end) => ({ start: rulers[side].units(start), end: rulers[side].units(end) });
    return { left: span("left", left_start, left_end), right: span("right", right_start, right_end) };
  }

  function writtenPair(pair) {
    const written = {};
    for (const side of SIDES) {
      written[`${side}_start`] = rulers[side].points(pair[side].start);
      written[`${side}_end`] = rulers[side].points(pair[side].end);
    }
    return written;
  }

  function restore() {
    const kept = page.draft() ?? JSON.parse(form.dataset.given);
    const isWithin = (pair) => SIDES.every((side) => pair[side].start < pair[side].end && pair[side].end <= panes[side].text.length);
    pairs = (kept?.pairs ?? []).map((one) => readPair(one.left_start, one.left_end, one.right_start, one.right_end)).filter(isWithin);
    for (const n of kept?.dismissed ?? []) if (suggestions[n]) suggestions[n].isDismissed = true;
    isEmpty = kept?.state === "empty";
  }

  function keep() {
    const dismissed = suggestions.flatMap((one, n) => (one.isDismissed ? [n] : []));
    page.draft({ pairs: pairs.map(writtenPair), dismissed });
    page.changed();
  }

  // ── pairs

  const isThere = (pair) => Boolean(pair.left && pair.right) && pairs.some((one) => isSame(one, pair));

  function add(pair) {
    if (!pair.left || !pair.right) {
      page.say(`Select a passage in ${!pair.left && !pair.right ? "both documents" : `document ${pair.left ? "B" : "A"}`} first.`);
      return false;
    }
    if (isThere(pair)) {
      page.say("This pair is there already.");
      return false;
    }
    pairs.push({ left: pair.left, right: pair.right });
    isEmpty = false;
    show();
    keep();
    say(`Pair ${pairs.length} added.`);
    bringRowToView(find('[data-list="pairs"]').lastElementChild);
    return true;
  }

  function addSelected() {
    const byKeyboard = both.some((one) => one.hasCaret());
    const pair = { left: panes.left.selected(), right: panes.right.selected() };
    if (!add(pair) && !isThere(pair)) return;
    if (changing) changing.isDismissed = true; // what was added stands in its place
    clear();
    show();
    keep();
    if (byKeyboard) panes.left.enter();
  }

  function clear() {
    getSelection()?.removeAllRanges();
    for (const one of both) one.select(null);
    changing = null;
  }

  // Select the passages of a pair, so that their ends can be moved.
  function take(pair, { byKeyboard = false } = {}) {
    clear();
    for (const side of SIDES) panes[side].select(pair[side]);
    for (const side of SIDES) panes[side].bringToView(pair[side]);
    if (byKeyboard) panes.left.enter();
  }

  function change(suggestion, how) {
    if (!suggestion) {
      page.say(suggestions.length ? "There are no more suggestions." : "Nothing is suggested here.");
      return;
    }
    take(suggestion, how);
    changing = suggestion;
    say("Selected. Move the ends, then add the pair.");
  }

  function remove(n) {
    if (!pairs[n]) {
      page.say("There is no pair to take back.");
      return;
    }
    const [removed] = pairs.splice(n, 1);
    show();
    keep();
    say(`Pair ${n + 1} removed.`);
    return removed;
  }

  // A pair that is taken back stays selected: mostly one end of it is wrong.
  function takeBack(n, how) {
    const removed = remove(n);
    if (removed) take(removed, how);
  }

  function look(pair) {
    for (const side of SIDES) panes[side].bringToView(pair[side]);
    for (const mark of form.querySelectorAll("mark.looked-at")) mark.classList.remove("looked-at");
    const n = pairs.findIndex((one) => isSame(one, pair)) + 1;
    for (const mark of form.querySelectorAll("mark[data-pairs]")) {
      mark.classList.toggle("looked-at", mark.dataset.pairs.split(" ").includes(String(n)));
    }
    for (const [m, row] of [...find('[data-list="pairs"]').children].entries()) {
      row.toggleAttribute("data-current", m + 1 === n);
      if (m + 1 === n) bringRowToView(row);
    }
  }

  // ── suggestions

  function pending() {
    const taken = new Set(pairs.map(key));
    return suggestions.filter((one) => !one.isDismissed && !taken.has(key(one)));
  }

  function goTo(suggestion) {
    current = suggestion ?? null;
    show();
    if (!current) return;
    look(current);
    bringRowToView(current.row);
  }

  function following(suggestion) {
    const left = pending();
    const at = suggestions.indexOf(suggestion);
    return left.find((one) => suggestions.indexOf(one) > at) ?? left[0];
  }

  function decide(suggestion, isAccepted) {
    if (!suggestion) {
      page.say(suggestions.length ? "There are no more suggestions." : "Nothing is suggested here.");
      return;
    }
    if (isAccepted) add(suggestion);
    else suggestion.isDismissed = true;
    keep();
    goTo(following(suggestion));
  }

  // ── what the page shows

  function show() {
    const left = new Set(pending());
    if (!left.has(current)) [current = null] = left;
    for (const side of SIDES) {
      panes[side].mark([
        ...[...left].map((one) => ({ ...one[side], kind: "suggested" })),
        ...(current ? [{ ...current[side], kind: "current" }] : []),
        ...pairs.map((pair, n) => ({ ...pair[side], kind: "own", number: n + 1 })),
      ]);
    }
    for (const one of suggestions) {
      one.row.hidden = !left.has(one);
      one.row.toggleAttribute("data-current", one === current);
    }
    find('[data-list="pairs"]').replaceChildren(...pairs.map(pairRow));
    find("[data-none]").hidden = pairs.length > 0;
    find('[data-count="pairs"]').textContent = pairs.length;
    const count = find('[data-count="suggestions"]');
    if (count) count.textContent = left.size;
    find('[data-does="empty"]').hidden = pairs.length > 0; // one of the two ends it
    find('[type="submit"]').hidden = pairs.length === 0;
  }

  function pairRow(pair, n) {
    const row = made("li", {});
    const texts = made("button", { type: "button", className: "span-texts", dataset: { does: "look" }, ariaLabel: `Show pair ${n + 1} in the documents` });
    for (const side of SIDES) {
      texts.append(made("span", { className: "said", dir: "auto", textContent: panes[side].text.slice(pair[side].start, pair[side].end) }));
    }
    const buttons = made("span", { className: "span-buttons" });
    const [name, title] = [`Take pair ${n + 1} back, to change it`, "Take back, to change it"];
    buttons.append(made("button", { type: "button", className: "button quiet", textContent: "✎", title, dataset: { does: "change" }, ariaLabel: name }));
    buttons.append(made("button", { type: "button", className: "button quiet", textContent: "✕", dataset: { does: "remove" }, ariaLabel: `Remove pair ${n + 1}` }));
    row.append(texts, buttons);
    return row;
  }

  function showSelected(changedPane) {
    for (const side of SIDES) {
      const place = find(`[data-selected="${side}"]`);
      place.textContent = panes[side]?.words() || "";
    }
    find('[data-does="add"]').setAttribute("aria-disabled", String(!both.every((one) => one.selected())));
    if (changedPane.hasCaret()) say(changedPane.selected() ? `Selected: ${changedPane.words().slice(-120)}` : changedPane.wordAtCaret());
  }

  const say = (words) => {
    find("[data-said]").textContent = words;
  };

  // ── mouse, finger and keyboard

  listen(document, "selectionchange", () => {
    const selection = getSelection();
    const isIn = (one, node) => node && one.place.contains(node);
    const home = both.find((one) => isIn(one, selection.anchorNode)) ?? both.find((one) => isIn(one, selection.focusNode));
    for (const one of both) if (one !== home) one.settle();
    home?.follow(selection);
  });
  listen(document, "pointerup", () => {
    const selection = getSelection();
    const ends = [selection.anchorNode, selection.focusNode];
    for (const one of both) {
      const inside = ends.filter((node) => node && one.place.contains(node)).length;
      if (inside !== 1 || selection.isCollapsed) continue;
      selection.removeAllRanges(); // it runs out of its document: what lies within is drawn instead
      one.settle();
    }
  });
  listen(form, "keydown", (event) => {
    const here = both.findIndex((one) => one.hasCaret() && one.place === event.target);
    if (here < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Tab") both[1 - here].enter();
    else if (event.key === "Escape") find('[data-does="add"]').focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  listen(form, "click", (event) => {
    const button = event.target.closest("[data-does]");
    const row = button?.closest("li");
    const suggestion = suggestions.find((one) => one.row === row);
    const n = row && !suggestion ? [...row.parentElement.children].indexOf(row) : -1;
    const does = {
      add: addSelected,
      clear,
      look: () => (suggestion ? goTo(suggestion) : look(pairs[n])),
      change: () => (suggestion ? change(suggestion) : takeBack(n)),
      remove: () => remove(n),
      accept: () => decide(suggestion, true),
      dismiss: () => decide(suggestion, false),
      empty: sendEmpty,
    };
    does[button?.dataset.does]?.();
  });

  // What is selected on both sides was meant to be added.
  function isLeftOver() {
    const pair = { left: panes.left.selected(), right: panes.right.selected() };
    if (!pair.left || !pair.right || isThere(pair)) return false;
    page.say("A pair is selected but not added. Add it (a) or clear it (x) first.");
    return true;
  }

  listen(form, "submit", (event) => {
    if (!isLeftOver()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });

  function sendEmpty() {
    if (isLeftOver()) return;
    if (pairs.length) {
      page.say("Pairs are marked. Remove them first, or choose Finished.");
      return;
    }
    isEmpty = true;
    page.changed();
    page.submit();
  }

  const KEYS = {
    a: addSelected,
    k: () => (both.find((one) => one.place === document.activeElement) ?? panes.left).enter(),
    n: () => goTo(following(current)),
    y: () => decide(current, true),
    d: () => decide(current, false),
    c: () => change(current, { byKeyboard: true }),
    o: () => both.find((one) => one.hasCaret())?.turn(),
    x: clear,
    z: () => takeBack(pairs.length - 1, { byKeyboard: true }),
    f: () => isLeftOver() || page.submit(),
    e: sendEmpty,
  };

  restore();
  show();
  showSelected(panes.left);

  return {
    answer() {
      if (!pairs.length && !isEmpty) throw new Error("No pair is marked yet. If there is none, choose Empty.");
      return {
        pairs: pairs.map(writtenPair),
        state: pairs.length ? "finished" : "empty",
        suggestions_shown: suggestions.length > 0,
      };
    },
    key(event) {
      const does = sends(event) ? addSelected : KEYS[named(event)];
      if (does && !event.repeat) does();
      return Boolean(does);
    },
    tell: (expected) => inWords(expected, (side, start, end) => panes[side].text.slice(rulers[side].units(start), rulers[side].units(end))),
    end: () => over.abort(),
  };
}

function inWords({ pairs }, passage) {
  const quoted = pairs.slice(0, QUOTED).map((one) => `“${passage("left", one.left_start, one.left_end)}” – “${passage("right", one.right_start, one.right_end)}”`);
  const more = pairs.length > QUOTED ? [`and ${pairs.length - QUOTED} more`] : [];
  return [tell({ pairs }), ...quoted, ...more].join("\n");
}

/** An expected answer in words. */
export function tell({ pairs }) {
  if (!pairs.length) return "Empty: there is nothing to mark";
  return pairs.length === 1 ? "One pair was to be found" : `${pairs.length} pairs were to be found`;
}

// Its list scrolls, not the page: the documents stay where they are.
function bringRowToView(row) {
  const [box, frame] = [row.getBoundingClientRect(), row.parentElement.getBoundingClientRect()];
  if (box.top < frame.top) row.parentElement.scrollTop += box.top - frame.top;
  else if (box.bottom > frame.bottom) row.parentElement.scrollTop += box.bottom - frame.bottom;
}

function made(tag, { dataset = {}, ...properties }) {
  const element = Object.assign(document.createElement(tag), properties);
  Object.assign(element.dataset, dataset);
  return element;
}
