import { AskboxError } from "../errors.ts";
import { defined } from "../objects.ts";
import type { Agents } from "../ports/agents.ts";
import type { AskOptions, Opened } from "../ports/asker.ts";
import { sessionId } from "../ports/platform.ts";
import { allImages } from "../session/all-images.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import { openMachine } from "../session/machine.ts";
import { type AskRequest, asksApproval, recordSchemaVersion, type SessionRecord } from "../session/record.ts";
import { markDelivered } from "../session/thread.ts";
import { findEarlierAsk, type IncomingAsk, joinSession, mustBeEqual } from "./asking-again.ts";
import { insertSession, notFound } from "./change.ts";
import type { BrokerContext } from "./context.ts";
import { textOfAsk } from "./identity.ts";

/** The session of an ask; `late`: it was already answered, and the answer is in flight to this ask. */
export interface OpenedSession extends Opened {
  late: boolean;
}

interface Opening {
  owner: string;
  request: AskRequest;
  options: AskOptions;
  holder: object;
  /** One of this asker's sessions. Throws `SESSION_NOT_FOUND`. */
  own(id: string): Promise<SessionRecord>;
}

/**
 * Stores the questions, or finds their existing session; its asker then counts as attached until `holder` waits for it. A repeated ask with
 * the same idempotency key gets the session that it opened before.
 */
export async function openSession(context: BrokerContext, { owner, options, holder, own, ...opening }: Opening): Promise<OpenedSession> {
  const { ids, digest, retention, scopeOf } = context;
  const { asker, key, registeredOnly = false, idempotencyKey, replaces } = options;
  if (registeredOnly) await mustBeRegistered(context.agents, asker);
  retention.sweepInBackground();
  const { keep, request: shown } = allImages(opening.request.questions)[0]
    ? await (await import("./loaded-late.ts")).takeImages(context, owner, opening.request)
    : { keep: undefined, request: opening.request };
  const grants = asksApproval(shown) ? await import("./loaded-late.ts") : undefined;
  const request = grants?.withBoundGrants(shown, asker) ?? shown;
  const [scope, asked, id] = await Promise.all([
    scopeOf(owner, asker),
    digest(textOfAsk(request)),
    idempotencyKey === undefined ? ids.session() : sessionIdOf(context, owner, idempotencyKey),
  ]);
  const incoming: IncomingAsk = { owner, asker, scope, digest: asked, key, request, holder, idempotencyKey, keep };
  const opened = idempotencyKey === undefined ? undefined : await openedBefore(context, incoming, id);
  if (opened !== undefined) return inPlace(context, opened, incoming);
  if (replaces !== undefined) return replace(context, await own(replaces), incoming, id);
  const found = await findEarlierAsk(context, incoming);
  if (found.kind === "late") return { session: found.session, joined: true, late: true };
  if (found.kind === "pending") return join(context, found.session.id, incoming);
  for (let fresh = id; ; fresh = ids.session()) {
    const asked = { ...newRecord(context, fresh, incoming), ...(found.earlierAnswer && { earlierAnswer: found.earlierAnswer }) };
    const record = (await grants?.withGrants(context, asked)) ?? asked;
    const inserted = await insert(context, record, incoming);
    if (inserted?.session === record) grants?.noteRan(context, record);
    if (inserted !== undefined) return inserted;
  }
}

/** Opens a session that replaces another of the same asker; if that is already settled, returns its outcome instead. */
async function replace(context: BrokerContext, { id: replaces }: SessionRecord, incoming: IncomingAsk, id: string): Promise<OpenedSession> {
  const { store, drafts, clock, inFlight } = context;
  // An answer that can still be undone was first.
  await drafts.sendFirst(replaces);
  const replaced = await store.get(replaces);
  if (replaced === undefined) throw notFound(replaces);
  if (replaced.state !== "pending") return settledFirst(context, replaced, incoming);
  // An asker that replaces its questions has received what was asked back, even if it has not acknowledged it yet.
  const { thread } = markDelivered(replaced, inFlight.messagesOf(replaces), clock.now());
  const record = { ...newRecord(context, id, incoming), createdAt: replaced.createdAt, thread, replaces };
  const { copyFiles } = await import("./loaded-late.ts");
  await copyFiles(context, record, thread);
  const opened = await insert(context, record, incoming);
  return inPlace(context, opened ?? { session: record, joined: false, late: false }, incoming);
}

