import { type KeyAction, type SharedKeyAction, sharedActions } from "./actions.ts";

/** Keys that a browser and its controls use themselves. */
const browserKeys = new Set(["up", "down", "left", "right", "space", "home", "end", "tab", "shift+tab", "pageup", "pagedown"]);
const isTheBrowsers = (key: string): boolean => browserKeys.has(key) || (key.startsWith("ctrl+") && key !== "ctrl+enter");

/** What keys do in a browser: the shared actions, with the keys that it leaves to a page. */
export const webActions = Object.fromEntries(
  Object.entries(sharedActions).map(([name, action]) => [name, { ...action, keys: action.keys.filter((key) => !isTheBrowsers(key)) }]),
) as unknown as Readonly<Record<SharedKeyAction, KeyAction>>;
