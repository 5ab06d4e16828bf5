// Places in a text. A browser counts UTF-16 units, Paraloom counts code points; a document's marks are elements, its
// text is not changed by them. Everything within the page counts units, what is kept or sent counts code points.

/** Converts places in one text between units and code points; made once, asked often. */
export function ruler(text) {
  const astral = Array.from(text.matchAll(/[\u{10000}-\u{10FFFF}]/gu), (found) => found.index);
  const astralInPoints = astral.map((unit, n) => unit - n);
  const before = (sorted, value) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    /** Code points before a unit; within a character, before the character. */
    points: (unit) => unit - before(astral, unit),
    /** Units before a code point. */
    units: (point) => point + before(astralInPoints, point),
  };
}

/** The span with no white space at its ends and no half character, or null where nothing is left. */
export function tidied(text, { start, end }) {
  if (isInsideCharacter(text, start)) start -= 1;
  if (isInsideCharacter(text, end)) end += 1;
  while (start < end && /\s/.test(text[start])) start += 1;
  while (start < end && /\s/.test(text[end - 1])) end -= 1;
  return start < end ? { start, end } : null;
}

function isInsideCharacter(text, unit) {
  return /[\uD800-\uDBFF]/.test(text[unit - 1] ?? "") && /[\uDC00-\uDFFF]/.test(text[unit] ?? "");
}

/** How many units of the root's text lie before a place in its tree; null where the place is outside. */
export function placeIn(root, node, offset) {
  if (!root.contains(node)) return null;
  const before = root.ownerDocument.createRange();
  before.selectNodeContents(root);
  before.setEnd(node, offset);
  return before.toString().length;
}

/** The node and offset of a place in the root's text. */
export function nodeAt(root, unit) {
  const nodes = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let left = unit;
  let last = null;
  while (nodes.nextNode()) {
    last = nodes.currentNode;
    if (left <= last.length) return { node: last, offset: left };
    left -= last.length;
  }
  return last ? { node: last, offset: last.length } : { node: root, offset: 0 };
}

/** What a selection covers of the root's text, cut off at the root's ends; null where it covers nothing. */
export function selectedIn(root, selection) {
  if (!selection?.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(root)) return null;
  const text = root.textContent;
  return tidied(text, {
    start: placeIn(root, range.startContainer, range.startOffset) ?? 0,
    end: placeIn(root, range.endContainer, range.endOffset) ?? text.length,
  });
}

/** The text from one place to another as text nodes and marks. Marks are {start, end, kind, number?}; where they overlap,
 *  one element is all of them. */
export function markedUp(text, marks, caret = null, { start: from, end: to } = { start: 0, end: text.length }) {
  const inside = (place) => place > from && place < to;
  const cuts = [from, to, ...[...marks.flatMap((mark) => [mark.start, mark.end]), ...(caret === null ? [] : [caret])].filter(inside)];
  const places = [...new Set(cuts)].sort((one, other) => one - other);
  const pieces = [];
  for (let n = 0; n < places.length; n += 1) {
    const [start, end] = [places[n], places[n + 1] ?? to];
    if (start === caret) pieces.push(caretElement());
    if (start < end) pieces.push(piece(text.slice(start, end), start, marks.filter((mark) => mark.start <= start && mark.end >= end)));
  }
  return pieces;
}

/** A long text cut at line ends into parts of some length: a browser lays out anew only the parts that change. */
export function partsOf(text, length = 2000) {
  const parts = [];
  for (let start = 0; start < text.length; ) {
    const line = start + length < text.length ? text.indexOf("\n", start + length) : -1;
    const end = line < 0 ? text.length : line + 1;
    parts.push({ start, end });
    start = end;
  }
  return parts.length ? parts : [{ start: 0, end: 0 }];
}

function piece(words, start, marks) {
  if (!marks.length) return document.createTextNode(words);
  const element = document.createElement("mark");
  element.classList.add(...marks.map((mark) => mark.kind));
  const numbered = marks.filter((mark) => mark.number);
  if (numbered.length) element.dataset.pairs = numbered.map((mark) => mark.number).join(" ");
  const beginning = numbered.filter((mark) => mark.start === start);
  if (beginning.length) element.dataset.number = beginning.map((mark) => mark.number).join("·"); // shown by the style: no text of the document
  element.textContent = words;
  return element;
}

function caretElement() {
  const element = document.createElement("span");
  element.className = "caret";
  return element;
}
