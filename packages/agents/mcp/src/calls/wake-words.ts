import { askResult, earlierResult, type SessionRecord } from "@askbox/core";
import { defaultTool, dialectOf, isDialectName } from "../dialects/index.ts";
import { resultOfUnknown } from "./reply.ts";

/** Characters. A longer outcome is fetched with `get_answer`. */
const maxOutcome = 20_000;

/** For an agent that is told to fetch it. */
export const fetchWords = (sessionIds: readonly string[]): string =>
  `askbox has news from the person you asked. Call get_answer with sessionId ${sessionIds.join(", then with ")}; its result is what they said.`;

/** What an agent is woken with as a message of its user. */
export interface WakeWords {
  text: string;
  /** Whether it holds the outcome itself; otherwise it says how to fetch it. */
  isWhole: boolean;
}

/** What the agent that asked is told in a message: what `get_answer` would give, in the words of the tool that asked. */
export async function wakeWords(session: SessionRecord): Promise<WakeWords> {
  const { id, asker, request, state, delivery, reply } = session;
  const tool = asker.tool !== undefined && isDialectName(asker.tool) ? asker.tool : defaultTool;
  // Of what the agent has received already, only the messages are new.
  const isNew = state === "pending" || (delivery.deliveredAt === null && reply === undefined);
  const result = isNew ? askResult(session) : resultOfUnknown(undefined, [earlierResult(session)]);
  const { content } = (await dialectOf(tool).codec()).write(result, isNew ? request : undefined);
  const texts = content.flatMap((block) => ("text" in block ? [block.text] : []));
  const text = [`askbox: the person whom you asked has responded. This is what get_answer gives for sessionId ${id}:`, ...texts].join(
    "\n\n",
  );
  const isWhole = text.length <= maxOutcome && !JSON.stringify(result).includes('"files":[');
  return isWhole ? { text, isWhole } : { text: fetchWords([id]), isWhole };
}
