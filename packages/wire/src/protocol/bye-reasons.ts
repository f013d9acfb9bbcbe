/** Reasons in a hub's `bye` that its clients act on; any other is a sentence for people. */
export const byeReasons = Object.freeze({
  /** The hub was stopped on purpose. Clients wait for one that somebody else starts, and do not start one themselves. */
  stopped: "stopped",
  /** The hub was only for a demonstration, which has ended: none at its address will follow. */
  ended: "ended",
});
