/**
 * The events of a run in the order seen by one observer. An `outcome` is a text that is unique to an attempt and describes it completely:
 * the answer, and in whose name it was given.
 */
export type HistoryEvent =
  /** An asker's call started. */
  | { type: "called"; call: string; asker: string }
  /** The call's question is this session: new, or joined. */
  | { type: "asked"; call: string; session: string }
  /** Somebody sends an answer, or declines. */
  | { type: "sent"; attempt: string; session: string; outcome: string }
  /** They were told that a file for the session is stored; `file` is its id. */
  | { type: "uploaded"; session: string; file: string; content: string }
  /** They were told that it was accepted. */
  | { type: "acknowledged"; attempt: string }
  /** They were told about another outcome. */
  | { type: "refused"; attempt: string; standing: string }
  /** The call received an outcome: of its own session, or of an earlier one along with it. */
  | { type: "handed"; call: string; session: string; outcome: string; as: "result" | "earlier" }
  /** The hub has recorded the delivery. */
  | { type: "confirmed"; session: string }
  /** Somebody writes to the other side: a person asks back, or the agent replies. All messages are different. */
  | { type: "wrote"; message: string; session: string }
  /** They were told that it is in the thread. */
  | { type: "kept"; message: string; to: "agent" | "person" }
  /** The call received a person's message. */
  | { type: "given"; call: string; session: string; message: string }
  /** The hub has recorded that. */
  | { type: "read"; message: string }
  /** The final contents of the store: no outcome while pending, the thread, oldest first, and the files of both; null for one that can't be opened. */
  | {
      type: "stored";
      session: string;
      asker: string;
      outcome: string | null;
      thread?: readonly string[];
      files?: readonly { file: string; content: string | null }[];
    };
