export { digitOfOption, keyOfOption, optionOfDigit, optionOfKey } from "./digits.ts";
export { type DocumentKeyAction, documentActions } from "./document-keys.ts";
export { decliningWords, type FormCommand, formCommand, formCommands, isAboutActions, isDecision } from "./form-commands.ts";
export { distinctKeys, type KeyActionName, type Keymap, keymapWith, typingKey } from "./keymap.ts";
export {
  type KeyAction,
  type KeyPlace,
  keyPlaces,
  type SharedKeyAction,
  type WebKeyAction,
  webActions,
} from "./keys.ts";
export {
  askedFrom,
  type CommandText,
  matchingCommands,
  otherItems,
  type PaletteItem,
  placeAfter,
  questionItems,
} from "./palette.ts";
export { terminalActions } from "./terminal-keys.ts";
