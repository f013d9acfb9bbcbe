/** Where an action applies, and its heading in the help. */
export const keyPlaces = {
  list: "In the list",
  question: "In a question",
  text: "In a text",
  set: "With the whole set",
  document: "In a document",
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
  down: { keys: ["down", "j"], place: "list", words: "Down" },
  up: { keys: ["up", "k"], place: "list", words: "Up" },
  first: { keys: ["home", "g"], place: "list", words: "Go to the first" },
  last: { keys: ["end", "shift+g", "G"], place: "list", words: "Go to the last" },
  open: { keys: ["enter", "right"], place: "list", words: "Open the selected question" },
  search: { keys: ["/"], place: "list", words: "Search" },
  snooze: { keys: ["z"], place: "list", words: "Snooze: put the question off for a while" },
  agents: { keys: ["A", "shift+a"], place: "list", words: "Agents: who waits, works or has gone" },
  history: { keys: ["h"], place: "list", words: "History" },
  ran: { keys: ["R", "shift+r"], place: "list", words: "What ran without you, and who let it" },
  confirm: { keys: ["enter", "ctrl+enter"], place: "question", words: "Pick, continue, and finally send" },
  toggle: { keys: ["space"], place: "question", words: "Pick or unpick" },
  yes: { keys: ["y"], place: "question", words: "Yes" },
  no: { keys: ["n"], place: "question", words: "No; for an approval: deny and send" },
  allow: { keys: ["shift+y", "Y"], place: "question", words: "Allow this once and send" },
  always: { keys: ["a"], place: "question", words: "Allow always: for how long, and what" },
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

/** Keys used by the browser and its controls. */
const browserKeys = new Set(["up", "down", "left", "right", "space", "tab", "shift+tab", "pageup", "pagedown"]);
const isTheBrowsers = (key: string): boolean => browserKeys.has(key) || (key.startsWith("ctrl+") && key !== "ctrl+enter");

/** Keys that only exist in the browser. Their characters are not used in the terminal. */
const webOnlyActions = actionsOf({
  select: { keys: ["x"], place: "list", words: "Select the question, to decline or snooze several" },
  selectDown: { keys: ["shift+j"], place: "list", words: "Select the next one, too" },
  selectUp: { keys: ["shift+k"], place: "list", words: "Select the previous one, too" },
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
