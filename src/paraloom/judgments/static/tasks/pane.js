// One document in which a passage can be selected, by mouse, by finger or by a caret that the arrow keys move.
import { markedUp, nodeAt, partsOf, placeIn, selectedIn, tidied } from "./places.js";
import { stopsOf } from "./stops.js";

/** `changed(pane)` is called when another passage is selected, `pressed(numbers)` when a marked pair is clicked. */
export function pane(place, { changed, pressed, signal }) {
  const text = place.textContent;
  const stops = stopsOf(text);
  const parts = partsOf(text).map((part, n, { length }) => ({ ...part, element: length > 1 ? document.createElement("div") : place, drawn: null }));
  let marks = [];
  let span = null; // what is selected
  let isNative = false; // the browser shows the selection; else it is drawn as a mark
  let caret = { anchor: 0, focus: 0, isShown: false, column: null };

  const self = {
    place,
    text,
    selected: () => span,
    words: () => (span ? text.slice(span.start, span.end) : ""),
    wordAtCaret: () => text.slice(caret.focus, stops.extend(caret.focus, "word", true)).trim(),

    /** Mark spans: {start, end, kind, number?}. */
    mark(wanted) {
      marks = wanted;
      for (const old of place.querySelectorAll("mark.looked-at")) old.classList.remove("looked-at");
      draw();
    },

    select(wanted) {
      span = wanted;
      caret = { ...caret, anchor: span?.start ?? caret.focus, focus: span?.end ?? caret.focus, column: null };
      draw();
      changed(self);
    },

    /** Put the caret into this document. */
    enter() {
      caret.isShown = true;
      place.focus({ preventScroll: true });
      draw();
      bringCaretToView();
    },

    leave() {
      if (!caret.isShown) return;
      caret.isShown = false;
      draw();
    },

    hasCaret: () => caret.isShown,

    /** To the other end of the selection: what extends it then moves that one. */
    turn() {
      caret = { ...caret, anchor: caret.focus, focus: caret.anchor, column: null };
      draw();
      bringCaretToView();
    },

    /** The browser's selection went elsewhere: what it showed is drawn instead. */
    settle() {
      if (isNative) draw();
    },

    /** Take over what the browser has selected here. */
    follow(selection) {
      const found = selectedIn(place, selection);
      if (!found) return;
      for (const old of place.querySelectorAll("mark.active, .caret")) {
        parts.find((part) => part.element.contains(old)).drawn = null; // it no longer looks as it was drawn
        if (old.matches(".caret")) old.remove();
        else old.classList.remove("active"); // drawing anew would lose the selection
      }
      isNative = true;
      const isBackward = placeIn(place, selection.anchorNode, selection.anchorOffset) >= found.end;
      caret = {
        anchor: isBackward ? found.end : found.start,
        focus: isBackward ? found.start : found.end,
        isShown: false,
        column: null,
      };
      if (span?.start === found.start && span?.end === found.end) return;
      span = found;
      changed(self);
    },

    bringToView(wanted) {
      const { node, offset } = nodeAt(place, wanted.start);
      const range = document.createRange();
      range.setStart(node, offset);
      range.setEnd(node, Math.min(node.length, offset + 1));
      const [box, frame] = [range.getBoundingClientRect(), place.getBoundingClientRect()];
      if (box.top < frame.top + 8 || box.bottom > frame.bottom - 32) place.scrollTop += box.top - frame.top - place.clientHeight / 3;
    },
  };

  // Only the parts that look different are drawn: in a book, a caret that moves must not cost a layout of the whole.
  function draw() {
    const scrolled = place.scrollTop;
    const wanted = [...marks, ...(span ? [{ ...span, kind: "active" }] : [])];
    for (const part of parts) {
      const within = wanted.filter((mark) => mark.start < part.end && mark.end > part.start);
      const caretHere = caret.isShown && caret.focus >= part.start && (caret.focus < part.end || part === parts.at(-1)) ? caret.focus : null;
      const drawn = JSON.stringify([within, caretHere]);
      if (part.drawn === drawn) continue;
      part.drawn = drawn;
      part.element.replaceChildren(...markedUp(text, within, caretHere, part));
    }
    if (parts.length > 1 && place.firstChild !== parts[0].element) place.replaceChildren(...parts.map((part) => part.element));
    place.scrollTop = scrolled;
    isNative = false;
  }

  // ── by mouse and finger: the browser selects; a click without selecting puts the caret there

  place.addEventListener(
    "click",
    (event) => {
      const selection = getSelection();
      if (selectedIn(place, selection)) return;
      const numbers = event.target.closest("mark[data-pairs]")?.dataset.pairs;
      if (numbers) {
        pressed(numbers.split(" ").map(Number));
        return;
      }
      const at = selection?.anchorNode ? placeIn(place, selection.anchorNode, selection.anchorOffset) : null;
      if (at !== null) caret = { anchor: at, focus: at, isShown: false, column: null };
      if (span) self.select(null);
    },
    { signal },
  );

  // ── by keyboard

  place.addEventListener("blur", self.leave, { signal });
  place.addEventListener(
    "keydown",
    (event) => {
      if (!caretKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { signal },
  );

  function caretKey(event) {
    const to = target(event);
    if (to === null) return false;
    getSelection()?.removeAllRanges();
    const isVertical = event.key === "ArrowUp" || event.key === "ArrowDown";
    caret = { anchor: event.shiftKey ? caret.anchor : to, focus: to, isShown: true, column: isVertical ? caret.column : null };
    span = event.shiftKey ? tidied(text, { start: Math.min(caret.anchor, to), end: Math.max(caret.anchor, to) }) : null;
    draw();
    bringCaretToView();
    changed(self);
    return true;
  }

  function target(event) {
    const by = event.ctrlKey || event.altKey || event.metaKey ? "sentence" : "word";
    const go = event.shiftKey ? stops.extend : stops.move;
    const isRightToLeft = getComputedStyle(place).direction === "rtl";
    switch (event.key) {
      case "ArrowLeft":
        return go(caret.focus, by, isRightToLeft);
      case "ArrowRight":
        return go(caret.focus, by, !isRightToLeft);
      case "ArrowUp":
        return by === "sentence" ? go(caret.focus, by, false) : onNextLine(-1);
      case "ArrowDown":
        return by === "sentence" ? go(caret.focus, by, true) : onNextLine(1);
      case "Home":
        return by === "sentence" ? 0 : text.lastIndexOf("\n", caret.focus - 1) + 1;
      case "End":
        return by === "sentence" ? text.length : endOfParagraph();
      default:
        return null;
    }
  }

  function endOfParagraph() {
    const end = text.indexOf("\n", caret.focus);
    return end < 0 ? text.length : end;
  }

  // Only the browser knows where lines break: ask it what stands below or above the caret.
  function onNextLine(step) {
    if (!caret.isShown) {
      caret.isShown = true;
      draw();
    }
    bringCaretToView();
    const box = place.querySelector(".caret").getBoundingClientRect();
    caret.column ??= box.left;
    for (const lines of [1, 2, 3]) {
      const y = (box.top + box.bottom) / 2 + step * lines * box.height * 1.3;
      const found = placeAtPoint(caret.column, y);
      const word = found === null ? caret.focus : wordOnLine(found, step);
      if (step > 0 ? word > caret.focus : word < caret.focus) return word;
    }
    return step > 0 ? text.length : 0;
  }

  function wordOnLine(found, step) {
    const word = stops.wordAt(found);
    const isEarlierLine = text.slice(word, found).includes("\n"); // the line that was found is blank
    return step > 0 && isEarlierLine ? stops.move(found, "word", true) : word;
  }

  function placeAtPoint(x, y) {
    const frame = place.getBoundingClientRect();
    if (y < frame.top || y > frame.bottom) return null;
    if (document.caretPositionFromPoint) {
      const at = document.caretPositionFromPoint(x, y);
      return at ? placeIn(place, at.offsetNode, at.offset) : null;
    }
    const range = document.caretRangeFromPoint(x, y);
    return range ? placeIn(place, range.startContainer, range.startOffset) : null;
  }

  function bringCaretToView() {
    const box = place.querySelector(".caret").getBoundingClientRect();
    const frame = place.getBoundingClientRect();
    const room = box.height * 2.5; // the next line is always in sight
    if (box.top < frame.top + room) place.scrollTop += box.top - frame.top - room;
    else if (box.bottom > frame.bottom - room) place.scrollTop += box.bottom - frame.bottom + room;
  }

  return self;
}
