export { type Cell, cellsOf, padLine, textWidth, truncateLine } from "./cells.ts";
export { terminalJson, terminalLine, terminalText } from "./terminal-text.ts";
export { breakLine, wrapText } from "./wrap.ts";
