import {
  type AskRequest,
  type AskResult,
  askResult,
  type EarlierResult,
  type ErrorCode,
  earlierResult,
  isAskboxError,
  type SessionRecord,
  type SessionState,
  toAskboxError,
} from "@askbox/core";
import { type Collected, unreplied } from "@askbox/core/transport";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { fallbackAdvice } from "../clients.ts";
import type { DialectCodec } from "../dialects/dialect.ts";
import { failedInWords, sentence, validationError } from "../dialects/words/sentences.ts";
import { picturesOf, placed, withFileLines, withPictures } from "./attached.ts";
import type { Call, NamedAsker, Reply } from "./call.ts";

export interface ReplyParts {
  /** The session that the call is about, if any. */
  sessionId: string | undefined;
  /** The session as returned by the hub; undefined while it is pending and the hub returned nothing else. */
  session: SessionRecord | undefined;
  /** What was asked, if there is no session. */
  request?: AskRequest;
  late?: boolean;
  /** What is delivered with it; undefined if the hub returned nothing. */
  collected: Collected | undefined;
}

/** Builds the result, logs the end of its session, and records what is delivered once it is written. */
export async function reply(
  call: Call,
  asker: NamedAsker,
  parts: ReplyParts,
  codec: Pick<DialectCodec, "write" | "pictures">,
): Promise<Reply> {
  const { sessionId, session, late = false, collected } = parts;
  // The settled session may have other questions than those that were meant to replace them.
  const request = session?.request ?? parts.request;
  const others = (collected?.earlier ?? []).filter(({ id }) => id !== session?.id);
  const known = new Set([sessionId, session?.id, ...others.map(({ id }) => id)]);
  const marks = { late, earlier: [...others, ...(await ignored(call, asker, known))].map(earlierResult) };
  const result = session === undefined ? resultOfUnknown(sessionId, marks.earlier) : askResult(session, marks);
  if (sessionId !== undefined)
    updateTickets(call, asker, sessionId, { state: session?.state ?? "pending", isAskedBack: result.askedBack !== undefined });
  const settled = [...(session === undefined ? [] : [session]), ...others].filter(({ state }) => state !== "pending");
  const attached = await placed(call, result);
  const place = codec.pictures?.(request);
  const pictures = place === undefined ? [] : await picturesOf(call, result);
  const written = codec.write(attached.result, request);
  const told = withPictures(withFileLines(call, written, { ...attached, shown: pictures.length }), pictures, place);
  const hint = result.pending && result.askedBack === undefined ? call.server.ticketHint(call.client.name) : undefined;
  return {
    result: hint === undefined ? told : withHint(told, hint),
    written: async () => collected && recordDelivery(call, asker, collected, settled),
    unwritten: async () => collected?.nack(),
  };
}

/** The maximum number of sessions in one result whose person still waits for a reply. */
const maxIgnored = 5;
/** How long a result waits for them, in ms. */
const ignoredTimeout = 500;

/** The asker's other sessions whose person asked something back, which the agent was told and has not replied to. */
async function ignored(call: Call, { port, info }: NamedAsker, known: ReadonlySet<string | undefined>): Promise<SessionRecord[]> {
  const { tickets, platform } = call.server;
  const ids = tickets
    .askedBack(info)
    .filter((id) => !known.has(id))
    .slice(0, maxIgnored);
  if (ids.length === 0) return [];
  const over = new AbortController();
  const cancel = platform.clock.setTimer(ignoredTimeout, () => over.abort("over"));
  const look = async (id: string): Promise<SessionRecord[]> => {
    const handover = await port.resume(id, { asker: info, maxWait: 0, earlier: false, signal: over.signal });
    if (handover.session.state === "pending" && unreplied(handover.session).length > 0) return [handover.session];
    tickets.remove(info, id);
    // What it has instead comes with the next result, as for any other call.
    await handover.nack();
    return [];
  };
  const late = new Promise<SessionRecord[]>((resolve) => over.signal.addEventListener("abort", () => resolve([]), { once: true }));
  const looks = ids.map((id) => Promise.race([look(id).catch(() => []), late]));
  try {
    return (await Promise.all(looks)).flat();
  } finally {
    cancel();
  }
}

/** What is told of a session that is not known, or not new, besides what is delivered with it. */
export function resultOfUnknown(sessionId: string | undefined, earlier: EarlierResult[]): AskResult {
  return {
    answered: false,
    cancelled: false,
    timedOut: false,
    answers: [],
    ...(sessionId === undefined ? {} : { pending: true, sessionId }),
    ...(earlier.length === 0 ? {} : { earlier }),
  };
}

