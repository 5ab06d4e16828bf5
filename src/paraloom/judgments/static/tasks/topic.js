// What a group is about: one press.
import { single } from "./single.js";

export function begin(form, page) {
  return single(form, page, (value) => ({ topic: value }));
}

/** An answer in words: the right one of a test question, or one's own. */
export function tell(expected) {
  return expected.topic;
}

export { tell as tellOwn };
