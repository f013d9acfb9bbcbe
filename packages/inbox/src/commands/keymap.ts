import type { DocumentKeyAction } from "./document-keys.ts";
import type { KeyAction, KeyPlace, WebKeyAction } from "./keys.ts";
import type { terminalActions } from "./terminal-keys.ts";

/** Actions of either inbox. */
export type KeyActionName = keyof typeof terminalActions | WebKeyAction | DocumentKeyAction;

/** The bindings of one surface. */
export interface Keymap {
  /** Whether the key triggers this action. */
  is(key: string, action: KeyActionName): boolean;
  /** The first of these actions that the key triggers. */
  find<Name extends KeyActionName>(key: string, among: readonly Name[]): Name | undefined;
  keysOf(action: KeyActionName): readonly string[];
  describe(action: KeyActionName): string;
  /** The actions of a group, in the order of the help. */
  actionsIn(place: KeyPlace): readonly KeyActionName[];
}

/** The keymap of an inbox with the user's own keys, which replace an action's defaults, and a message about each invalid one. */
export function keymapWith(
  actions: Readonly<Partial<Record<KeyActionName, KeyAction>>>,
  own: Readonly<Record<string, string | readonly string[]>> = {},
): { keymap: Keymap; warnings: string[] } {
  const warnings: string[] = [];
  const known = Object.keys(actions) as KeyActionName[];
  const bound = new Map<string, readonly string[]>(Object.entries(actions).map(([name, { keys }]) => [name, keys]));
  for (const [name, keys] of Object.entries(own)) {
    if (bound.has(name)) bound.set(name, (typeof keys === "string" ? [keys] : keys).map(keyName));
    else warnings.push(`keys.${name} is not an action; the actions are ${known.join(", ")}.`);
  }
  const is = (key: string, action: KeyActionName) => bound.get(action)?.includes(key) === true;
  const keymap: Keymap = {
    is,
    find: (key, among) => among.find((action) => is(key, action)),
    keysOf: (action) => bound.get(action) ?? [],
    describe: (action) => actions[action]?.words ?? "",
    actionsIn: (place) => known.filter((name) => actions[name]?.place === place && bound.get(name)?.length !== 0),
  };
  return { keymap, warnings };
}

/** The action's first key that doesn't type a character, for use in text fields; empty if there is none. */
export const typingKey = (keymap: Keymap, action: KeyActionName): string =>
  keymap.keysOf(action).find((key) => [...key.replace(/^shift\+/, "")].length > 1 && key !== "space") ?? "";

/** Each of an action's keys once, for people: a capital letter is its small one with Shift. */
export const distinctKeys = (keys: readonly string[]): string[] =>
  keys.filter((key) => key === key.toLowerCase() || !keys.includes(`shift+${key.toLowerCase()}`));

/** Normalises a key's name: `Ctrl+G`, `C-g` and `ctrl-g` become `ctrl+g`; a capital letter differs from a small one. */
function keyName(key: string): string {
  if ([...key].length === 1) return key;
  return key
    .toLowerCase()
    .replace(/\b(c|ctrl|control)[-+](?=.)/, "ctrl+")
    .replace(/\b(m|a|alt|meta|option)[-+](?=.)/, "alt+")
    .replace(/\bshift[-+](?=.)/, "shift+")
    .replace(/\b(return)$/, "enter")
    .replace(/\b(esc)$/, "escape");
}
