export type Theme = "light" | "dark";

const STORED = "riskgate.theme";

/** The chosen theme; null follows the system. */
export function storedTheme(): Theme | null {
  const theme = localStorage.getItem(STORED);
  return theme === "light" || theme === "dark" ? theme : null;
}

/** Applies and remembers a theme; null follows the system. */
export function applyTheme(theme: Theme | null): void {
  if (theme === null) {
    localStorage.removeItem(STORED);
    delete document.documentElement.dataset["theme"];
  } else {
    localStorage.setItem(STORED, theme);
    document.documentElement.dataset["theme"] = theme;
  }
}
