// The adversarial game: write, let it be checked as often as you like, submit what you are satisfied with.
//
// `page.post("check", {text})` resolves to {implication, similarity, reward, passes, checks, left}, and where the campaign
// pays, `pays` and `currency`: what the reward is in money.

const IMPLIED = 0.5;
const MOST_SIMILAR = 0.5;
const words = (text) => text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu)?.join(" ") ?? "";
const signed = (number) => number.toFixed(2).replace("-", "−");

export function begin(form, page) {
  const over = new AbortController();
  const listen = (type, does) => form.addEventListener(type, does, { signal: over.signal });
  const find = (selector) => form.querySelector(selector);
  const field = find("#text");
  const source = words(find(".source .said").textContent);
  const kept = page.draft();
  let attempts = together(kept?.attempts ?? [], JSON.parse(form.dataset.checks)); // the newest first
  let judged = null; // the attempt that the verdict speaks of
  let gaveUp = false;
  let isChecking = false;
  let isWarned = false; // that this very text earns nothing

  function problem() {
    const written = words(field.value);
    if (!written) return "Write a sentence first.";
    return written === source ? "That is the given sentence again. Say it in other words." : null;
  }

  async function check() {
    const wrong = problem();
    if (wrong || isChecking) {
      if (wrong) page.say(wrong);
      return;
    }
    const text = field.value.trim();
    isChecking = true;
    show();
    try {
      judged = { ...(await page.post("check", { text })), text };
      if (over.signal.aborted) return;
      attempts = [judged, ...attempts.filter((one) => one.text !== text)];
      keep();
    } catch (error) {
      page.say(error.message);
    } finally {
      isChecking = false;
      if (!over.signal.aborted) {
        show();
        field.focus({ preventScroll: true }); // whoever pressed the button writes on
      }
    }
  }

  // Nobody submits for nothing without knowing: what was not checked is, and what earns nothing is asked for twice.
  async function maySubmit() {
    if (problem() || isWarned) return true; // the page says what is wrong
    if (judged?.text !== field.value.trim() && checksLeft() !== 0) await check();
    if (judged?.text !== field.value.trim() || judged.passes) return true;
    isWarned = true;
    page.say("This earns nothing. Submit once more if you want it so.");
    return false;
  }

  async function submit() {
    if (!isChecking && (await maySubmit()) && !over.signal.aborted) page.submit();
  }

  const checksLeft = () => attempts.find((one) => one.left !== undefined)?.left;
  const best = () => attempts.filter((one) => one.passes).reduce((one, other) => (other.reward > (one?.reward ?? 0) ? other : one), null);

  function keep() {
    page.draft({ text: field.value, attempts });
  }

  function restore(attempt) {
    field.value = attempt.text;
    judged = attempt;
    isWarned = false;
    keep();
    show();
    page.changed();
    field.focus();
  }

  // To an older or a newer attempt; from a text that was never checked, to the newest.
  function step(by) {
    const at = attempts.findIndex((one) => one.text === field.value.trim());
    const next = attempts[at < 0 ? 0 : at + by];
    if (next) restore(next);
  }

  // ── what the page shows

  function show() {
    const button = find('[data-does="check"]');
    button.setAttribute("aria-busy", String(isChecking));
    const left = checksLeft();
    button.setAttribute("aria-disabled", String(isChecking || left === 0));
    find("[data-left]").textContent = isChecking ? "Checking …" : Number.isInteger(left) ? `${left} ${left === 1 ? "check" : "checks"} left` : "";
    showVerdict();
    find(".history").hidden = !attempts.length;
    find("[data-count]").textContent = attempts.length;
    find(".attempts").replaceChildren(...attempts.map(row));
  }

  function showVerdict() {
    const verdict = find(".verdict");
    verdict.hidden = !judged;
    if (!judged) return;
    verdict.toggleAttribute("data-stale", judged.text !== field.value.trim());
    const badge = find("[data-passes]");
    badge.className = `badge ${judged.passes ? "good" : "bad"}`;
    badge.textContent = judged.passes ? "Passes" : "Does not pass";
    find("[data-why]").textContent = why(judged);
    find("[data-reward]").textContent = worth(judged);
    const isImplied = judged.implication > IMPLIED;
    find("[data-implied]").textContent = isImplied ? "Yes" : "No";
    find("[data-implication]").textContent = `${Math.round(judged.implication * 100)}% probable`;
    find("[data-similarity]").textContent = signed(judged.similarity);
    find("[data-alike]").textContent = judged.similarity <= MOST_SIMILAR ? `below ${MOST_SIMILAR}` : `above ${MOST_SIMILAR}`;
    gauge("implication", judged.implication, isImplied);
    gauge("similarity", judged.similarity, judged.similarity <= MOST_SIMILAR);
    find(".better").hidden = !best() || best().reward <= judged.reward;
    find("[data-best]").textContent = best() ? worth(best()) : "";
  }

  function gauge(name, value, isGood) {
    const meter = find(`[data-gauge="${name}"]`);
    meter.value = value;
    meter.className = isGood ? "good" : "poor";
  }

  function row(attempt) {
    const item = document.createElement("li");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "attempt", title: "Go on with this one" });
    button.dataset.does = "restore";
    const text = Object.assign(document.createElement("span"), { className: "said", dir: "auto", textContent: attempt.text });
    const reward = Object.assign(document.createElement("span"), {
      className: `badge ${attempt.passes ? "good" : "bad"}`,
      textContent: attempt.passes ? worth(attempt) : attempt.implication > IMPLIED ? "too similar" : "not the same",
    });
    if (attempt === best() && attempts.length > 1) reward.prepend("best · ");
    button.append(text, reward);
    item.append(button);
    return item;
  }

  listen("input", () => {
    gaveUp = false;
    isWarned = false;
    keep();
    showVerdict();
    page.changed();
  });
  listen("click", (event) => {
    const button = event.target.closest("[data-does]");
    if (button?.dataset.does === "check") check();
    else if (button?.dataset.does === "best") restore(best());
    else if (button?.dataset.does === "restore") restore(attempts[[...find(".attempts").children].indexOf(button.closest("li"))]);
    else if (button?.dataset.does === "give-up") {
      gaveUp = true;
      page.changed();
      page.submit();
    }
  });

  listen("keydown", (event) => {
    if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    step(event.key === "ArrowUp" ? 1 : -1);
  });
  listen("submit", (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    submit();
  });
  // On this page letters are words: pressed beside the field, they belong into it and are no commands.
  document.addEventListener(
    "keydown",
    (event) => {
      const isLetter = event.key.length === 1 || event.key === "Backspace";
      const isElsewhere = !event.target.closest?.("input, textarea, select, dialog, button, a, summary") || (form.contains(event.target) && event.key !== " ");
      if (!isLetter || !isElsewhere || event.target === field || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      event.stopPropagation();
      field.focus({ preventScroll: true });
    },
    { capture: true, signal: over.signal },
  );

  if (kept?.text) field.value = kept.text;
  judged = attempts.find((one) => one.text === field.value.trim()) ?? null;
  show();
  field.focus({ preventScroll: true });

  return {
    answer() {
      if (gaveUp) return { text: "", gave_up: true };
      const wrong = problem();
      if (wrong) throw new Error(wrong);
      return { text: field.value.trim(), gave_up: false };
    },
    key(event) {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return false;
      if (event.shiftKey) submit();
      else check();
      return true;
    },
    end: () => over.abort(),
  };
}

/** An expected answer in words. */
export function tell({ text }) {
  return text ? `For example: ${text}` : "There was nothing to write";
}

// Attempts of this browser that the service did not tell of, and all that it did.
function together(own, told) {
  const texts = new Set(told.map((one) => one.text));
  return [...own.filter((one) => !texts.has(one.text)), ...told];
}

function worth({ reward, pays, currency }) {
  return pays === undefined ? reward.toFixed(2) : new Intl.NumberFormat(undefined, { style: "currency", currency }).format(pays);
}

function why({ implication, similarity, passes }) {
  if (passes) return "The same meaning in other words.";
  if (implication <= IMPLIED) return "One of the sentences says more than the other, or something else.";
  return `It looks too similar: the score is ${signed(similarity)}, and ${MOST_SIMILAR} is the most that passes.`;
}
