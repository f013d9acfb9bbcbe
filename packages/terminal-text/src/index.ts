export { type Cell, cellsOf, textWidth, truncateLine } from "./cells.ts";
export { exactText, suspectCharacters } from "./exact-text.ts";
export { isTooHeavyForMarkdown } from "./markdown-weight.ts";
export { withPlainHosts } from "./plain-hosts.ts";
export { plainLine, plainText, shorten } from "./plain-text.ts";
export { printable, terminalJson, terminalLine, terminalText } from "./terminal-text.ts";
export { breakLine, wrapText } from "./wrap.ts";
