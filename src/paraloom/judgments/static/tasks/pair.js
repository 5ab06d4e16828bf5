// Paraphrase or not: one press.
import { single } from "./single.js";

export function begin(form, page) {
  return single(form, page, (value) => ({ is_paraphrase: value === "true" }));
}

/** An answer in words: the right one of a test question, or one's own. */
export function tell(expected) {
  return expected.is_paraphrase ? "Paraphrase" : "Not a paraphrase";
}

export { tell as tellOwn };
