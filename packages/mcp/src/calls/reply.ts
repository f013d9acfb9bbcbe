import {
  type AskRequest,
  type AskResult,
  askResult,
  type EarlierResult,
  earlierResult,
  type SessionRecord,
  type SessionState,
} from "@askbox/core";
import type { Speech } from "../dialects/dialect.ts";
import type { Call, NamedAsker, Reply } from "./call.ts";

/** Milliseconds. An answer in hand does not wait longer than this for the outcomes that come along with it. */
const earlierTimeout = 1_000;

export interface ReplyParts {
  /** The session that the call is about; undefined if it is about none. */
  sessionId: string | undefined;
  /** That session as the hub told it; nothing while it is pending and the hub said no more of it. */
  session: SessionRecord | undefined;
  /** What was asked, where the session does not tell. */
  request?: AskRequest;
  late?: boolean;
  /** Other sessions whose outcome the asker has not been given. */
  earlier: SessionRecord[];
}

/** Builds the result, logs the end of its session, and knows what is delivered once it is written. */
export function reply(call: Call, asker: NamedAsker, parts: ReplyParts, output: Speech["write"]): Reply {
  const { sessionId, session, request = session?.request, late = false, earlier } = parts;
  const marks = { late, earlier: earlier.map(earlierResult) };
  const result = session === undefined ? untold(sessionId, marks.earlier) : askResult(session, marks);
  const settled = session === undefined || session.state === "pending" ? earlier : [session, ...earlier];
  if (sessionId !== undefined) keepBooks(call, asker, sessionId, session?.state ?? "pending");
  return {
    result: output(result, request),
    written: () => recordDelivery(call, asker, settled),
    unwritten: () => release(call, asker, settled),
  };
}

/** Outcomes that the asker has not been given, except of one session; none when they cannot be had quickly. */
export async function otherOutcomes(call: Call, asker: NamedAsker, except: string): Promise<SessionRecord[]> {
  const { platform, log } = call.server;
  const timeout = Promise.withResolvers<SessionRecord[]>();
  const cancel = platform.clock.setTimer(earlierTimeout, () => timeout.resolve([]));
  try {
    const sessions = await Promise.race([asker.port.earlier(asker.info), timeout.promise]);
    return sessions.filter((session) => session.id !== except);
  } catch (error) {
    log("debug", "Earlier outcomes could not be read; they come with a later result", { callId: call.id, error: String(error) });
    return [];
  } finally {
    cancel();
  }
}

function untold(sessionId: string | undefined, earlier: EarlierResult[]): AskResult {
  return {
    answered: false,
    cancelled: false,
    timedOut: false,
    answers: [],
    ...(sessionId === undefined ? {} : { pending: true, sessionId }),
    ...(earlier.length === 0 ? {} : { earlier }),
  };
}

function keepBooks(call: Call, { info }: NamedAsker, sessionId: string, state: SessionState): void {
  const { tickets, log } = call.server;
  const data = { sessionId, callId: call.id };
  if (state === "pending") {
    tickets.add(info, sessionId);
    log("info", "Session still pending; the call came back with a ticket", data);
    return;
  }
  tickets.remove(info, sessionId);
  if (state === "timedOut") log("warn", "Session failed", { ...data, error: "timed out" });
  else log("info", "Session completed successfully", { ...data, outcome: state });
}

async function release(call: Call, { port }: NamedAsker, sessions: readonly SessionRecord[]): Promise<void> {
  await Promise.all(
    sessions.map(({ id }) =>
      port.release(id).catch((error: unknown) => {
        call.server.log("debug", "An outcome could not be given back at once; it is free in a moment", {
          sessionId: id,
          error: String(error),
        });
      }),
    ),
  );
}

async function recordDelivery(call: Call, asker: NamedAsker, sessions: readonly SessionRecord[]): Promise<void> {
  const { port, info } = asker;
  const { platform, tickets, log } = call.server;
  const { cap } = call.limit;
  if (cap !== null && platform.clock.monotonic() - call.startedAt > cap) {
    log("warn", "The result was written after the client's limit and counts as not delivered", { callId: call.id });
    return release(call, asker, sessions);
  }
  await Promise.all(
    sessions.map(async ({ id }) => {
      tickets.remove(info, id);
      try {
        await port.delivered(id, { callId: call.id });
      } catch (error) {
        log("warn", "A delivery could not be recorded; the outcome will be given again", {
          sessionId: id,
          callId: call.id,
          error: String(error),
        });
      }
    }),
  );
}
