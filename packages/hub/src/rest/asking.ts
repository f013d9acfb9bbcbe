// Asking over REST: a session is opened, read, waited for with `?wait=`, and answered back. An asker gets its outcome with a response that was
// delivered whole, or with the next one. A wait ends when the client leaves, its token ends, or the hub closes (`HUB_CLOSING`).

import {
  AskboxError,
  type AskerInfo,
  type AskResult,
  askedBack,
  askResult,
  type Desk,
  earlierResult,
  type Handover,
  isAskboxError,
  parseAsk,
  type SessionView,
  type Watch,
} from "@askbox/core";
import { projectSchema } from "@askbox/core/schemas";
import type { PeoplesField } from "@askbox/core/transport";
import type { Context } from "hono";
import * as z from "zod";
import { type LimitedAsker, limitedAsker } from "../limits/ask-limits.ts";
import { answererOf, check, type RestContext, type RestEnv, readJson } from "./context.ts";

/** The longest wait in seconds: the longest timeout of a question. */
const maxWait = 1_800;
const waitSchema = z.coerce.number("must be a number of seconds").min(0);
const waitQuerySchema = z.object({ wait: waitSchema.optional() });

/** The seconds of `?wait=`: default 0, at most half an hour. */
function waitSeconds(c: Context<RestEnv>): number {
  const text = c.req.query("wait");
  return text === undefined ? 0 : Math.min(check(z.object({ wait: waitSchema }), { wait: text }).wait, maxWait);
}

/**
 * Aborts when the client disconnects, its token is revoked or expires, or the hub closes. Throws `UNAUTHORIZED` if the token is no longer
 * valid.
 */
function goneSignal(c: Context<RestEnv>, closing: AbortSignal): AbortSignal {
  const { exchange } = c.env;
  exchange.endWith(c.get("access"), c.get("uses"));
  return AbortSignal.any([exchange.signal, closing]);
}

/** Waits until a session is settled or the time is up, and resolves with its current state. Throws `HUB_CLOSING`. */
async function waitAsDesk(c: Context<RestEnv>, desk: Desk, { clock, seconds, closing, id }: WaitAsDesk): Promise<SessionView> {
  const session = await desk.get(id);
  if (seconds === 0 || session.status !== "pending") return session;
  const signal = goneSignal(c, closing);
  let watch: Watch | undefined;
  let cancelTimer = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const stop = () => resolve();
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      cancelTimer = clock.setTimer(seconds * 1_000, stop);
      desk
        .watch({ sessionId: session.id, presence: true }, (event) => {
          const isSettled = event.type === "session" && event.session.status !== "pending";
          // It may have been settled between the first read and the snapshot.
          const isMissing = event.type === "snapshot" && event.sessions.length === 0;
          if (isSettled || isMissing || event.type === "removed") stop();
        })
        .then((begun) => {
          watch = begun;
          if (signal.aborted) begun.close();
        }, reject);
    });
    if (closing.aborted) throw hubClosing();
    return await desk.get(session.id);
  } finally {
    watch?.close();
    cancelTimer();
  }
}

interface WaitAsDesk {
  clock: RestContext["platform"]["clock"];
  seconds: number;
  closing: AbortSignal;
  id: string;
}

/** The error for a wait that the closing hub aborted. */
const explainAbort = (error: unknown, closing: AbortSignal): unknown =>
  isAskboxError(error, "ABORTED") && closing.aborted ? hubClosing() : error;

export const hubClosing = () => new AskboxError("HUB_CLOSING", "The hub is closing; connect again to keep waiting.");

const name = z.string().min(1).max(200);
/** What an ask over REST accepts besides the tool's input. */
const agentFields = { agentId: name.optional(), project: projectSchema.min(1).optional() };
export const ownFields = z.object({ key: name.optional(), replaces: name.optional(), ...agentFields });
export const replyBackSchema = z.object({ text: z.string() });
/** The query parameters of an asker: how long to wait, and its identity, if it gave one with its ask. */
export const waitAsAskerSchema = waitQuerySchema.extend(agentFields);

/** `POST /api/sessions`. */
export async function ask(
  c: Context<RestEnv>,
  { broker, platform, limits: askLimits, defaultTimeout, publicPath }: RestContext,
): Promise<Response> {
  const value = await readJson(c);
  const { key, replaces, ...agent } = check(ownFields, value);
  const request = parseAsk(value, { ids: platform.ids, defaultTimeout });
  const info: AskerInfo = { client: clientOf(c.req.header("user-agent")), ...agent };
  const asker = limitedAsker(broker, askLimits, c.get("access"));
  try {
    const handover = await asker.ask(request, { asker: info, key, replaces, maxWait: 0, earlier: false });
    c.header("location", `${publicPath(c.req.raw)}/api/sessions/${handover.session.id}`);
    return c.json(await accountFor(c, broker, { asker, info, handover }), 201);
  } catch (error) {
    asker.close();
    throw error;
  }
}

/** `GET /api/sessions/{id}`. */
export function getSession(c: Context<RestEnv>, id: string, context: RestContext): Promise<Response> {
  return c.get("access").scopes.includes("desk") ? getAsDesk(c, id, context) : getAsAsker(c, id, context);
}

