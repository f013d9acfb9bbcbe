export { breakLine, type Cell, cellsOf, textWidth, truncateLine, wrapText } from "./cells.ts";
export { exactText, suspectCharacters } from "./exact-text.ts";
export { isTooHeavyForMarkdown, withPlainHosts } from "./markdown-text.ts";
export { plainLine, plainText, shorten } from "./plain-text.ts";
export { printable, terminalJson, terminalLine, terminalText } from "./terminal-text.ts";
