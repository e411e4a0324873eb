"use strict";
(() => {
  const form = document.getElementById("filters");
  const count = document.getElementById("count");
  const rows = Array.from(document.getElementById("rows").rows, (row) => ({
    row,
    repository: row.dataset.repository,
    type: row.dataset.type,
    states: row.dataset.states.split(" "),
    text: (row.cells[0].textContent + " " + row.cells[1].textContent).toLowerCase(),
  }));
  const agreements = {
    differ: (states) => new Set(states.map((state) => state === "first")).size > 1,
    all: (states) => states.every((state) => state === "first"),
    none: (states) => states.every((state) => state !== "first" && state !== "later"),
  };
  const fits = (state, wanted) => state === wanted || (wanted === "passes" && (state === "first" || state === "later"));

  const apply = () => {
    const wanted = Object.fromEntries(Array.from(new FormData(form)).filter(([, value]) => value !== ""));
    const words = (wanted.words || "").toLowerCase().split(/\s+/).filter(Boolean);
    const runs = Object.keys(wanted).filter((name) => name.startsWith("run-")).map((name) => [Number(name.slice(4)), wanted[name]]);
    let shown = 0;
    for (const one of rows) {
      const keep =
        (!wanted.repository || one.repository === wanted.repository) &&
        (!wanted.type || one.type === wanted.type) &&
        (!wanted.agreement || agreements[wanted.agreement](one.states)) &&
        runs.every(([index, state]) => fits(one.states[index], state)) &&
        words.every((word) => one.text.includes(word));
      one.row.hidden = !keep;
      shown += keep ? 1 : 0;
    }
    count.textContent = shown.toLocaleString("en") + " of " + rows.length.toLocaleString("en") + " samples";
    const address = new URLSearchParams(wanted).toString();
    history.replaceState(null, "", address ? "#" + address : location.pathname);
  };

  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
  }
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  form.hidden = false;
  apply();
})();
