/** The surfaces that a person answers on by keys. */
export type KeySurface = "terminal" | "web";

/** Where an action applies, and the title that help has for it. */
export const keyPlaces = {
  list: "In the list",
  question: "In a question",
  text: "In a text",
  set: "With the whole set",
  everywhere: "Everywhere",
} as const;

export type KeyPlace = keyof typeof keyPlaces;

/** Something that a key does. */
export interface KeyAction {
  /** By default. One that types a character means the same everywhere. */
  keys: readonly string[];
  /** Where help lists it. */
  place: KeyPlace;
  /** Where it is bound; both unless said. */
  only?: KeySurface;
  /** What help says. */
  words: string;
}

/**
 * The keymap of both inboxes. No character stands for two actions, so that a key never does something else than was meant because another
 * question is open. Keys without a character (Enter, Escape, arrows) mean "into", "out of" and "along" whatever has the focus.
 * `x` and `z` are not given away: they are for selecting several questions and for snoozing one.
 */
export const keyActions = {
  up: { keys: ["up", "k"], place: "list", words: "Up" },
  down: { keys: ["down", "j"], place: "list", words: "Down" },
  open: { keys: ["enter", "right"], place: "list", words: "Open the question under the cursor" },
  search: { keys: ["/"], place: "list", words: "Search" },
  order: { keys: ["a"], place: "list", only: "terminal", words: "Order: soonest deadline or newest" },
  history: { keys: ["h"], place: "list", words: "History" },
  quit: { keys: ["q"], place: "list", only: "terminal", words: "Quit; drafts are kept" },
  confirm: { keys: ["enter", "ctrl+enter"], place: "question", words: "Pick, go on, and at the end send" },
  toggle: { keys: ["space"], place: "question", words: "Pick or unpick" },
  yes: { keys: ["y"], place: "question", words: "Yes" },
  no: { keys: ["n"], place: "question", words: "No" },
  other: { keys: ["o"], place: "question", words: "Other: type an answer of your own" },
  recommended: { keys: ["r", "alt+r"], place: "question", words: "Use what the agent recommends or suggests" },
  earlier: { keys: ["e"], place: "question", words: "Answer as before" },
  skip: { keys: ["s", "alt+s"], place: "question", words: "Skip an optional question, or undo the skip" },
  note: { keys: ["m", "alt+m"], place: "question", words: "Add a note to this question" },
  read: { keys: ["v", "alt+v"], place: "question", words: "View the question's previews" },
  next: { keys: ["tab", "right", "l"], place: "question", words: "Next question" },
  previous: { keys: ["shift+tab", "left", "p"], place: "question", words: "Previous question" },
  newline: { keys: ["ctrl+j", "alt+enter", "shift+enter"], place: "text", only: "terminal", words: "New line" },
  editor: { keys: ["ctrl+g"], place: "text", only: "terminal", words: "Write the text in $VISUAL or $EDITOR" },
  review: { keys: ["ctrl+s"], place: "set", only: "terminal", words: "Review, and from there send" },
  comment: { keys: ["c", "alt+c"], place: "set", words: "Add a comment to the whole set" },
  cancel: { keys: ["d", "ctrl+x"], place: "set", words: "Decline the questions, with a reason" },
  moreTime: { keys: ["t", "alt+t"], place: "set", words: "More time" },
  undo: { keys: ["u", "alt+u"], place: "set", words: "Undo an answer that is about to be sent" },
  copy: { keys: ["w", "alt+w"], place: "set", only: "terminal", words: "Copy the question" },
  pageUp: { keys: ["pageup", "ctrl+b"], place: "everywhere", only: "terminal", words: "Scroll up" },
  pageDown: { keys: ["pagedown", "ctrl+f"], place: "everywhere", only: "terminal", words: "Scroll down" },
  first: { keys: ["home", "g"], place: "everywhere", only: "terminal", words: "To the first" },
  last: { keys: ["end", "shift+g", "G"], place: "everywhere", only: "terminal", words: "To the last" },
  back: { keys: ["escape"], place: "everywhere", words: "One step back; nothing is lost" },
  help: { keys: ["?", "alt+?"], place: "everywhere", words: "Show the keyboard shortcuts" },
  suspend: { keys: ["ctrl+z"], place: "everywhere", only: "terminal", words: "Suspend" },
  redraw: { keys: ["ctrl+l"], place: "everywhere", only: "terminal", words: "Redraw the screen" },
  leave: { keys: ["ctrl+c"], place: "everywhere", only: "terminal", words: "Quit at once; drafts are kept" },
} as const satisfies Record<string, KeyAction>;

export type KeyActionName = keyof typeof keyActions;
export const keyActionNames = Object.keys(keyActions) as KeyActionName[];
/** Actions that both surfaces have. */
export type SharedKeyAction = {
  [Name in KeyActionName]: (typeof keyActions)[Name] extends { only: KeySurface } ? never : Name;
}[KeyActionName];
