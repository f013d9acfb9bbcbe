/**
 * An agent without a model: it asks a person, replies from a script when it is asked back, and prints the answer. `run(call)` is the whole of it; how it calls its
 * tools (over stdio, HTTP or whatever else) is not its business.
 */

/** Calls a tool of askbox and gives its structured result. */
export type CallTool = (name: string, args: Record<string, unknown>) => Promise<AskResult>;

/** As much of the result of `ask_user` as the agent needs. */
export interface AskResult {
  answered?: boolean;
  pending?: boolean;
  sessionId?: string;
  askedBack?: { questionId?: string; text: string }[];
  answers?: { questionId: string; values: string[] }[];
}

const replies = ["SQLite needs no server; **Postgres** would be one more process.", "Yes: one command moves the data later."];

/** Asks, replies as often as it is asked back, and resolves with the choice; undefined if nobody made one. */
export async function run(call: CallTool): Promise<string | undefined> {
  const questions = [{ id: "db", question: "Which database?", options: ["SQLite", "Postgres"] }];
  let result = await call("ask_user", { title: "Storage", questions });
  let rounds = 0;
  while (result.pending === true && result.sessionId !== undefined) {
    const { sessionId, askedBack } = result;
    // Without a question this is a ticket: the call had to come back, and keeps waiting.
    const reply = askedBack === undefined ? undefined : (replies[rounds++] ?? "I have no more to say.");
    result = await call("get_answer", reply === undefined ? { sessionId } : { sessionId, reply });
  }
  return result.answered === true ? result.answers?.[0]?.values[0] : undefined;
}
