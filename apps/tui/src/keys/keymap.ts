/** What can be done by a key, with its keys unless the config says otherwise and the words that the help has for it. */
const defaults = {
  up: [["up", "k"], "Up"],
  down: [["down", "j"], "Down"],
  pageUp: [["pageup", "ctrl+b"], "Scroll up"],
  pageDown: [["pagedown", "ctrl+f"], "Scroll down"],
  first: [["home", "g"], "To the first"],
  last: [["end", "shift+g", "G"], "To the last"],
  open: [["enter", "right", "l"], "Open the question under the cursor"],
  back: [["escape"], "A step back; nothing is lost"],
  confirm: [["enter"], "Pick, go on, and at the end send"],
  toggle: [["space"], "Pick or take back"],
  next: [["tab", "right", "l"], "Next question"],
  previous: [["shift+tab", "left"], "Question before"],
  yes: [["y"], "Yes"],
  no: [["n"], "No"],
  recommended: [["r", "alt+r"], "Take over what the agent recommends or suggests"],
  earlier: [["e"], "Answer as before"],
  other: [["o"], "Other: type an answer of your own"],
  note: [["n", "m", "alt+n"], "Note to this question"],
  comment: [["c", "alt+c"], "Comment to the whole"],
  skip: [["s", "alt+s"], "Skip an optional question, or take the skip back"],
  review: [["ctrl+s"], "Review, and from there send"],
  cancel: [["x", "alt+x"], "Turn the questions down, with a reason"],
  moreTime: [["t", "alt+t"], "More time"],
  undo: [["u", "alt+u"], "Take back an answer on its way"],
  read: [["v", "alt+v"], "Read question and preview on the whole screen"],
  copy: [["y", "alt+y"], "Copy the question"],
  newline: [["ctrl+j", "alt+enter", "shift+enter"], "New line in a text"],
  editor: [["ctrl+g"], "Write the text in $VISUAL or $EDITOR"],
  search: [["/"], "Search"],
  order: [["o"], "Order: soonest deadline or newest"],
  history: [["h"], "What was settled"],
  help: [["?", "alt+?"], "These keys"],
  suspend: [["ctrl+z"], "Suspend"],
  redraw: [["ctrl+l"], "Draw the screen again"],
  quit: [["q"], "Leave; drafts are kept"],
  leave: [["ctrl+c"], "Leave at once; drafts are kept"],
} as const satisfies Record<string, readonly [readonly string[], string]>;

export type Action = keyof typeof defaults;
export const actions = Object.keys(defaults) as Action[];

export interface Keymap {
  /** Whether the key does this. */
  is(key: string, action: Action): boolean;
  /** The first of the listed actions that the key stands for. */
  find<Name extends Action>(key: string, among: readonly Name[]): Name | undefined;
  keysOf(action: Action): readonly string[];
  describe(action: Action): string;
}

/** The action's first key that types nothing; empty where each of its keys does. */
export const typingKey = (keymap: Keymap, action: Action): string => keymap.keysOf(action).find((key) => [...key].length > 1) ?? "";

/** The keymap with a person's own keys, and a sentence about each that cannot be. An action's own keys take the place of its defaults. */
export function keymapWith(own: Readonly<Record<string, string | readonly string[]>> = {}): { keymap: Keymap; warnings: string[] } {
  const warnings: string[] = [];
  const bound = new Map<Action, readonly string[]>(actions.map((action) => [action, defaults[action][0]]));
  for (const [name, given] of Object.entries(own)) {
    if (!Object.hasOwn(defaults, name)) {
      warnings.push(`keys.${name} is not an action; the actions are ${actions.join(", ")}.`);
      continue;
    }
    bound.set(name as Action, (typeof given === "string" ? [given] : given).map(normalized));
  }
  const is = (key: string, action: Action) => bound.get(action)?.includes(key) === true;
  const keymap: Keymap = {
    is,
    find: (key, among) => among.find((action) => is(key, action)),
    keysOf: (action) => bound.get(action) ?? [],
    describe: (action) => defaults[action][1],
  };
  return { keymap, warnings };
}

/** `Ctrl+G`, `C-g`, `ctrl-g` and `ctrl+g` are one key; a capital letter is another than the small one. */
function normalized(key: string): string {
  if ([...key].length === 1) return key;
  return key
    .toLowerCase()
    .replace(/\b(c|ctrl|control)[-+](?=.)/, "ctrl+")
    .replace(/\b(m|a|alt|meta|option)[-+](?=.)/, "alt+")
    .replace(/\bshift[-+](?=.)/, "shift+")
    .replace(/\b(return)$/, "enter")
    .replace(/\b(esc)$/, "escape");
}
