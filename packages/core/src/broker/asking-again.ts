import type { AskRequest, EarlierAnswer, SessionRecord } from "../session/record.ts";
import { applyEvent, changeSession } from "./change.ts";
import type { BrokerContext } from "./context.ts";

/** How long after its answer an equal ask is still given it, in ms. */
const lateFor = 900_000;

/** What an ask finds of its kind. */
export type Found =
  | { kind: "pending"; session: SessionRecord }
  | { kind: "late"; session: SessionRecord }
  | { kind: "none"; earlierAnswer?: EarlierAnswer };

interface Sought {
  owner: string;
  scope: string;
  digest: string;
  key: string | undefined;
  request: AskRequest;
  /** Who is about to wait, and to whom an answer of before is handed over. */
  holder: object;
}

/**
 * Looks for the session that this ask continues: a pending one whose asker has gone (or, with a key, any pending one), else
 * one that was answered while nobody waited. A set with a confirm in it is never answered from the past.
 */
export async function findEarlierAsk(context: BrokerContext, sought: Sought): Promise<Found> {
  const { store, presence, handovers, clock } = context;
  const { owner, key, scope, digest } = sought;
  const same = key === undefined ? { owner, scope, digest } : { owner, key };
  const pending = await store.list({ ...same, states: ["pending"], order: "oldest", limit: 20 });
  for (const session of pending.sessions) {
    if (key === undefined && session.key !== undefined) continue;
    if (presence.claim(session.id, sought.holder) || key !== undefined) return { kind: "pending", session };
  }
  const answered = await store.list({
    ...same,
    states: ["answered"],
    undelivered: true,
    closedSince: clock.now() - lateFor,
    order: "newest",
    limit: 20,
  });
  const session = answered.sessions.find((candidate) => presence.isDetached(candidate.id) && !handovers.has(candidate.id));
  if (session === undefined) return { kind: "none" };
  if (sought.request.questions.every((question) => question.type !== "confirm")) {
    // In the same step as the look at who has it, so that of several asks at once only one is given it.
    handovers.begin(session, sought.holder);
    return { kind: "late", session };
  }
  const earlierAnswer = carryOver(session, sought.request);
  return earlierAnswer === undefined ? { kind: "none" } : { kind: "none", earlierAnswer };
}

/** The old answer under the question ids of the new session; nothing when the two sets differ in shape. */
function carryOver(session: SessionRecord, request: AskRequest): EarlierAnswer | undefined {
  const { outcome } = session.context;
  if (outcome?.kind !== "answered" || outcome.answers.length !== request.questions.length) return undefined;
  const answers = outcome.answers.map((answer, index) => ({ ...answer, questionId: request.questions[index]?.id ?? answer.questionId }));
  const { comment, by, at } = outcome;
  return { sessionId: session.id, answers, ...(comment === undefined ? {} : { comment }), by, at };
}

/** Joins a pending session: its deadline moves to the later of its own and `timeout` ms from now. */
export async function joinSession({ clock, deadlines, store }: BrokerContext, id: string, timeout: number): Promise<SessionRecord> {
  // By the time that is left: after a jump of the wall clock the stored deadline says little.
  const isLater = timeout > (deadlines.remaining(id) ?? Number.NEGATIVE_INFINITY);
  const joined = await changeSession(store, id, (record) => {
    const stored = record.context.deadlineAt;
    if (!isLater || stored === null) return undefined;
    const deadlineAt = Math.max(clock.now() + timeout, stored + 1);
    return applyEvent(record, { type: "EXTEND", deadlineAt, by: { surface: "asker", name: record.asker.client.name } });
  });
  if (isLater && joined.context.deadlineAt !== null) deadlines.defer(id, timeout);
  return joined;
}
