/** Reasons in a hub's `bye` that its clients act upon; any other is a sentence for people. */
export const byeReasons = Object.freeze({
  /** Somebody stopped the hub on purpose. Those who lose it by that look for one that somebody else starts, and start none. */
  stopped: "stopped",
});