/** `POST /api/sessions/{id}/reply-back`. */
export async function replyBack(c: Context<RestEnv>, id: string, context: RestContext): Promise<Response> {
  const { text } = check(replyBackSchema, await readJson(c));
  return getAsAsker(c, id, context, text);
}

/** With a desk's token; waits `?wait=` seconds, or until it is settled. Delivers nothing. */
async function getAsDesk(c: Context<RestEnv>, id: string, { broker, platform, closing }: RestContext): Promise<Response> {
  const desk = broker.desk(answererOf(c));
  try {
    return c.json(await waitAsDesk(c, desk, { id, clock: platform.clock, seconds: waitSeconds(c), closing }));
  } finally {
    desk.close();
  }
}

/** With an asker's token: its own session, after `?wait=` seconds or once it is settled. This delivers the outcome, or what a person asks back. */
async function getAsAsker(
  c: Context<RestEnv>,
  id: string,
  { broker, limits: askLimits, closing }: RestContext,
  reply?: string,
): Promise<Response> {
  const access = c.get("access");
  const asker = limitedAsker(broker, askLimits, access);
  try {
    const agent = check(z.object(agentFields), { agentId: c.req.query("agentId"), project: c.req.query("project") });
    const info: AskerInfo = { client: clientOf(c.req.header("user-agent")), ...agent };
    const handover = await asker.resume(id, { asker: info, reply, signal: goneSignal(c, closing), maxWait: waitSeconds(c) * 1_000 });
    return c.json(await accountFor(c, broker, { asker, info, handover }));
  } catch (error) {
    asker.close();
    // The same error whether the session is another asker's or does not exist, so that nothing leaks.
    if (isAskboxError(error, "SESSION_NOT_FOUND")) throw new AskboxError("FORBIDDEN", notYours);
    throw explainAbort(error, closing);
  }
}

const notYours = "No session that this agent asked has this id; ask for it as the agent that asked, by its client and token.";

/**
 * What an asker is told of the view. A new field of the view doesn't compile until it is decided here. An asker must not see an answer that can
 * still be undone, or when a person wants to answer.
 */
const forAskers = {
  id: true,
  revision: true,
  status: true,
  title: true,
  asker: true,
  questions: true,
  createdAt: true,
  deadlineAt: true,
  closedAt: true,
  key: true,
  seenAt: true,
  snoozedUntil: false,
  waking: false,
  outcome: true,
  reply: true,
  delivery: true,
  presence: true,
  scheduled: false,
  earlierAnswer: true,
  thread: true,
  replaces: true,
  replacedBy: true,
} as const satisfies { [Field in keyof Required<SessionView>]: Field extends PeoplesField ? false : boolean };
type AskersView = Omit<
  SessionView,
  { [Field in keyof typeof forAskers]: (typeof forAskers)[Field] extends false ? Field : never }[keyof typeof forAskers]
>;
type Account = AskersView & AskResult;

interface Handed {
  asker: LimitedAsker;
  info: AskerInfo;
  handover: Handover;
}

/**
 * Returns a session and its result to its asker. A settled session is delivered, along with outcomes that this asker has not received yet.
 * Closes the asker afterwards.
 */
async function accountFor(c: Context<RestEnv>, broker: RestContext["broker"], { asker, info, handover }: Handed): Promise<Account> {
  const { session, late, earlier } = handover;
  const isSettled = session.state !== "pending";
  const isHandedOver = isSettled || askedBack(session).length > 0;
  const view = await viewOf(broker, session.id);
  // It was settled between the two reads.
  if (!isSettled && view.status !== "pending") {
    return accountFor(c, broker, { asker, info, handover: await asker.resume(session.id, { asker: info }) });
  }
  if (!isHandedOver) {
    // The other outcomes are released with it.
    asker.close({ returns: true });
    return { ...view, ...askResult(session) };
  }
  recordDelivery(c, asker, handover);
  return { ...view, ...askResult(session, { late, earlier: earlier.map(earlierResult) }) };
}

async function viewOf(broker: RestContext["broker"], id: string): Promise<AskersView> {
  const desk = broker.desk({ surface: "api" });
  try {
    const view = await desk.get(id);
    return Object.fromEntries(Object.entries(view).filter(([field]) => Reflect.get(forAskers, field) === true)) as AskersView;
  } finally {
    desk.close();
  }
}

/** Counts as delivered once it was written to an open connection; if the connection breaks earlier, the outcome can be requested again. */
function recordDelivery(c: Context<RestEnv>, asker: LimitedAsker, handover: Handover): void {
  const close = () => asker.close();
  void c.env.exchange.finished.then((isWhole) => (isWhole ? handover.ack().then(close, close) : close()));
}

/** `curl/8.5.0` is enough to name a client; the rest of a User-Agent is dropped. */
function clientOf(userAgent: string | undefined): AskerInfo["client"] {
  const match = /^([\w.-]{1,60})(?:\/([\w.+-]{1,60}))?/.exec(userAgent ?? "");
  const [, product = "rest", version] = match ?? [];
  return { name: product, version };
}
