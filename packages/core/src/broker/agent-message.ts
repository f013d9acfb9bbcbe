import { AskboxError, isAskboxError } from "../errors.ts";
import { limits } from "../session/limits.ts";
import type { SessionRecord } from "../session/record.ts";
import type { ThreadMessage } from "../session/thread.ts";
import type { BrokerContext } from "./context.ts";
import { conversationWith } from "./conversation-list.ts";
import { addMessage } from "./thread.ts";

/** Sessions whose threads are tried. */
const maxTries = 20;

/**
 * Writes to an agent's conversation: see `Desk.message`. The message goes into the thread of a session, and is delivered with it: of the open
 * one that the agent waits for, or else of the latest.
 */
export async function sendMessage(
  context: BrokerContext,
  id: string,
  message: Pick<ThreadMessage, "text" | "by">,
  request: string | undefined,
): Promise<SessionRecord> {
  const parts = await conversationWith(context, id);
  const written = parts.find(({ requests }) => request !== undefined && requests.includes(request));
  if (parts.reduce((sum, { undelivered }) => sum + undelivered, 0) >= limits.rounds && written === undefined) {
    throw new AskboxError("TOO_MANY_ROUNDS", `The agent has not yet received ${limits.rounds} messages; wait until it has.`);
  }
  const rankOf = ({ id: sessionId, state }: { id: string; state: string }) =>
    state === "pending" ? (context.presence.of(sessionId).asker === "attached" ? 0 : 1) : 2;
  const able = parts.filter(({ takesMessages }) => takesMessages).sort((one, other) => rankOf(one) - rankOf(other));
  let refusal: unknown = new AskboxError(
    "VALIDATION",
    "This agent has only asked for permissions, and reads no messages; write to it as the reason of a decision.",
  );
  for (const { id: sessionId } of written === undefined ? able.slice(0, maxTries) : [written]) {
    const session = await context.store.get(sessionId);
    try {
      if (session !== undefined) return await addMessage(context, session, { ...message, unasked: true }, request);
    } catch (error) {
      // Its thread is full, or other questions have replaced it meanwhile.
      if (!isAskboxError(error, "TOO_MANY_ROUNDS") && !isAskboxError(error, "SESSION_CLOSED")) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
