import { resumeOf } from "../clients/known.ts";
import { AskboxError, isAskboxError } from "../errors.ts";
import type { Conversation } from "../ports/desk.ts";
import { limits } from "../session/limits.ts";
import { actionLine, traitsOf } from "../session/questions/index.ts";
import type { SessionRecord } from "../session/record.ts";
import { askedBack, type ThreadMessage } from "../session/thread.ts";
import { statusOf } from "../session/view.ts";
import { cut, quote } from "../texts.ts";
import type { BrokerContext } from "./context.ts";
import { agentText, conversationName } from "./identity.ts";
import { addMessage } from "./thread.ts";

/**
 * The agents' conversations, for an inbox: read from the sessions, and from what is connected now. A person can write to one without having
 * been asked (`sendMessage`). Loaded when a desk asks for them.
 */

/** The most sessions that are read, pending ones and others, and the most that are in memory at a time: each may have 256 KB. */
const most = { sessions: 500, batch: 50 };
/** The shortest prefix of an id. */
const minPrefixLength = 4;
const maxConversations = 100;
const maxQuestions = 5;
const maxQuestionLength = 200;
/** An agent that isn't connected, since only its hooks ask, counts as working for this long after it was last heard of, in ms. */
const heardLately = 600_000;

/** What is kept of a session. */
interface Part extends Pick<SessionRecord, "id" | "owner" | "asker" | "createdAt" | "state"> {
  title: string | undefined;
  question: string;
  /** When its agent was last heard of. */
  heardAt: number;
  undelivered: number;
  takesMessages: boolean;
  /** Whether its agent was resumed in the background. */
  isResumed: boolean;
  /** Idempotency keys of the messages in its thread. */
  requests: string[];
}

/** A conversation with all of its sessions that were read, newest first. */
interface Known {
  id: string;
  /** Undefined if it names neither a conversation nor an instance. */
  name: string | undefined;
  parts: [Part, ...Part[]];
}

/** The conversations of agents: see `Desk.conversations`. */
export async function listConversations(context: BrokerContext): Promise<Conversation[]> {
  const [known, agents] = await Promise.all([readConversations(context), context.agents.list()]);
  const shown = known.map(({ id, name, parts }): Conversation => {
    const [{ asker }] = parts;
    const registered = agents.find((agent) => agent.id === asker.agentId);
    const resume = resumeOf(asker, registered);
    const resumed = parts.find(({ isResumed }) => isResumed);
    const output = resumed && context.waker?.output?.(resumed.id);
    return {
      id,
      asker,
      ...(registered?.name !== undefined && { name: registered.name }),
      ...stateOf(context, name, parts),
      startedAt: Math.min(...parts.map(({ createdAt }) => createdAt)),
      ...(resume && { resume }),
      ...(output !== undefined && { output }),
      undelivered: parts.reduce((sum, { undelivered }) => sum + undelivered, 0),
      takesMessages: parts.some(({ takesMessages }) => takesMessages),
      sessions: parts.slice(0, maxQuestions).map((part) => ({
        id: part.id,
        ...(part.title !== undefined && { title: part.title }),
        question: part.question,
        status: statusOf(part.state),
        createdAt: part.createdAt,
      })),
    };
  });
  const rank = ({ state }: Conversation) => (state === "waiting" ? 0 : 1);
  return shown.sort((one, other) => rank(one) - rank(other) || other.since - one.since).slice(0, maxConversations);
}

/**
 * The sessions of a conversation, newest first, by its id or that of one of its sessions, or by the first characters of one. Throws
 * `SESSION_NOT_FOUND`, `AMBIGUOUS_ID`.
 */
async function conversationWith(context: BrokerContext, id: string): Promise<readonly Part[]> {
  const known = await readConversations(context);
  const begin = id.toLowerCase();
  const isMeant = (one: string) => one === begin || (begin.length >= minPrefixLength && one.startsWith(begin));
  const [found, another] = known.filter((one) => isMeant(one.id) || one.parts.some((part) => isMeant(part.id)));
  if (found === undefined) {
    throw new AskboxError("SESSION_NOT_FOUND", `No agent that asked lately has the id ${quote(id)}.`);
  }
  if (another !== undefined)
    throw new AskboxError("AMBIGUOUS_ID", `Several agents begin with ${quote(id)}; use more characters of the id.`);
  return found.parts;
}

