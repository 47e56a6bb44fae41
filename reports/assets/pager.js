/* The rows of a list too long to be on the page: all are in the block of data, and one page of them is set at a time,
   as templates/failures.html sets a row. Text is only ever set as text. */
const list = (() => {
  const byId = (id) => document.getElementById(id);
  const { kinds, said, rows, page, printed } = JSON.parse(byId("rows").textContent);
  const box = byId("fails"), head = box.firstElementChild;
  let found = [], first = 0;
  const make = (tag, ...parts) => {
    const made = document.createElement(tag);
    made.append(...parts);
    return made;
  };
  const set = Object.assign;
  const gold = (tag, seen, text) =>
    set(make(tag, make("b", "Has the answer" + seen + ":"), " " + text), { className: "g" });
  const item = ([text, isGold, jump]) => set(isGold ? gold("li", "", text) : make("li", text), jump && { value: jump });
  const row = ([question, group, kind, trail, lead, answer, title, items, missing, note, link]) => {
    const ranks = trail.flatMap((rank, i) => [i ? " → " : "", rank ? make("b", rank) : "–"]);
    const summary = make("summary", make("b", question), " ");
    if (group !== null) summary.append(make("i", said[group]), " ");
    summary.append(make("i", kinds[kind][1]), " ", make("i", ...ranks));
    const made = make("details", summary, make("p", lead), make("p", said[title]));
    if (answer !== null) summary.nextSibling.append(" Answered ", make("q", answer));
    if (items.length) made.append(make("ol", ...items.map(item)));
    made.append(...missing.map(([seen, text]) => gold("p", seen, text)));
    if (note !== null) made.append(make("p", said[note]));
    if (link) made.append(make("p", set(make("a", "All its lists"), { href: link })));
    return set(made, { className: kinds[kind][0] });
  };
  const steps = [["Previous", -page], ["Next", page]].map(([label, by]) => {
    const button = set(make("button", label), { type: "button" });
    button.addEventListener("click", () => {
      if (!(first + by in found)) return;
      first += by;
      fill();
      if (box.getBoundingClientRect().top < 0) box.scrollIntoView();
    });
    return [button, by];
  });
  const place = set(make("span"), { role: "status" });
  const nav = set(make("nav", steps[0][0], place, steps[1][0]),
    { className: "tools pages noprint", ariaLabel: "Pages of failures" });
  box.before(nav);
  byId("cut").hidden = true;
  byId("paged").hidden = false;
  function fill() {
    const shown = found.slice(first, first + page);
    box.replaceChildren(head, ...shown.map((i) => row(rows[i])));
    const upTo = (size) => {
      const [from, to, all] = [first + (size && 1), first + size, found.length].map((n) => n.toLocaleString("en"));
      return from + " to " + to + " of " + all;
    };
    place.textContent = upTo(shown.length);
    nav.hidden = found.length <= page;
    for (const [button, by] of steps) button.ariaDisabled = !(first + by in found);
    document.querySelector(".printonly").textContent = "Printed: " + upTo(Math.min(printed, shown.length)) + ".";
  }
  return {
    kinds: rows.map(([, , kind]) => kinds[kind][1]),
    texts: rows.map(([question, group, kind, , lead, answer, , items, missing]) =>
      [question, said[group], kinds[kind][1], lead, answer, items.map(([text]) => text), missing.map(([, text]) => text)]
        .join(" ").toLowerCase()),
    show(wanted) {
      found = wanted;
      first = 0;
      fill();
    },
  };
})();
