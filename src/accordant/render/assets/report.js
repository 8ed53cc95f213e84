// Sorting, choosing, and opening the items behind a cell. The page is complete without it.
(() => {
  "use strict";
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (name, text, kind) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };
  document.documentElement.classList.add("js");

  // ---------------------------------------------------------------- choices
  // The same choice in several sections, such as the question, is made once for all.
  const choices = all(".choice").map((choice) => {
    const select = choice.querySelector(":scope > label select");
    const names = all("option", select).map((option) => option.textContent.trim());
    const what = select.closest("label").firstChild.textContent.trim();
    return { select, names, what, options: all(":scope > .option", choice) };
  });
  const show = ({ select, options }) => options.forEach((option, k) => { option.hidden = k !== select.selectedIndex; });
  for (const choice of choices) {
    choice.select.closest("label").hidden = false;
    show(choice);
    choice.select.addEventListener("change", () => {
      const top = choice.select.getBoundingClientRect().top;
      const name = choice.names[choice.select.selectedIndex];
      for (const other of choices.filter((other) => other.what === choice.what)) {
        const at = other === choice ? choice.select.selectedIndex : other.names.indexOf(name);
        if (at >= 0) other.select.selectedIndex = at;
        show(other);
      }
      scrollBy({ top: choice.select.getBoundingClientRect().top - top, behavior: "instant" });
    });
  }

  // ---------------------------------------------------------------- sorting
  const sortable = (cell) => {
    const text = cell.textContent.trim();
    if (!cell.closest("table").classList.contains(`r${cell.cellIndex + 1}`)) return text;
    const number = text.replaceAll(",", "").replaceAll("\u2212", "-").match(/-?\d*\.?\d+/);
    return number ? Number(number[0]) : NaN;
  };
  const before = (a, b) => {
    if (typeof a === "string" || typeof b === "string") return String(a).localeCompare(String(b), undefined, { numeric: true });
    return Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a - b;
  };
  const help = JSON.parse(document.getElementById("help-data").textContent);
  for (const head of all(".table thead th")) {
    if (!head.title) head.title = help[head.textContent.trim()] ?? "";
    const button = make("button", head.textContent.trim());
    button.type = "button";
    if (head.title) button.title = head.title;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const body = head.closest("table").tBodies[0];
      const at = head.cellIndex;
      const down = head.getAttribute("aria-sort") === "ascending";
      all("th", head.parentElement).forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].map((row) => [sortable(row.cells[at]), row]);
      rows.sort(([a], [b]) => (Number.isNaN(a) || Number.isNaN(b) ? before(a, b) : down ? before(b, a) : before(a, b)));
      body.append(...rows.map(([, row]) => row));
    });
  }

  // ---------------------------------------------------------------- what goes on at the right
  // A box that can be scrolled fades out there and says so; it may become one when it is shown.
  const hints = new Map();
  const look = (box) => {
    const more = box.scrollWidth - box.clientWidth - box.scrollLeft > 4;
    if (more && !hints.has(box)) {
      const hint = make("p", "Scroll sideways for more \u2192", "hint");
      hint.setAttribute("aria-hidden", "true");
      box.after(hint);
      hints.set(box, hint);
    }
    box.classList.toggle("more", more);
    if (more) box.tabIndex = 0; // can be scrolled with the arrow keys
    const hint = hints.get(box);
    if (!hint) return;
    hint.hidden = box.scrollWidth - box.clientWidth <= 4;
    hint.style.visibility = more ? "" : "hidden"; // keeps its place, so that nothing jumps
  };
  const sizes = new ResizeObserver((changes) => changes.forEach((change) => look(change.target)));
  for (const box of all(".scroll")) {
    box.addEventListener("scroll", () => look(box), { passive: true });
    sizes.observe(box);
  }

  // ---------------------------------------------------------------- copying
  for (const button of all("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const label = button.textContent;
      try {
        await navigator.clipboard.writeText(source.textContent.trim());
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(source);
        button.textContent = "Selected: press Ctrl+C";
      }
      setTimeout(() => { button.textContent = label; }, 2000);
    });
  }

  // ---------------------------------------------------------------- the items behind a cell
  const evidence = JSON.parse(document.getElementById("behind-data").textContent);
  const dialog = document.getElementById("behind");
  const list = document.getElementById("behind-list");
  const search = document.getElementById("behind-search");
  const note = document.getElementById("behind-note");
  const STEP = 50;
  let open = null; // the items that are listed, and how many of them are shown

  const entry = (number) => {
    const [item, question, text, answers] = evidence.entries[number];
    const line = make("li");
    line.append(make("b", item));
    if (question !== null) line.append(` · ${evidence.questions[question]}`);
    if (text !== null) line.append(make("p", evidence.texts[text]));
    const said = make("div", undefined, "answers");
    for (const [coder, value] of answers) {
      const chip = make("span");
      if (coder !== null) chip.append(make("i", `${evidence.coders[coder]} `));
      chip.append(evidence.values[value]);
      said.append(chip);
    }
    line.append(said);
    return line;
  };
  const words = (number) => {
    const [item, question, text, answers] = evidence.entries[number];
    const parts = [item, question === null ? "" : evidence.questions[question], text === null ? "" : evidence.texts[text]];
    for (const [coder, value] of answers) parts.push(coder === null ? "" : evidence.coders[coder], evidence.values[value]);
    return parts.join(" ").toLowerCase();
  };
  const fill = () => {
    const wanted = search.value.trim().toLowerCase();
    const found = open.items.filter((number) => !wanted || words(number).includes(wanted));
    const now = found.slice(0, open.shown);
    list.replaceChildren(...now.map(entry));
    if (found.length > now.length) {
      const more = make("button", "Show more", "action");
      more.type = "button";
      more.addEventListener("click", () => { open.shown += STEP; fill(); });
      const line = make("li");
      line.append(more);
      list.append(line);
    }
    const total = open.total.toLocaleString("en");
    const kept = open.items.length < open.total ? ` The report holds the first ${open.items.length} of them.` : "";
    note.textContent = `Showing ${now.length} of ${total}.${kept}${wanted ? ` ${found.length} match the search.` : ""}`;
  };
  const openItems = (button) => {
    const [total, items] = evidence.cells[button.dataset.items];
    open = { total, items, shown: STEP };
    document.getElementById("behind-title").textContent = button.getAttribute("aria-label");
    search.value = "";
    fill();
    dialog.showModal();
    list.scrollTop = 0;
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-items]");
    if (button) openItems(button);
  });
  search.addEventListener("input", () => { open.shown = STEP; fill(); });
  document.getElementById("behind-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

  // Arrow keys move between the cells of a matrix.
  const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.(".matrix td");
    const move = moves[event.key];
    if (!cell || !move) return;
    event.preventDefault();
    let [row, column] = [cell.parentElement.sectionRowIndex, cell.cellIndex];
    const rows = cell.closest("tbody").rows;
    for (;;) {
      row += move[0]; column += move[1];
      const next = rows[row]?.cells[column];
      if (!next) return;
      const button = next.querySelector("button");
      if (button) { button.focus(); return; }
    }
  });

  // ---------------------------------------------------------------- where the reader is
  const links = new Map(all(".contents a").map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver((changes) => {
    for (const change of changes) {
      if (!change.isIntersecting) continue;
      links.forEach((link) => link.removeAttribute("aria-current"));
      links.get(change.target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-10% 0px -80% 0px" });
  all("section[id]").forEach((section) => seen.observe(section));

  // ---------------------------------------------------------------- on paper everything is open
  addEventListener("beforeprint", () => all("details").forEach((fold) => {
    fold.dataset.was = fold.open ? "open" : "";
    fold.open = true;
  }));
  addEventListener("afterprint", () => all("details").forEach((fold) => { fold.open = fold.dataset.was === "open"; }));
})();
