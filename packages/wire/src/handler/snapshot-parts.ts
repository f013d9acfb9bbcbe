import type { DeskEvent, Draft, SessionView } from "@askbox/core";

type Snapshot = Extract<DeskEvent, { type: "snapshot" }>;

/** The part of a snapshot that is not sent yet. Changes to it are merged in place. */
export interface SnapshotParts {
  readonly isSent: boolean;
  /** The next part as JSON; all but the last have `more`. */
  next(): string;
  /** Merges a change to something that is not sent yet. Returns false if the change must be sent separately. */
  take(event: DeskEvent): boolean;
}

/** Splits a snapshot into parts of about `maxBytes` as JSON: a part ends with the session or draft that exceeds it. */
export function snapshotParts({ sessions, drafts }: Snapshot, maxBytes: number): SnapshotParts {
  const unsent = new Map<string, SessionView>(sessions.map((session) => [session.id, session]));
  const unsentDrafts = new Map<string, Draft>(drafts.map((draft) => [draft.sessionId, draft]));
  let isSent = false;

  return {
    get isSent() {
      return isSent;
    },
    next() {
      let room = maxBytes;
      const take = (left: Map<string, unknown>) => {
        const taken: string[] = [];
        for (const [id, item] of left) {
          if (room <= 0) break;
          const text = JSON.stringify(item);
          room -= text.length;
          taken.push(text);
          left.delete(id);
        }
        return taken.join(",");
      };
      const part = `{"type":"snapshot","sessions":[${take(unsent)}],"drafts":[${take(unsentDrafts)}]`;
      isSent = unsent.size + unsentDrafts.size === 0;
      return isSent ? `${part}}` : `${part},"more":true}`;
    },
    take(event) {
      switch (event.type) {
        case "session": {
          const { id, status } = event.session;
          if (!unsent.has(id)) return false;
          if (status === "pending") return unsent.set(id, event.session).size > 0;
          unsent.delete(id);
          unsentDrafts.delete(id);
          return false;
        }
        case "presence": {
          const session = unsent.get(event.sessionId);
          if (session !== undefined) unsent.set(event.sessionId, { ...session, presence: event.presence });
          return session !== undefined;
        }
        case "removed":
          unsent.delete(event.sessionId);
          unsentDrafts.delete(event.sessionId);
          return false;
        case "draft":
          if (!unsent.has(event.draft.sessionId)) unsentDrafts.delete(event.draft.sessionId);
          else unsentDrafts.set(event.draft.sessionId, event.draft);
          return unsent.has(event.draft.sessionId);
        case "draft_erased":
          unsentDrafts.delete(event.sessionId);
          return false;
        case "snapshot":
          return false;
      }
    },
  };
}
