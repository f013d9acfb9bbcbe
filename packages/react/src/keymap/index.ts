export { type KeyAction, type KeyPlace, keyPlaces, type SharedKeyAction } from "./actions.ts";
export { digitOfOption, keyOfOption, optionOfDigit, optionOfKey } from "./digits.ts";
export { type KeyActionName, type Keymap, keymapWith, typingKey } from "./keymap.ts";
export { terminalActions } from "./terminal-actions.ts";
export { type WebKeyAction, webActions } from "./web-actions.ts";
