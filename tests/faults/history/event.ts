/**
 * What was seen of a run, in the order in which one observer saw it. An `outcome` is a text that no two attempts share and that says
 * everything about it: what was given, and in whose name.
 */
export type HistoryEvent =
  /** A call of an asker began. */
  | { type: "called"; call: string; asker: string }
  /** The call's question is this session: new, or joined. */
  | { type: "asked"; call: string; session: string }
  /** Somebody sends an answer, or a no. */
  | { type: "sent"; attempt: string; session: string; outcome: string }
  /** That somebody was told that it was taken. */
  | { type: "acknowledged"; attempt: string }
  /** That somebody was told that another stands. */
  | { type: "refused"; attempt: string; standing: string }
  /** The call was given an outcome: of its own session, or of an earlier one along with it. */
  | { type: "handed"; call: string; session: string; outcome: string; as: "result" | "earlier" }
  /** The hub has confirmed that it knows of the handing over. */
  | { type: "confirmed"; session: string }
  /** Somebody writes to the other side: a person asks back, or the agent replies. No two messages are the same. */
  | { type: "wrote"; message: string; session: string }
  /** That somebody was told that it is in the thread. */
  | { type: "kept"; message: string; to: "agent" | "person" }
  /** The call was given what a person asks back. */
  | { type: "given"; call: string; session: string; message: string }
  /** The hub has confirmed that it knows of that. */
  | { type: "read"; message: string }
  /** What the store holds in the end: no outcome while pending, and the thread, oldest first. */
  | { type: "stored"; session: string; asker: string; outcome: string | null; thread?: readonly string[] };
