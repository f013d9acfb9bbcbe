/**
 * Why askbox closed a channel. All codes are between 4000 and 4999, since a browser's WebSocket rejects any other code except 1000 (WHATWG
 * WebSockets, `close()`).
 */
export const closeCodes = Object.freeze({
  done: 1000,
  /** Nothing arrived from the other side within the keep-alive's time. */
  unresponsive: 4000,
  /** The hub is closing; connect again. */
  closing: 4001,
  malformed: 4400,
  refused: 4403,
  helloTimeout: 4408,
  tooLarge: 4413,
});
