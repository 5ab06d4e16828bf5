// Rate one aspect after the other from 1 to 5; a digit rates the aspect that is marked and moves on to the next.
// Where there is one aspect alone, its rating is the whole answer and is sent at once.
import { named, sends } from "./keyboard.js";

const words = (aspects) => aspects.map((aspect) => (aspect === "kept" ? "meaning" : aspect)).join(", ");

export function begin(form, page) {
  const over = new AbortController();
  const aspects = [...form.querySelectorAll(".rate-aspect")];
  const says = form.querySelector("[data-says]");
  const rated = (aspect) => aspect.querySelector("input:checked");
  const missing = () => aspects.filter((aspect) => !rated(aspect)).map((aspect) => aspect.dataset.aspect);
  const latest = []; // aspects in the order in which they were rated here
  let active;

  function activate(aspect) {
    active = aspect;
    for (const one of aspects) one.toggleAttribute("data-active", one === active && aspects.length > 1);
  }

  function say() {
    const left = missing();
    if (aspects.length === 1) says.textContent = "One press rates and sends";
    else says.textContent = left.length ? `Still to rate: ${words(left)}` : "All rated";
  }

  function goTo(aspect) {
    const beside = aspect.offsetTop === active.offsetTop; // then it is in sight as much as the one before
    activate(aspect);
    if (!beside) aspect.scrollIntoView({ block: "nearest" });
  }

  function goOn(from) {
    const ahead = [...aspects.slice(aspects.indexOf(from) + 1), ...aspects];
    goTo(ahead.find((aspect) => !rated(aspect)) ?? from); // when all are there, a digit mends the last one
  }

  // `forGood` by a digit or a click; arrows only try levels, and the aspect stays the same.
  function rate(radio, forGood) {
    const aspect = radio.closest(".rate-aspect");
    radio.checked = true;
    if (latest.at(-1) !== aspect) latest.push(aspect);
    say();
    page.changed();
    if (!forGood) return;
    if (aspects.length === 1) page.submit();
    else goOn(aspect);
  }

  // Take the latest rating back: whoever presses Backspace over half an answer means the digit, not the item before.
  function unrate() {
    const aspect = latest.findLast(rated);
    if (!aspect) return false;
    latest.length = latest.lastIndexOf(aspect);
    rated(aspect).checked = false;
    say();
    page.changed();
    goTo(aspect);
    return true;
  }

  form.addEventListener(
    "change",
    (event) => rate(event.target, !event.target.matches(":focus-visible")),
    { signal: over.signal },
  );
  form.addEventListener(
    "focusin",
    (event) => {
      const aspect = event.target.closest(".rate-aspect");
      if (aspect) activate(aspect);
    },
    { signal: over.signal },
  );
  activate(aspects.find((aspect) => !rated(aspect)) ?? aspects[0]);
  say();

  return {
    answer() {
      const left = missing();
      if (left.length) throw new Error(`Still to rate: ${words(left)}.`);
      return Object.fromEntries(aspects.map((aspect) => [aspect.dataset.aspect, Number(rated(aspect).value)]));
    },
    key(event) {
      if (sends(event)) {
        page.submit();
        return true;
      }
      if (event.key === "Backspace") return unrate();
      const name = named(event);
      const aspect = aspects.find((one) => one.dataset.goes === name);
      const radio = [...active.querySelectorAll("input")].find((one) => one.value === name);
      if (aspect) goTo(aspect);
      else if (radio && !event.repeat) rate(radio, true);
      return Boolean(aspect || radio);
    },
    end: () => over.abort(),
  };
}

/** The right answer of a test question, in words. */
export function tell(expected) {
  return `${tellOwn(expected)}; one step more or less is right, too`;
}

/** Ratings in words. */
export function tellOwn(answer) {
  const ratings = Object.entries(answer).filter(([, rating]) => rating !== null);
  return ratings.map(([aspect, rating]) => `${words([aspect])} ${rating}`).join(", ");
}
