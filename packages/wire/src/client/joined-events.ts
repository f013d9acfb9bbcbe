import type { DeskEvent, Draft, SessionView } from "@askbox/core";
import type { SentEvent } from "../protocol/messages.ts";

/**
 * Joins the parts of a snapshot. Returns a function that accepts each event as sent and returns the watcher's events: none while parts are
 * missing, then the snapshot and the changes that came between its parts.
 */
export function joinedEvents(): (event: SentEvent) => DeskEvent[] {
  let parts: { sessions: SessionView[]; drafts: Draft[]; between: DeskEvent[] } | undefined;
  return (event) => {
    if (event.type !== "snapshot") {
      if (parts === undefined) return [event];
      parts.between.push(event);
      return [];
    }
    const { sessions, drafts, more } = event;
    parts ??= { sessions: [], drafts: [], between: [] };
    // Not spread into a call: a part may have more items than a call allows arguments.
    for (const session of sessions) parts.sessions.push(session);
    for (const draft of drafts) parts.drafts.push(draft);
    if (more === true) return [];
    const { between, ...whole } = parts;
    parts = undefined;
    return [{ type: "snapshot", ...whole }, ...between];
  };
}
