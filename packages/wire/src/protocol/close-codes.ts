/**
 * Why a channel was closed by one of us. All lie between 4000 and 4999, since a browser's WebSocket refuses to close with any other
 * code but 1000 (WHATWG WebSockets, `close()`).
 */
export const closeCodes = Object.freeze({
  done: 1000,
  /** Nothing was heard from the other side for the keep-alive's time. */
  unresponsive: 4000,
  /** The hub is going away; connect again. */
  closing: 4001,
  malformed: 4400,
  refused: 4403,
  helloTimeout: 4408,
  tooLarge: 4413,
});
