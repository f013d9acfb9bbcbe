import { createStore, type FormLayout, type SortOrder, type Store } from "@askbox/inbox";
import { type Grouping, groupings } from "@askbox/inbox/list";
import { useSyncExternalStore } from "react";
import type { Language } from "./i18n/translate.ts";

export interface Settings {
  theme: "system" | "light" | "dark";
  language: Language | "browser";
  layout: FormLayout;
  sort: SortOrder;
  groupBy: "none" | Grouping;
  /** `auto` is compact where a mouse is used and the window is wide. */
  density: "auto" | "comfortable" | "compact";
  /** Seconds that the hub holds an answer so that it can be undone; 0–60. */
  undoSeconds: number;
  /** Whether picking the only option needed sends the answer, or continues to the next question of a set. */
  sendOnPick: boolean;
  /** Whether the next question opens after an answer is sent. */
  opensNext: boolean;
  /** `unasked` until the user has decided; `failed` if it was turned on but the browser showed no notification. */
  notify: "unasked" | "on" | "off" | "failed";
  sound: boolean;
  /** Changes in one column, or side by side; `auto` goes by the room. */
  diffs: "auto" | "unified" | "split";
}

const key = "askbox.settings";
const defaults: Settings = {
  theme: "system",
  language: "browser",
  layout: "steps",
  sort: "deadline",
  groupBy: "none",
  density: "auto",
  undoSeconds: 5,
  sendOnPick: false,
  opensNext: true,
  notify: "unasked",
  sound: false,
  diffs: "auto",
};

const allowed: { [Name in keyof Settings]: (value: unknown) => boolean } = {
  theme: (value) => value === "system" || value === "light" || value === "dark",
  language: (value) => value === "browser" || value === "en" || value === "zh",
  layout: (value) => value === "steps" || value === "page",
  sort: (value) => value === "deadline" || value === "newest",
  groupBy: (value) => value === "none" || groupings.some((each) => each === value),
  density: (value) => value === "auto" || value === "comfortable" || value === "compact",
  undoSeconds: (value) => typeof value === "number" && value >= 0 && value <= 60,
  sendOnPick: (value) => typeof value === "boolean",
  opensNext: (value) => typeof value === "boolean",
  notify: (value) => value === "unasked" || value === "on" || value === "off" || value === "failed",
  sound: (value) => typeof value === "boolean",
  diffs: (value) => value === "auto" || value === "unified" || value === "split",
};

function read(): Settings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    if (typeof stored !== "object" || stored === null) return defaults;
    const known = Object.entries(stored).filter(([name, value]) => Object.hasOwn(allowed, name) && allowed[name as keyof Settings](value));
    // Before, a list could only be grouped by project.
    const groupBy = "grouped" in stored && stored.grouped === true ? "project" : "none";
    return { ...defaults, groupBy, ...Object.fromEntries(known) };
  } catch {
    return defaults;
  }
}

const store = createStore(read());
// Changes from other tabs of this browser.
addEventListener("storage", (event) => {
  if (event.key === key) store.setState(read());
});

export const settings: Store<Settings> = store;

export function changeSettings(change: Partial<Settings>): void {
  store.setState({ ...store.getState(), ...change });
  try {
    localStorage.setItem(key, JSON.stringify(store.getState()));
  } catch {
    // Storage is full or forbidden: the setting lasts until the page is closed.
  }
}

export function useSettings(): Settings {
  return useSyncExternalStore(store.subscribe, store.getState);
}

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
