/* Filters of the failure list: a button for each kind of loss and one for text. Built here, so that a page without
   scripts never shows a control that does nothing. The rows are those of the list before it: rows.js or pager.js. */
(() => {
  const tools = document.getElementById("tools");
  const kinds = new Map([["", "All"], ...list.kinds.map((name) => [name, name])]);
  let kind = "", wanted = "";
  const group = document.createElement("div");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Show failures");
  const buttons = [...kinds].map(([key, label]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => { kind = key; update(); });
    group.append(button);
    return [key, button];
  });
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "Filter questions";
  input.setAttribute("aria-label", "Filter questions");
  input.addEventListener("input", () => { wanted = input.value.trim().toLowerCase(); update(); });
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  group.append(status);
  tools.append(group, input);
  tools.hidden = false;
  function update() {
    const found = [];
    list.texts.forEach((text, i) => {
      if ((!kind || list.kinds[i] === kind) && (!wanted || text.includes(wanted))) found.push(i);
    });
    list.show(found);
    for (const [key, button] of buttons) button.setAttribute("aria-pressed", String(key === kind));
    const [shown, all] = [found, list.texts].map((each) => each.length.toLocaleString("en"));
    status.textContent = shown === all ? "" : shown + " of " + all;
  }
  update();
})();
