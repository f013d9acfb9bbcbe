export { type KeyAction, type KeyPlace, keyPlaces, type SharedKeyAction, sharedActions } from "./actions.ts";
export { digitOfOption, optionOfDigit } from "./digits.ts";
export { type Keymap, keymapWith, keyName, typingKey } from "./keymap.ts";
export { type KeyActionName, terminalActions } from "./terminal-actions.ts";
export { webActions } from "./web-actions.ts";
