// A form and ids of the sentences it lists in, the sentences out; also when the page shows the next item already.
export function sentences(form, ids) {
  const rows = [...form.querySelectorAll(".row")];
  const found = rows.filter((row) => ids.includes(row.querySelector("input").value));
  return found.map((row) => `${rows.indexOf(row) + 1}. “${row.querySelector(".said").textContent}”`);
}
