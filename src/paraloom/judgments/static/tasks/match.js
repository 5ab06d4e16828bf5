// Accept or reject two documents: one press.
import { single } from "./single.js";

export function begin(form, page) {
  return single(form, page, (value) => ({ accept: value === "true" }));
}

/** An answer in words: the right one of a test question, or one's own. */
export function tell(expected) {
  return expected.accept ? "Accept" : "Reject";
}

export { tell as tellOwn };
