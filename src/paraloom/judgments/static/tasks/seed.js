// Choose the sentence to pair the others with, or skip the group.
import { press, sends } from "./keyboard.js";
import { sentences } from "./listed.js";

export function begin(form, page) {
  const over = new AbortController();
  const radios = [...form.querySelectorAll('input[name="seed"]')]; // the last one, without a value, skips
  const says = form.querySelector("[data-says]");
  const others = radios.length - 2;
  const chosen = () => radios.find((radio) => radio.checked);

  function say() {
    const radio = chosen();
    if (!radio) says.textContent = "Nothing chosen yet";
    else if (radio.value) says.textContent = `Makes ${others} pairs. At least ${Math.min(3, others)} of them should be paraphrases.`;
    else says.textContent = "None of these will be paired.";
  }

  form.addEventListener(
    "change",
    () => {
      say();
      page.changed();
    },
    { signal: over.signal },
  );
  say();

  const tell = ({ seed, skip }) => (skip ? "Skip this group" : sentences(form, [seed].flat()).join("\nor ")); // a test may have several

  return {
    tell,
    tellOwn: tell,
    answer() {
      const radio = chosen();
      if (!radio) throw new Error("Choose a sentence, or skip the group.");
      return radio.value ? { seed: radio.value } : { skip: true };
    },
    key(event) {
      if (!sends(event)) return press(form, event);
      page.submit();
      return true;
    },
    end: () => over.abort(),
  };
}
