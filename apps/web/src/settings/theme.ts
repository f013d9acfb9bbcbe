import { settings } from "./settings.ts";

/** Puts the chosen colours on the page, now and whenever the choice changes. */
export function applyTheme(): void {
  const apply = () => {
    const { theme } = settings.getState();
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  };
  apply();
  settings.subscribe(apply);
}
