/** How an ask is parsed; loaded with the first one, so that a page that only answers has none of it. */
export { parseAsk } from "@askbox/core";
