import type { UnsavedDraft, UnsavedDrafts } from "@askbox/inbox";

const prefix = "askbox.unsaved.";

/** Stores unsaved input in this browser, so that a reload without a hub loses nothing. */
export const unsavedDrafts: UnsavedDrafts = {
  load(sessionId) {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(prefix + sessionId) ?? "null");
      return isUnsaved(stored) ? stored : undefined;
    } catch {
      return undefined;
    }
  },
  save(sessionId, unsaved) {
    try {
      localStorage.setItem(prefix + sessionId, JSON.stringify(unsaved));
    } catch {
      // Storage is full or forbidden; the hub still gets the draft.
    }
  },
  remove(sessionId) {
    localStorage.removeItem(prefix + sessionId);
  },
};

function isUnsaved(value: unknown): value is UnsavedDraft {
  return typeof value === "object" && value !== null && "patch" in value && "at" in value && typeof value.at === "number";
}
