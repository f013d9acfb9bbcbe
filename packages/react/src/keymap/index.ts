export { type KeyAction, type KeyPlace, keyPlaces, type SharedKeyAction, sharedActions } from "./actions.ts";
export { digitOfOption, optionOfDigit } from "./digits.ts";
export { type KeyActionName, type Keymap, keymapWith, keyName, typingKey } from "./keymap.ts";
export { terminalActions } from "./terminal-actions.ts";
export { type WebKeyAction, webActions, webOnlyActions } from "./web-actions.ts";
