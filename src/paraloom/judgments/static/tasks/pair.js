// Paraphrase or not: one press.
import { single } from "./single.js";

export function begin(form, page) {
  return single(form, page, (value) => ({ is_paraphrase: value === "true" }));
}

/** The right answer of a test question, in words. */
export function tell(expected) {
  return expected.is_paraphrase ? "Paraphrase" : "Not a paraphrase";
}
