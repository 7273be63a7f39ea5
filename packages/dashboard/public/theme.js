// Sets the theme before the first paint: the user's choice, or else the system's preference.
(() => {
  let storedTheme = null;
  try {
    storedTheme = localStorage.getItem("theme");
  } catch {}
  const isDark = storedTheme ? storedTheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
})();
