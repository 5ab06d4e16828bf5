// The ids of listed sentences in, the sentences as the page shows them out; those that are shown no longer are left out.
export function sentences(ids) {
  const rows = [...document.querySelectorAll("form#answer .row")];
  const found = rows.filter((row) => ids.includes(row.querySelector("input").value));
  return found.map((row) => `${rows.indexOf(row) + 1}. “${row.querySelector(".said").textContent}”`);
}
