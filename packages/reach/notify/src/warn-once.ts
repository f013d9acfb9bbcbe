import type { Log } from "@askbox/core";

/** Logs a warning, once per sentence. */
export type WarnOnce = (sentence: string, data?: Record<string, unknown>) => void;

export function warnOnceTo(log: Log): WarnOnce {
  const said = new Set<string>();
  return (sentence, data) => {
    if (said.has(sentence)) return;
    said.add(sentence);
    log("warn", sentence, data);
  };
}