async function readConversations(context: BrokerContext): Promise<Known[]> {
  const parts = new Map<string, Part>();
  await readInto(parts, context, { states: ["pending"] });
  await readInto(parts, context, {});
  const byKey = new Map<string, Known["parts"]>();
  for (const part of [...parts.values()].sort((one, other) => other.createdAt - one.createdAt)) {
    const key = keyOf(part);
    const others = byKey.get(key);
    if (others === undefined) byKey.set(key, [part]);
    else others.push(part);
  }
  return Promise.all(
    [...byKey].map(async ([key, [first, ...others]]): Promise<Known> => {
      const digest = await context.digest(key);
      return { id: `a_${digest.slice(0, 12)}`, name: conversationName(first.owner, first.asker), parts: [first, ...others] };
    }),
  );
}

/** A client's tools and hooks may go by different names in one conversation. */
const keyOf = ({ owner, asker }: Part) =>
  asker.conversation === undefined
    ? (conversationName(owner, asker) ?? agentText(owner, asker))
    : JSON.stringify([owner, asker.conversation, asker.agentId ?? null]);

async function readInto(parts: Map<string, Part>, { store }: BrokerContext, query: { states?: readonly ["pending"] }): Promise<void> {
  let cursor: string | undefined;
  for (let count = 0; count < most.sessions; ) {
    const page = await store.list({ ...query, limit: most.batch, ...(cursor !== undefined && { cursor }) });
    for (const record of page.sessions) parts.set(record.id, partOf(record));
    count += page.sessions.length;
    cursor = page.next;
    if (cursor === undefined) return;
  }
}

function partOf(record: SessionRecord): Part {
  const { id, owner, createdAt, state, request, context, delivery, thread } = record;
  const { background: _, ...asker } = record.asker;
  const { outcome } = context;
  const action = actionLine(request.questions);
  const times = thread.flatMap(({ by, at, deliveredAt }) =>
    by.surface === "asker" ? [at] : deliveredAt === undefined ? [] : [deliveredAt],
  );
  const withdrawnAt = outcome?.by.surface === "asker" ? outcome.at : 0;
  return {
    id,
    owner,
    asker,
    createdAt,
    state,
    title: action === undefined ? request.title : cut(action, maxQuestionLength, ""),
    question: cut(request.questions[0]?.question ?? "", maxQuestionLength, ""),
    heardAt: Math.max(createdAt, delivery.deliveredAt ?? 0, withdrawnAt, ...times),
    undelivered: askedBack(record).length,
    isResumed: record.waking?.how === "gone",
    requests: thread.flatMap(({ request = [] }) => request),
    takesMessages: record.replacedBy === undefined && request.questions.every((question) => traitsOf(question).picks !== "decision"),
  };
}

function stateOf(
  { presence, conversations, clock }: BrokerContext,
  name: string | undefined,
  parts: Known["parts"],
): Pick<Conversation, "state" | "since"> {
  const heardAt = Math.max(...parts.map((part) => part.heardAt));
  const pending = parts.filter(({ state }) => state === "pending").map(({ id, createdAt }) => ({ createdAt, ...presence.of(id) }));
  const awaited = pending.filter(({ asker }) => asker === "attached");
  if (awaited.length > 0) return { state: "waiting", since: Math.min(...awaited.map(({ createdAt }) => createdAt)) };
  const isConnected = name !== undefined && conversations.isConnected(name);
  if (isConnected || pending.some(({ asker }) => asker === "will_ask_again")) return { state: "working", since: heardAt };
  const [left] = pending.flatMap(({ awaySince = heardAt }) => [awaySince]).sort((one, other) => other - one);
  if (left !== undefined) return { state: "gone", since: Math.max(left, heardAt) };
  const isRecent = name !== undefined && clock.now() - heardAt < heardLately;
  return { state: isRecent ? "working" : "gone", since: heardAt };
}

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
