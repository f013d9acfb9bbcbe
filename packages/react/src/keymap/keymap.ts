import type { KeyAction, KeyPlace } from "./actions.ts";
import type { terminalActions } from "./terminal-actions.ts";
import type { WebKeyAction } from "./web-actions.ts";

/** Actions of either inbox. */
export type KeyActionName = keyof typeof terminalActions | WebKeyAction;

/** The bindings of one surface. */
export interface Keymap {
  /** Whether the key does this. */
  is(key: string, action: KeyActionName): boolean;
  /** The first of the listed actions that the key stands for. */
  find<Name extends KeyActionName>(key: string, among: readonly Name[]): Name | undefined;
  keysOf(action: KeyActionName): readonly string[];
  describe(action: KeyActionName): string;
  /** The actions of a group, in the order of help. */
  actionsIn(place: KeyPlace): readonly KeyActionName[];
}

/** The keymap of an inbox with a person's own keys, which replace an action's defaults, and a sentence about each that cannot be used. */
export function keymapWith(
  actions: Readonly<Partial<Record<KeyActionName, KeyAction>>>,
  own: Readonly<Record<string, string | readonly string[]>> = {},
): { keymap: Keymap; warnings: string[] } {
  const warnings: string[] = [];
  const known = Object.keys(actions) as KeyActionName[];
  const bound = new Map<string, readonly string[]>(Object.entries(actions).map(([name, { keys }]) => [name, keys]));
  for (const [name, given] of Object.entries(own)) {
    if (bound.has(name)) bound.set(name, (typeof given === "string" ? [given] : given).map(keyName));
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

/** The action's first key that types nothing, for while a text is typed; empty if each of its keys types something. */
export const typingKey = (keymap: Keymap, action: KeyActionName): string =>
  keymap.keysOf(action).find((key) => [...key].length > 1 && key !== "space") ?? "";

/** A key's one name: `Ctrl+G`, `C-g` and `ctrl-g` are `ctrl+g`; a capital letter is another key than the small one. */
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
