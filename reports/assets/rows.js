/* The rows of a list that is on the page as a whole: those not asked for are hidden. */
const list = (() => {
  const rows = [...document.querySelectorAll("#fails>details")];
  return {
    kinds: rows.map((row) => row.querySelector("summary>:nth-last-child(2)").textContent.trim()),
    texts: rows.map((row) => row.textContent.toLowerCase()),
    show(found) {
      const kept = new Set(found);
      rows.forEach((row, i) => { row.hidden = !kept.has(i); });
    },
  };
})();
