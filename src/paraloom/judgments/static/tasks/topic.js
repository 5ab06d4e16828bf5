// What a group is about: one press.
import { single } from "./single.js";

export function begin(form, page) {
  return single(form, page, (value) => ({ topic: value }));
}

/** The right answer of a test question, in words. */
export function tell(expected) {
  return expected.topic;
}
