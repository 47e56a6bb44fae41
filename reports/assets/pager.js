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
  const gold = (tag, label, text) => {
    const made = make(tag, make("b", label + ":"), " " + text);
    made.className = "g";
    return made;
  };
  const item = ([text, isGold, jump]) => {
    const made = isGold ? gold("li", "Has the answer", text) : make("li", text);
    if (jump) made.value = jump;
    return made;
  };
  const row = ([question, group, kind, trail, lead, answer, title, items, missing, note]) => {
    const ranks = trail.flatMap((rank, i) => [i ? " → " : "", rank === null ? "–" : make("b", rank)]);
    const summary = make("summary", make("b", question), " ");
    if (group !== null) summary.append(make("i", said[group]), " ");
    summary.append(make("i", kinds[kind][1]), " ", make("i", ...ranks));
    const made = make("details", summary, make("p", lead), make("p", said[title]));
    if (answer !== null) summary.nextSibling.append(" Answered ", make("q", answer));
    if (items.length) made.append(make("ol", ...items.map(item)));
    made.append(...missing.map(([seen, text]) => gold("p", "Has the answer" + seen, text)));
    if (note !== null) made.append(make("p", said[note]));
    made.className = kinds[kind][0];
    return made;
  };
  const turners = [["Previous", -page], ["Next", page]].map(([label, by]) => {
    const button = make("button", label);
    button.type = "button";
    button.addEventListener("click", () => {
      if (!(first + by in found)) return;
      first += by;
      fill();
      if (box.getBoundingClientRect().top < 0) box.scrollIntoView();
    });
    return [button, by];
  });
  const place = make("span");
  place.role = "status";
  const nav = make("nav", turners[0][0], place, turners[1][0]);
  nav.className = "tools pages noprint";
  nav.ariaLabel = "Pages of failures";
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
    for (const [button, by] of turners) button.ariaDisabled = !(first + by in found);
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
