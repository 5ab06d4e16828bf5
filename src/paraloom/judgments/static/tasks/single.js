// A form of buttons of which one press is the whole answer.
import { press } from "./keyboard.js";

/** `read` makes the answer of the value of the button that was pressed. */
export function single(form, page, read) {
  const over = new AbortController();
  const buttons = [...form.querySelectorAll("button.answer")];
  let chosen = buttons.find((button) => button.getAttribute("aria-pressed") === "true");

  form.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("button.answer");
      if (!button) return;
      chosen = button;
      for (const one of buttons) one.setAttribute("aria-pressed", String(one === chosen));
      page.changed();
      page.submit();
    },
    { signal: over.signal },
  );

  return {
    answer() {
      if (!chosen) throw new Error("Choose an answer.");
      return read(chosen.value);
    },
    key: (event) => press(form, event),
    end: () => over.abort(),
  };
}
