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
  let attempts = kept?.attempts ?? JSON.parse(form.dataset.checks);
  let judged = null; // the attempt that the verdict speaks of
  let gaveUp = false;
  let isChecking = false;

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
      if (!over.signal.aborted) show();
    }
  }

  function keep() {
    page.draft({ text: field.value, attempts });
  }

  function restore(attempt) {
    field.value = attempt.text;
    judged = attempt;
    keep();
    show();
    page.changed();
    field.focus();
  }

  // ── what the page shows

  function show() {
    const button = find('[data-does="check"]');
    button.setAttribute("aria-busy", String(isChecking));
    const left = attempts.find((one) => one.left !== undefined)?.left;
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
    button.append(text, reward);
    item.append(button);
    return item;
  }

  listen("input", () => {
    gaveUp = false;
    keep();
    showVerdict();
    page.changed();
  });
  listen("click", (event) => {
    const button = event.target.closest("[data-does]");
    if (button?.dataset.does === "check") check();
    else if (button?.dataset.does === "restore") restore(attempts[[...find(".attempts").children].indexOf(button.closest("li"))]);
    else if (button?.dataset.does === "give-up") {
      gaveUp = true;
      page.changed();
      page.submit();
    }
  });

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
      if (event.shiftKey) page.submit();
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

function worth({ reward, pays, currency }) {
  return pays === undefined ? reward.toFixed(2) : new Intl.NumberFormat(undefined, { style: "currency", currency }).format(pays);
}

function why({ implication, similarity, passes }) {
  if (passes) return "The same meaning in other words.";
  if (implication <= IMPLIED) return "One of the sentences says more than the other, or something else.";
  return `It looks too similar: the score is ${signed(similarity)}, and ${MOST_SIMILAR} is the most that passes.`;
}
