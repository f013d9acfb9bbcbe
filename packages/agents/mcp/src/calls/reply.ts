import {
  type AskRequest,
  type AskResult,
  askResult,
  type EarlierResult,
  earlierResult,
  type SessionRecord,
  type SessionState,
} from "@askbox/core";
import type { Collected } from "@askbox/core/transport";
import { unreplied } from "@askbox/core/transport";
import type { DialectCodec } from "../dialects/dialect.ts";
import { placed, withFileLines } from "./attached.ts";
import type { Call, NamedAsker, Reply } from "./call.ts";
import { picturesOf, withPictures } from "./pictures.ts";
import { withHint } from "./ticket-hint.ts";

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

function resultOfUnknown(sessionId: string | undefined, earlier: EarlierResult[]): AskResult {
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
