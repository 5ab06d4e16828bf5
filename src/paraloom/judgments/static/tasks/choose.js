// Tick the sentences that mean the same, or say that none does; an empty answer is never sent by accident.
import { press, sends } from "./keyboard.js";
import { sentences } from "./listed.js";

export function begin(form, page) {
  const over = new AbortController();
  const boxes = [...form.querySelectorAll('input[name="chosen"]')];
  const none = form.querySelector('input[name="none"]');
  const says = form.querySelector("[data-says]");
  const ticked = () => boxes.filter((box) => box.checked).map((box) => box.value);

  function say() {
    const count = ticked().length;
    says.textContent = count ? `${count} of ${boxes.length} chosen` : none.checked ? "None chosen" : "Nothing chosen yet";
  }

  form.addEventListener(
    "change",
    (event) => {
      if (event.target !== none) none.checked = false;
      else if (none.checked) for (const box of boxes) box.checked = false;
      say();
      page.changed();
    },
    { signal: over.signal },
  );
  say();

  return {
    answer() {
      const chosen = ticked();
      if (!chosen.length && !none.checked) throw new Error("Tick what means the same, or press “None of these”.");
      return { chosen, shown: boxes.map((box) => box.value) };
    },
    key(event) {
      if (!sends(event)) return press(form, event);
      page.submit();
      return true;
    },
    tell: (expected) => sentences(form, expected.chosen).join("\n") || "None of these",
    end: () => over.abort(),
  };
}

/** What was ticked, in words. */
export function tellOwn({ chosen, shown }) {
  const numbers = chosen.map((id) => shown.indexOf(id) + 1).sort((one, other) => one - other);
  return numbers.length ? `You ticked ${numbers.join(", ")}.` : "None of these";
}
