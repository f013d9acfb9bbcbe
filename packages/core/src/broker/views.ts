import { defined } from "../defined.ts";
import { AskboxError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import { traitsOf } from "../session/questions/index.ts";
import type { SessionRecord } from "../session/record.ts";
import { type SessionView, statusOf } from "../session/view.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Drafts } from "./drafts.ts";
import type { PresenceTracker } from "./presence.ts";
import { withSnoozes } from "./snoozing.ts";

/** A difference between wall clock and monotonic clock below this, in ms, is not a jump. */
const clockSlack = 2_000;

/** Creates the view of a session from its record and the broker's in-memory state. */
export class Views {
  readonly #parts: { clock: Clock; deadlines: Deadlines; presence: PresenceTracker; drafts: Drafts };

  constructor(parts: { clock: Clock; deadlines: Deadlines; presence: PresenceTracker; drafts: Drafts }) {
    this.#parts = parts;
  }

  of(record: SessionRecord): SessionView {
    const scheduled = this.#parts.drafts.scheduledFor(record.id);
    const { outcome } = record.context;
    const thread = record.thread.map(({ request: _, ...message }) => message);
    const view: SessionView = {
      id: record.id,
      revision: record.revision,
      status: statusOf(record.state),
      ...defined({ title: record.request.title }),
      asker: record.asker,
      questions: record.request.questions,
      createdAt: record.createdAt,
      deadlineAt: this.#deadline(record),
      closedAt: record.closedAt,
      ...defined({ key: record.key, seenAt: record.seenAt, outcome, reply: record.reply }),
      delivery: record.delivery,
      presence: this.#parts.presence.of(record.id),
      ...defined({
        scheduled,
        earlierAnswer: record.earlierAnswer,
        thread: thread.length === 0 ? undefined : thread,
        replaces: record.replaces,
        replacedBy: record.replacedBy,
      }),
    };
    return withSnoozes(view, record);
  }

  /** The error for a second answer: the existing outcome, who gave it and when, and what happened to the second one. */
  closed(record: SessionRecord, effect?: string): AskboxError {
    return new AskboxError("SESSION_CLOSED", closedSentence(record, effect), { details: { session: this.of(record) } });
  }

  /** The stored deadline; after a jump of the wall clock, the time on the current wall clock at which it will actually pass. */
  #deadline(record: SessionRecord): number | null {
    const stored = record.context.deadlineAt;
    const remaining = this.#parts.deadlines.remaining(record.id);
    if (stored === null || remaining === undefined || !Number.isFinite(remaining)) return stored;
    const actual = this.#parts.clock.now() + remaining;
    return Math.abs(actual - stored) > clockSlack ? Math.round(actual) : stored;
  }
}

function closedSentence(record: SessionRecord, effect: string | undefined): string {
  const { outcome } = record.context;
  if (outcome === undefined) return "This session is not settled.";
  const isDecision = record.request.questions.some((question) => traitsOf(question).picks === "decision");
  const late = isDecision ? "its client has continued without it" : "it still accepts a reply";
  if (outcome.kind === "timedOut") return `This session has timed out; ${effect ?? late}.`;
  const then = effect ?? "nothing was changed";
  if (record.replacedBy !== undefined) return `The agent has replaced these questions with those of session ${record.replacedBy}; ${then}.`;
  if (outcome.by.surface === "asker") return `The agent has withdrawn this session; ${then}.`;
  if (outcome.by.surface === "grant") return `A grant has already decided this; ${then}.`;
  const who = outcome.by.name === undefined ? "" : ` by ${outcome.by.name}`;
  return `This session was already ${outcome.kind} in ${outcome.by.surface}${who}; ${then}.`;
}
