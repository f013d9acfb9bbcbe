/** Actions of either inbox. */
export type KeyActionName = keyof typeof terminalActions | WebKeyAction;

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

/** Where an action applies, and its heading in the help. */
export const keyPlaces = {
  list: "In the list",
  question: "In a question",
  text: "In a text",
  set: "With the whole set",
  everywhere: "Everywhere",
} as const;

/** The context in which a key acts. */
export type KeyPlace = keyof typeof keyPlaces;

/** An action of the keyboard. */
export interface KeyAction {
  /** The default keys. A key that types a character has the same meaning everywhere. */
  keys: readonly string[];
  /** The group in the help. */
  place: KeyPlace;
  /** The description in the help. */
  words: string;
}

/** Actions by name; without it, their type would repeat every entry. */
export const actionsOf = <Name extends string>(actions: Readonly<Record<Name, KeyAction>>): Readonly<Record<Name, KeyAction>> => actions;

/**
 * The keys of both inboxes. No character is used for two actions, so that a key never does something unexpected because another
 * question is open. Keys without a character (Enter, Escape, arrows) mean "into", "out of" and "along", whatever has the focus.
 */
export const sharedActions = actionsOf({
  up: { keys: ["up", "k"], place: "list", words: "Up" },
  down: { keys: ["down", "j"], place: "list", words: "Down" },
  open: { keys: ["enter", "right"], place: "list", words: "Open the selected question" },
  search: { keys: ["/"], place: "list", words: "Search" },
  snooze: { keys: ["z"], place: "list", words: "Snooze: put the question off for a while" },
  agents: { keys: ["A", "shift+a"], place: "list", words: "Agents: who waits, works or has gone" },
  history: { keys: ["h"], place: "list", words: "History" },
  confirm: { keys: ["enter", "ctrl+enter"], place: "question", words: "Pick, continue, and finally send" },
  toggle: { keys: ["space"], place: "question", words: "Pick or unpick" },
  yes: { keys: ["y"], place: "question", words: "Yes" },
  no: { keys: ["n"], place: "question", words: "No; for an approval: deny and send" },
  allow: { keys: ["shift+y", "Y"], place: "question", words: "Allow this once and send" },
  other: { keys: ["o"], place: "question", words: "Other: type your own answer" },
  recommended: { keys: ["r", "alt+r"], place: "question", words: "Use the agent's recommendation or suggestion" },
  earlier: { keys: ["e"], place: "question", words: "Answer as before" },
  skip: { keys: ["s", "alt+s"], place: "question", words: "Skip an optional question, or undo the skip" },
  note: { keys: ["m", "alt+m"], place: "question", words: "Add a note to this question" },
  attach: { keys: ["F", "shift+f", "ctrl+o"], place: "question", words: "Attach a file" },
  read: { keys: ["v", "alt+v"], place: "question", words: "View previews and pictures, or the document to comment on its lines" },
  next: { keys: ["tab", "right", "l"], place: "question", words: "Next question" },
  previous: { keys: ["shift+tab", "left", "p"], place: "question", words: "Previous question" },
  comment: { keys: ["c", "alt+c"], place: "set", words: "Add a comment to the whole set" },
  askBack: { keys: ["i", "alt+i"], place: "set", words: "Ask the agent something first" },
  cancel: { keys: ["d", "ctrl+x"], place: "set", words: "Decline the questions, with a reason" },
  moreTime: { keys: ["t", "alt+t"], place: "set", words: "More time" },
  undo: { keys: ["u", "alt+u"], place: "set", words: "Undo an answer that is about to be sent" },
  back: { keys: ["escape"], place: "everywhere", words: "Go back one step; nothing is lost" },
  help: { keys: ["?", "alt+?"], place: "everywhere", words: "Show the keyboard shortcuts" },
});

/** Actions of both inboxes. */
export type SharedKeyAction = keyof typeof sharedActions;

/** The index of the option for a digit: 1–9 for the first nine, 0 for the tenth; undefined for other keys and beyond `count`. */
export function optionOfDigit(key: string, count: number): number | undefined {
  if (!/^[0-9]$/.test(key)) return undefined;
  const index = key === "0" ? 9 : Number(key) - 1;
  return index < count ? index : undefined;
}

/** The digit for an option, if there is one. */
export function digitOfOption(index: number): string | undefined {
  if (index < 0 || index > 9) return undefined;
  return index === 9 ? "0" : String(index + 1);
}

/**
 * The key for an option: a digit for each of the first ten, and a digit with a modifier for the next ten; empty for others. A page sees Shift
 * with a digit; a terminal only gets the character that it types, which differs between keyboards, so there it is Alt.
 */
export const keyOfOption = (index: number, modifier: "shift" | "alt"): string =>
  digitOfOption(index) ?? (index < 20 ? `${modifier}+${digitOfOption(index - 10)}` : "");

/** The index of the option for a key; undefined for other keys and beyond `count`. */
export function optionOfKey(key: string, count: number, modifier: "shift" | "alt"): number | undefined {
  const index = Array.from({ length: Math.min(20, count) }, (_, at) => keyOfOption(at, modifier)).indexOf(key);
  return index < 0 ? undefined : index;
}

/** The keys of the terminal. A character has the same meaning as in the browser, or none there: `x` is only used by the browser. */
export const terminalActions = actionsOf({
  ...sharedActions,
  confirm: { ...sharedActions.confirm, words: "Continue, and finally send; it picks nothing" },
  attachCopied: { keys: ["P", "shift+p", "ctrl+v"], place: "question", words: "Attach the picture in the clipboard" },
  order: { keys: ["a"], place: "list", words: "Order: soonest deadline or newest" },
  grants: { keys: ["b"], place: "list", words: "Grants: what agents may do without asking" },
  revoke: { keys: ["delete", "backspace"], place: "list", words: "Revoke the selected grant; remove the selected file" },
  arrange: { keys: ["f"], place: "list", words: "Group, or show only one agent, kind, project or outcome" },
  quit: { keys: ["q"], place: "list", words: "Quit; drafts are kept" },
  newline: { keys: ["ctrl+j", "alt+enter", "shift+enter"], place: "text", words: "New line" },
  editor: { keys: ["ctrl+g"], place: "text", words: "Edit the text, or an action's arguments, in $VISUAL or $EDITOR" },
  review: { keys: ["ctrl+s"], place: "set", words: "Review, then send" },
  copy: { keys: ["w", "alt+w"], place: "set", words: "Copy the question, or what was not sent" },
  palette: { keys: [":", "alt+:", "ctrl+k"], place: "everywhere", words: "Palette: find a question, view, agent or command" },
  pageUp: { keys: ["pageup", "ctrl+b"], place: "everywhere", words: "Scroll up" },
  pageDown: { keys: ["pagedown", "ctrl+f"], place: "everywhere", words: "Scroll down" },
  first: { keys: ["home", "g"], place: "everywhere", words: "Go to the first" },
  last: { keys: ["end", "shift+g", "G"], place: "everywhere", words: "Go to the last" },
  suspend: { keys: ["ctrl+z"], place: "everywhere", words: "Suspend" },
  redraw: { keys: ["ctrl+l"], place: "everywhere", words: "Redraw the screen" },
  leave: { keys: ["ctrl+c"], place: "everywhere", words: "Quit at once; drafts are kept" },
});

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
