// Where a caret stops in a text: at words and at sentences, in any language the browser knows to part.

/** The nearest stop of a text in a direction. `by` is "word" or "sentence". */
export function stopsOf(text) {
  const known = {};
  const stops = (by) => (known[by] ??= partedBy(text, by));

  return {
    /** Where a caret that moves stops: at the beginning of words or sentences. */
    move: (from, by, isForward) => (isForward ? after(stops(by).starts, from, text.length) : before(stops(by).starts, from)),
    /** Where a selection that grows or shrinks stops: behind the word if it goes forward, before it if it goes back. */
    extend: (from, by, isForward) => (isForward ? after(stops(by).ends, from, text.length) : before(stops(by).starts, from)),
    /** The last word that begins at or before a place. */
    wordAt: (place) => before(stops("word").starts, place + 1),
  };
}

function partedBy(text, by) {
  const [starts, ends] = [[], []];
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: by }).segment(text)) {
    if (!segment.trim()) continue;
    starts.push(index + segment.length - segment.trimStart().length);
    ends.push(index + segment.trimEnd().length);
  }
  return { starts, ends };
}

const after = (sorted, place, otherwise) => sorted[firstAbove(sorted, place)] ?? otherwise;
const before = (sorted, place) => sorted[firstAbove(sorted, place - 1) - 1] ?? 0;

function firstAbove(sorted, place) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
