// A key that was pressed in, the control it means out. Controls name their key in data-key, and others in data-also.

/** The key by the name that data-key has. Digits are read by their place: on a French keyboard they need shift. */
export function named(event) {
  const digit = /^Digit(\d)$/.exec(event.code);
  if (digit) return digit[1];
  if (event.code === "Minus") return "-";
  if (/^[a-z]$/i.test(event.key)) return event.key.toLowerCase();
  if (event.key.length === 1 && /^Key[A-Z]$/.test(event.code)) return event.code.slice(3).toLowerCase(); // Greek, Arabic …
  return event.key;
}

/** Press the control that the key means. A key that is held down is pressed once: it must not answer the next question. */
export function press(form, event) {
  const name = named(event);
  for (const control of form.querySelectorAll("[data-key]")) {
    if (control.dataset.key === name || control.dataset.also?.split(" ").includes(name)) {
      if (!event.repeat) control.click();
      return true;
    }
  }
  return false;
}

/** Enter sends the answer, unless it is meant for the button or link that has the focus. */
export function sends(event) {
  return event.key === "Enter" && !event.repeat && !event.target?.closest?.("button, a, summary");
}
