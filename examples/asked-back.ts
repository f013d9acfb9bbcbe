/**
 * An agent without a model: it asks a person, replies from a script when it is asked back, and prints the answer. All of it is in `run(call)`, which
 * doesn't depend on how tools are called (over stdio, HTTP or otherwise).
 */

/** Calls an askbox tool and returns its structured result. */
export type CallTool = (name: string, args: Record<string, unknown>) => Promise<AskResult>;

/** The part of `ask_user`'s result that the agent needs. */
export interface AskResult {
  answered?: boolean;
  pending?: boolean;
  sessionId?: string;
  askedBack?: { questionId?: string; text: string }[];
  answers?: { questionId: string; values: string[] }[];
}

const replies = ["SQLite needs no server; **Postgres** would be one more process.", "Yes: one command moves the data later."];

/** Asks, replies whenever it is asked back, and resolves with the choice; undefined if nobody made one. */
export async function run(call: CallTool): Promise<string | undefined> {
  const questions = [{ id: "db", question: "Which database?", options: ["SQLite", "Postgres"] }];
  let result = await call("ask_user", { title: "Storage", questions });
  let rounds = 0;
  while (result.pending === true && result.sessionId !== undefined) {
    const { sessionId, askedBack } = result;
    // Without a message this is a ticket: the call had to return, so keep waiting.
    const reply = askedBack === undefined ? undefined : (replies[rounds++] ?? "I have no more to say.");
    result = await call("get_answer", reply === undefined ? { sessionId } : { sessionId, reply });
  }
  return result.answered === true ? result.answers?.[0]?.values[0] : undefined;
}
