// Answers on their way. An answer is put here before it is sent and leaves only when the service has acknowledged it,
// so a closed tab, a dead battery or a server that is down loses nothing. Each answer has a place of its own in the
// browser's store: two tabs never write over each other, and sent twice it is still one answer (same client id).

const PLACE = "paraloom:answer:";
const REFUSED = "paraloom:refused:";
const PATIENCE = 8000; // milliseconds until a silent server counts as one that is down
const WAITS = [1000, 2000, 4000, 8000, 15000];

export class Refused extends Error {} // the service says no, and would say no again
export class Unreachable extends Error {} // no answer, or one that says to try again
export class SignedOut extends Error {}

export function csrfToken() {
  return document.querySelector('meta[name="csrf-token"]').content;
}

// Posts JSON and gives the JSON of the reply; tells apart what can be tried again from what cannot.
export async function post(path, body, { keepalive = false } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "x-csrf-token": csrfToken() },
      body: JSON.stringify(body),
      keepalive,
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    throw new Unreachable("The service cannot be reached.");
  }
  const told = await response.json().catch(() => null);
  if (response.ok && told !== null) return told;
  const reason = (told && told.error) || `The service answered ${response.status}.`;
  if (response.status === 401) throw new SignedOut("Please sign in again: your answers are kept in this browser.");
  if (response.status === 403 && reason.includes("out of date")) throw new SignedOut("Please load this page again.");
  if (response.ok || response.status >= 500 || response.status === 408 || response.status === 429) throw Object.assign(new Unreachable(reason), { status: response.status });
  throw new Refused(reason);
}

export class Outbox {
  constructor(person) {
    this.prefix = `${PLACE}${person}:`;
    this.refusedPrefix = `${REFUSED}${person}:`;
    this.unkept = new Map(); // by client id, what the browser has no room for: it lives as long as the page
    this.tries = 0;
    this.timer = null;
    this.listeners = [];
  }

  // Calls back whenever something was kept, sent or refused.
  onChange(listener) {
    this.listeners.push(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  keys(prefix) {
    const found = [];
    for (let n = 0; n < localStorage.length; n += 1) {
      const key = localStorage.key(n);
      if (key.startsWith(prefix)) found.push(key);
    }
    return found;
  }

  // Everything that is not yet acknowledged, in the order it was given.
  waiting() {
    const kept = this.keys(this.prefix).map((key) => JSON.parse(localStorage.getItem(key)));
    return [...kept, ...this.unkept.values()].sort((one, other) => one.at - other.at);
  }

  refused() {
    return this.keys(this.refusedPrefix).map((key) => JSON.parse(localStorage.getItem(key)));
  }

  // Keep an answer. What the browser has no room for is among `unkept`, and nobody may be told that it is safe.
  keep(campaign, answer) {
    const kept = { campaign, at: Date.now(), ...answer };
    try {
      localStorage.setItem(this.prefix + answer.client_id, JSON.stringify(kept));
    } catch {
      this.unkept.set(answer.client_id, kept);
    }
    this.changed();
    return kept;
  }

  // Let go of an answer that the service has, or has refused.
  release(kept) {
    localStorage.removeItem(this.prefix + kept.client_id);
    this.unkept.delete(kept.client_id);
  }

  // Send one kept answer; resolves with the acknowledgement.
  async send(kept, extra = {}) {
    const { campaign, at, ...answer } = kept;
    try {
      const told = await post(`/judge/${campaign}/answers`, { ...answer, ...extra });
      this.release(kept);
      this.tries = 0;
      this.changed();
      return told;
    } catch (error) {
      if (error instanceof Refused) {
        try {
          localStorage.setItem(this.refusedPrefix + kept.client_id, JSON.stringify({ ...kept, reason: error.message }));
          this.release(kept);
        } catch {
          // no room for it: it stays where it is
        }
        this.changed();
      }
      throw error;
    }
  }

  // Send all that waits, now and, if that fails, again and again.
  async sendAll() {
    clearTimeout(this.timer);
    this.timer = null;
    let failed = null;
    for (const kept of this.waiting()) {
      try {
        await this.send(kept);
      } catch (error) {
        if (error instanceof Refused) continue;
        failed = error;
        if (error.status !== 500) break; // one that the service stumbles over does not keep the others back
      }
    }
    if (failed instanceof Unreachable) this.sendLater();
    if (failed !== null) this.changed();
    return failed;
  }

  sendLater() {
    if (this.timer !== null) return;
    const wait = WAITS[Math.min(this.tries, WAITS.length - 1)];
    this.tries += 1;
    this.timer = setTimeout(() => this.sendAll(), wait);
  }
}
