import { settings } from "../stored-settings.ts";

/** Applies the chosen colours to the page, now and after each change. */
export function applyTheme(): void {
  const apply = () => {
    const { theme } = settings.getState();
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  };
  apply();
  settings.subscribe(apply);
}
