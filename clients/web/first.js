/* Before the first paint: the colours that were chosen, so that the page does not flash in others. */
try {
  const { theme } = JSON.parse(localStorage.getItem("canfield.preferences") ?? "{}");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // no storage, or not ours: the system's colours then
}
