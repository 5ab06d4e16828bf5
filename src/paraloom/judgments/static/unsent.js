// On every page but the work page, which does it itself: what this browser still keeps is sent, and what was refused is shown.
import { Outbox } from "./outbox.js";

const person = document.querySelector("script[data-person]")?.dataset.person;
if (person) {
  const outbox = new Outbox(person);
  const told = () => {
    const waiting = outbox.waiting().length;
    const refused = outbox.refused();
    if (refused.length) window.paraloom.status("error", `${refused.length} kept in this browser, refused by the service: ${refused.at(-1).reason}`);
    if (waiting) window.paraloom.status("kept", `${waiting} kept in this browser, not sent`);
  };
  outbox.onChange(told);
  told();
  if (outbox.waiting().length) outbox.sendAll().then((error) => error === null && !outbox.refused().length && window.paraloom.status("saved", "All answers sent"));
}
