// Accept or reject two documents: one press.
import { single } from "./single.js";

export function begin(form, page) {
  return single(form, page, (value) => ({ accept: value === "true" }));
}

/** The right answer of a test question, in words. */
export function tell(expected) {
  return expected.accept ? "Accept" : "Reject";
}