function updateTickets(
  call: Call,
  { info }: NamedAsker,
  sessionId: string,
  { state, isAskedBack }: { state: SessionState; isAskedBack: boolean },
): void {
  const { tickets, log } = call.server;
  const data = { sessionId, callId: call.id };
  if (state === "pending") {
    tickets.add(info, sessionId, isAskedBack);
    log(
      "info",
      isAskedBack ? "The person asks something back; the session stays open" : "Session still pending; the call came back with a ticket",
      data,
    );
    return;
  }
  tickets.remove(info, sessionId);
  if (state === "timedOut") log("warn", "Session failed", { ...data, error: "timed out" });
  else log("info", "Session completed successfully", { ...data, outcome: state });
}

async function recordDelivery(call: Call, { info }: NamedAsker, collected: Collected, sessions: readonly SessionRecord[]): Promise<void> {
  const { platform, tickets, log } = call.server;
  const { cap } = call.limit;
  if (cap !== null && platform.clock.monotonic() - call.startedAt > cap) {
    log("warn", "The result was written after the client's limit and counts as not delivered", { callId: call.id });
    return collected.nack();
  }
  for (const { id } of sessions) tickets.remove(info, id);
  try {
    await collected.ack({ callId: call.id });
  } catch (error) {
    const sessionIds = sessions.map(({ id }) => id);
    log("warn", "A delivery could not be recorded; the outcome will be delivered again", {
      sessionIds,
      callId: call.id,
      error: String(error),
    });
  }
}

/** Adds a sentence to a ticket: after its texts, and to the field that says what to call next, since clients drop one or the other. */
function withHint(told: CallToolResult, hint: string): CallToolResult {
  const { content } = told;
  const before = told.structuredContent as Record<string, unknown> | undefined;
  const said = { type: "text" as const, text: hint };
  if (typeof before?.["next"] !== "string") return { ...told, content: [...content, said] };
  const structuredContent = { ...before, next: `${before["next"]} ${hint}` };
  const whole = JSON.stringify(before);
  const texts = content.map((block) =>
    "text" in block && block.text === whole ? { ...block, text: JSON.stringify(structuredContent) } : block,
  );
  return { ...told, content: [...texts, said], structuredContent };
}

/** A failed result. The text says so as well, because not every model sees `isError`. */
export function failed(text: string, error: ErrorCode): Reply {
  return { result: failedInWords(text), error };
}

/** A rejected input, with the contract's message. */
export function refused(sentence: string, refuse: (sentence: string) => CallToolResult = validationError): Reply {
  return { result: refuse(sentence), error: "VALIDATION" };
}

/**
 * The structured error for an agent id that is not registered; undefined for any other error. Complete in both fields, like every result.
 */
export function unknownAgent(thrown: unknown): Reply | undefined {
  if (!isAskboxError(thrown, "UNKNOWN_AGENT")) return undefined;
  const error = { error: "unknown agent_id", agent_id: thrown.details?.["agentId"] ?? null, message: `Failed: ${thrown.message}` };
  return { result: { ...failedInWords(JSON.stringify(error)), structuredContent: error }, error: thrown.code };
}

/** How far an ask has progressed. */
export interface AskProgress {
  /** The questions were sent, and the hub may have them although it did not confirm. */
  isUnderWay?: boolean;
  /** The hub has them. */
  sessionId?: string | undefined;
}

interface FailureParts extends AskProgress {
  /** How the tool's contract rejects an input. */
  refuse?: (sentence: string) => CallToolResult;
}

/**
 * What the agent is told if its questions did not arrive, or the connection was lost: what happened, and how else it may ask. If the call
 * was cancelled, the error is rethrown.
 */
export function failure(call: Call, thrown: unknown, { isUnderWay = false, sessionId, refuse }: FailureParts = {}): Reply {
  if (call.signal.aborted) throw thrown;
  const error = toAskboxError(thrown);
  if (error.code === "VALIDATION") return refused(error.message, refuse);
  const data = { callId: call.id, code: error.code, error: error.message, sessionId };
  call.server.log("warn", "Session failed", data);
  const reason = sentence(error.message);
  if (error.code === "SESSION_NOT_FOUND") return failed(`Failed: ${reason} Ask again with ${call.server.askTool}.`, error.code);
  if (error.code === "CONFLICT") return failed(`Failed: the person was not asked yet. ${reason}`, error.code);
  const { askTool, fallback } = call.server;
  const wayOut = fallbackAdvice(call.client.name, fallback);
  if (sessionId !== undefined) {
    const text = `Failed: waiting for the answer was interrupted. ${reason} The questions stay open under sessionId ${sessionId}: call get_answer with it to keep waiting, or ${wayOut}.`;
    return failed(text, error.code);
  }
  // An error response is certain; a lost connection leaves open what arrived.
  const isCertain = !isUnderWay || error.code !== "HUB_UNREACHABLE";
  const text = isCertain
    ? `Failed: the person was not asked. ${reason} Until that is fixed, ${wayOut}. Do not take silence for an answer.`
    : `Failed: it is not certain that the person was asked. ${reason} Ask the same again with ${askTool}, which joins the questions if they did get through, or ${wayOut}. Do not take silence for an answer.`;
  return failed(text, error.code);
}
