import type { AnswerFile } from "@askbox/core/questions";
import type { FieldEdit, FormPart } from "@askbox/inbox";
import type { Ending } from "./ui-state.ts";

/** A file of this machine. */
export interface Attachment {
  session: string;
  /** What gets it: the answer to a question, the comment on all answers, or the message to the agent. */
  to: FormPart | "message";
  path: string;
}

/** Side effects requested by a key. Those with a `session` apply to that session's form and run in order. */
export type Effect =
  | { kind: "edit"; session: string; questionId: string; edit: FieldEdit }
  /** Without `files`, those with the comment stay. */
  | { kind: "comment"; session: string; text: string; files?: AnswerFile[] }
  | { kind: "reason"; session: string; text: string }
  | { kind: "focus"; session: string; part: FormPart | undefined }
  /** Shows validation errors of the current step. */
  | { kind: "check"; session: string }
  | { kind: "goTo"; session: string; step: number }
  | { kind: "earlier"; session: string }
  | { kind: "submit"; session: string }
  | { kind: "cancel"; session: string; reason: string }
  /** Sends a message to the agent; `about` is one question or all of them. */
  | { kind: "askBack"; session: string; text: string; about: string | undefined; files?: readonly AnswerFile[] }
  /** `timeout` ms from now, or null for no deadline. */
  | { kind: "extend"; session: string; timeout: number | null; label: string }
  | { kind: "recall"; session: string }
  /** Until then, in wall time; null wakes it. */
  | { kind: "snooze"; id: string; until: number | null }
  | { kind: "searchHistory"; query: string; ending: Ending | undefined }
  | { kind: "moreHistory" }
  /** Reads the grants, after revoking one of them. */
  | { kind: "readGrants"; revoke?: string }
  /** Reads what ran without a person, after revoking a grant. */
  | { kind: "readRan"; revoke?: string }
  /** Reads what agents asked for before, where the session's is from. */
  | { kind: "readPast"; session: string }
  /** Reads the agents' conversations. */
  | { kind: "readAgents" }
  /** Writes to an agent's conversation. */
  | { kind: "messageAgent"; id: string; text: string }
  /** Wakes the session's agent. */
  | { kind: "wake"; id: string }
  /** Uploads a file of this machine, and attaches it. */
  | ({ kind: "attach" } & Attachment)
  /** Attaches the files to the message, if what was pasted into it is their paths. */
  | { kind: "takeDropped"; session: string; text: string }
  | { kind: "completePath"; text: string }
  | { kind: "copy"; text: string }
  /** Shows the pictures of a question, or without one those with the comment: in the terminal if it can, else in the browser. */
  | { kind: "showPictures"; id: string; questionId: string | undefined }
  /** Shows a session in the browser. */
  | { kind: "openInBrowser"; id: string }
  /** Opens the text in an external editor. */
  | { kind: "editOutside"; text: string }
  /** Opens the arguments of an action in an external editor, as JSON. */
  | { kind: "editArguments"; session: string; questionId: string; text: string }
  | { kind: "exit"; code: number }
  | { kind: "suspend" }
  | { kind: "redraw" };
