import type { SessionRecord } from "@askbox/core";
import { limits } from "@askbox/core";
import type { DialectCodec } from "../dialects/dialect.ts";
import { dialectOf, dialectTraits, isDialectName } from "../dialects/index.ts";
import { type Call, type NamedAsker, namedAsker, type Reply, timeLeft } from "./call.ts";
import { failed, failure, refused, reply } from "./reply.ts";
import { held } from "./wait.ts";

interface Arguments {
  sessionId?: string;
  /** Milliseconds. */
  wait?: number;
  agentId?: string;
  /** The reply to what the person asked back. */
  reply?: string;
}

/** The longest wait that may be requested, in ms. */
const maxWait = limits.timeout.max;

/** A call of `get_answer`: keeps waiting for a session, or returns undelivered outcomes. */
export async function getAnswer(call: Call, args: unknown): Promise<Reply> {
  const read = readArguments(args);
  if (typeof read === "string") return refused(read);
  let { sessionId } = read;
  try {
    const asker = withAgent(await namedAsker(call), call.server.namesAgents ? read.agentId : undefined);
    if (sessionId === undefined) {
      const collected = await asker.port.collect(asker.info);
      const latest = call.server.tickets.latest(asker.info);
      const session = collected.earlier.find(({ id }) => id === latest);
      if (collected.earlier.length > 0) return reply(call, asker, { sessionId: latest, session, collected }, await codecFor(call, session));
      if (latest === undefined)
        return failed(
          `Nothing to get: you have no open questions and no undelivered answers. Ask with ${call.server.askTool}.`,
          "SESSION_NOT_FOUND",
        );
      sessionId = latest;
    }
    return await resumeAndReply(call, asker, { sessionId, reply: read.reply, wait: read.wait });
  } catch (error) {
    return failure(call, error, { sessionId });
  }
}

/** Resumes a session, after sending a reply if there is one, for as long as the client allows. */
export async function resumeAndReply(
  call: Call,
  asker: NamedAsker,
  { sessionId, reply: text, wait }: { sessionId: string; reply: string | undefined; wait?: number | undefined },
  codec?: DialectCodec,
): Promise<Reply> {
  const waiting = { ...asker, sessionId: () => sessionId, maxWait: shorter(wait, timeLeft(call)) };
  const handover = await held(call, waiting, (options) =>
    asker.port.resume(sessionId, { ...options, asker: asker.info, reply: text, idempotencyKey: call.id }),
  );
  return reply(
    call,
    asker,
    { sessionId, session: handover?.session, collected: handover },
    codec ?? (await codecFor(call, handover?.session)),
  );
}

/** The format of the tool that asked. Where `get_answer` has an output schema, its own structure comes with that tool's words. */
async function codecFor({ server }: Call, session: SessionRecord | undefined): Promise<DialectCodec> {
  const own = await dialectOf(server.answerTool).codec();
  const tool = session?.asker.tool;
  if (tool === undefined || !isDialectName(tool)) return own;
  const asking = await dialectOf(tool).codec();
  if (dialectTraits(server.answerTool).format === "text") return asking;
  return { ...own, write: (result, request) => ({ ...own.write(result, request), content: asking.write(result, request).content }) };
}

/** Outcomes and tickets are stored by agent. */
function withAgent({ port, info }: NamedAsker, agentId: string | undefined): NamedAsker {
  return { port, info: agentId === undefined ? info : { ...info, agentId } };
}

/** The arguments, or a sentence that says what is wrong with them. Models often send null or an empty string for omitted fields. */
function readArguments(args: unknown): Arguments | string {
  const {
    sessionId,
    wait,
    agent_id: agentId,
    reply: text,
  } = (typeof args === "object" && args !== null ? args : {}) as Record<string, unknown>;
  const read: Arguments = {};
  if (sessionId !== undefined && sessionId !== null && sessionId !== "") {
    if (typeof sessionId !== "string") return "sessionId must be a string";
    read.sessionId = sessionId;
  }
  if (typeof agentId === "string" && agentId.trim() !== "") read.agentId = agentId.trim();
  if (wait !== undefined && wait !== null) {
    if (typeof wait !== "number" || !Number.isInteger(wait) || wait < 0 || wait > maxWait) {
      return `wait must be a whole number of milliseconds from 0 to ${maxWait}`;
    }
    read.wait = wait;
  }
  if (text !== undefined && text !== null && text !== "") {
    if (typeof text !== "string") return "reply must be a string";
    if (read.sessionId === undefined) return "reply needs the sessionId of the result with askedBack";
    read.reply = text;
  }
  return read;
}

function shorter(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined) return other;
  return other === undefined ? one : Math.min(one, other);
}
