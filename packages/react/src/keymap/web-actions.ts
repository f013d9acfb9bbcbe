import { actionsOf, type KeyAction, type SharedKeyAction, sharedActions } from "./actions.ts";

/** Keys used by the browser and its controls. */
const browserKeys = new Set(["up", "down", "left", "right", "space", "home", "end", "tab", "shift+tab", "pageup", "pagedown"]);
const isTheBrowsers = (key: string): boolean => browserKeys.has(key) || (key.startsWith("ctrl+") && key !== "ctrl+enter");

/** Keys that only exist in the browser. Their characters are not used in the terminal. */
const webOnlyActions = actionsOf({
  select: { keys: ["x"], place: "list", words: "Select the question, to decline or snooze several" },
});

/** Actions of the browser. */
export type WebKeyAction = SharedKeyAction | keyof typeof webOnlyActions;

/** The keys of the browser: the shared actions, with the keys available to a page, and its own. */
export const webActions = Object.fromEntries(
  Object.entries({ ...sharedActions, ...webOnlyActions }).map(([name, action]) => [
    name,
    { ...action, keys: action.keys.filter((key) => !isTheBrowsers(key)) },
  ]),
) as unknown as Readonly<Record<WebKeyAction, KeyAction>>;
