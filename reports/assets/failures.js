/* Filters of the failure list: a button for each kind of loss and one for text. Built here, so that a page without
   scripts never shows a control that does nothing. Text is only ever set as text. */
(() => {
  const tools = document.getElementById("tools");
  const rows = [...document.querySelectorAll("#fails>details")];
  const haystacks = rows.map((row) => row.textContent.toLowerCase());
  const kindOf = rows.map((row) => row.querySelector("summary>:nth-last-child(2)").textContent.trim());
  const kinds = new Map([["", "All"], ...kindOf.map((name) => [name, name])]);
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
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = Boolean((kind && kindOf[i] !== kind) || (wanted && !haystacks[i].includes(wanted)));
      shown += !row.hidden;
    });
    for (const [key, button] of buttons) button.setAttribute("aria-pressed", String(key === kind));
    status.textContent = shown === rows.length ? "" : shown + " of " + rows.length;
  }
  update();
})();