async function inPlace(context: BrokerContext, opened: OpenedSession, incoming: IncomingAsk): Promise<OpenedSession> {
  if (opened.session.replaces === undefined) return opened;
  const { settleReplaced } = await import("./loaded-late.ts");
  const session = await settleReplaced(context, opened.session);
  return session.id === opened.session.id ? { ...opened, session } : settledFirst(context, session, incoming);
}

function settledFirst({ inFlight }: BrokerContext, session: SessionRecord, { holder }: IncomingAsk): OpenedSession {
  inFlight.begin(session.id, holder, session);
  return { session, joined: true, late: true };
}

/** The same for the same key and owner, and as hard to guess as the key. */
async function sessionIdOf({ digest }: BrokerContext, owner: string, idempotencyKey: string): Promise<string> {
  const hex = await digest(JSON.stringify([owner, idempotencyKey]));
  return sessionId(Array.from({ length: 16 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16)));
}

/** The session that this ask opened when it was first sent. */
async function openedBefore(
  { store, presence, leases }: BrokerContext,
  incoming: IncomingAsk,
  id: string,
): Promise<OpenedSession | undefined> {
  const { holder } = incoming;
  const session = await store.get(id);
  if (session === undefined) return undefined;
  mustBeEqual(session, incoming);
  presence.claim(id, holder);
  await leases.hold(id);
  return { session, joined: false, late: false };
}

/** Undefined if an equal ask at another hub took over the inserted session first. */
async function insert(context: BrokerContext, fresh: SessionRecord, incoming: IncomingAsk): Promise<OpenedSession | undefined> {
  const { presence, leases } = context;
  await incoming.keep?.(fresh.id);
  presence.claim(fresh.id, incoming.holder);
  try {
    // Synchronously, and in this order.
    const [isOurs, result] = await Promise.all([leases.claim(fresh.id), insertSession(context, fresh)]);
    if (result.inserted && isOurs) return { session: fresh, joined: false, late: false };
    // Repeated while the first request was still being written.
    if (!result.inserted && result.existing.id === fresh.id) return { session: result.existing, joined: false, late: false };
    presence.forgetAsker(fresh.id);
    if (result.inserted) return undefined;
    mustBeEqual(result.existing, incoming);
    return await join(context, result.existing.id, incoming);
  } catch (error) {
    presence.forgetAsker(fresh.id);
    throw error;
  }
}

async function join(context: BrokerContext, id: string, incoming: IncomingAsk): Promise<OpenedSession> {
  try {
    return { session: await joinSession(context, id, incoming), joined: true, late: false };
  } catch (error) {
    context.presence.unclaim(id);
    throw error;
  }
}

function newRecord({ clock }: BrokerContext, id: string, incoming: IncomingAsk): SessionRecord {
  const { owner, asker, scope, digest, key, request, idempotencyKey } = incoming;
  const createdAt = clock.now();
  const { state, context } = openMachine({ questions: request.questions, deadlineAt: createdAt + request.timeout });
  return {
    schema: recordSchemaVersion,
    revision: 1,
    id,
    ...defined({ key }),
    owner,
    scope,
    digest,
    asker,
    request,
    state,
    context: { deadlineAt: context.deadlineAt },
    createdAt,
    closedAt: null,
    delivery: { deliveredAt: null },
    requests: idempotencyKey === undefined ? {} : { ask: idempotencyKey },
    thread: [],
  };
}

async function mustBeRegistered(agents: Agents, { agentId }: AskerInfo): Promise<void> {
  const known = await agents.list();
  if (known.length === 0 || known.some(({ id }) => id === agentId)) return;
  throw new AskboxError("UNKNOWN_AGENT", `No agent is registered as ${JSON.stringify(agentId ?? "")}; use the id that you were given.`, {
    details: { agentId },
  });
}
