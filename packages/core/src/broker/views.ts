import { AskboxError } from "../errors.ts";
import { defined } from "../objects.ts";
import type { Clock } from "../ports/platform.ts";
import type { PeoplesField } from "../session/audience.ts";
import { denialOf } from "../session/denial.ts";
import { latestWake } from "../session/latest-wake.ts";
import type { Answerer } from "../session/outcome.ts";
import { traitsOf } from "../session/questions/index.ts";
import type { SessionRecord, Snooze } from "../session/record.ts";
import { type SessionView, statusOf } from "../session/view.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Drafts } from "./drafts.ts";
import type { PresenceTracker } from "./presence.ts";

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
      ...defined({ key: record.key, seenAt: record.seenAt, outcome, reply: record.reply, waking: record.waking }),
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

  /** The same for an asker, without what only people may learn. */
  closedForAsker(record: SessionRecord): AskboxError {
    const session = Object.fromEntries(Object.entries(this.of(record)).filter(([field]) => !Object.hasOwn(peoplesFields, field)));
    return new AskboxError("SESSION_CLOSED", closedSentence(record, undefined), { details: { session } });
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

/** A field of the view that is added for people only does not compile without a row here. */
const peoplesFields = { scheduled: true, snoozedUntil: true, waking: true } as const satisfies Record<PeoplesField, true>;

function closedSentence(record: SessionRecord, effect: string | undefined): string {
  const { outcome } = record.context;
  if (outcome === undefined) return "This session is not settled.";
  const isDecision = record.request.questions.some((question) => traitsOf(question).picks === "decision");
  const late =
    denialOf(record.request) !== undefined
      ? "the denial stands"
      : isDecision
        ? "its client has continued without it"
        : "it still accepts a reply";
  if (outcome.kind === "timedOut") return `This session has timed out; ${effect ?? late}.`;
  const then = effect ?? "nothing was changed";
  if (record.replacedBy !== undefined) return `The agent has replaced these questions with those of session ${record.replacedBy}; ${then}.`;
  if (outcome.by.surface === "asker") return `The agent has withdrawn this session; ${then}.`;
  if (outcome.by.surface === "grant") return `A grant has already decided this; ${then}.`;
  const who = outcome.by.name === undefined ? "" : ` by ${outcome.by.name}`;
  return `This session was already ${outcome.kind} in ${outcome.by.surface}${who}; ${then}.`;
}

/** The longest snooze, in ms: 30 days. */
const longest = 2_592_000_000;
/** The people of one session; beyond this number, the one who snoozed it first is forgotten. */
const maxPeople = 100;

/** Who has snoozed a session, by its view, which all watchers share. */
const snoozesOf = new WeakMap<SessionView, readonly Snooze[]>();

/** Keeps a session's snoozes with its view, so that each desk can add its own. */
function withSnoozes(view: SessionView, { snoozed }: SessionRecord): SessionView {
  if (snoozed !== undefined) snoozesOf.set(view, snoozed);
  return view;
}

/** The view for one person. A desk without a name acts for everybody, and sees the snooze that ends first. */
export function viewFor({ name }: Answerer, view: SessionView): SessionView {
  const own = snoozesOf.get(view)?.filter((snooze) => name === undefined || snooze.name === name) ?? [];
  return own.length === 0 ? view : { ...view, snoozedUntil: Math.min(...own.map(({ until }) => until)) };
}

/** The session, snoozed by this person until then, but not until its end, or no longer. Throws `VALIDATION`. */
export function snoozed(record: SessionRecord, { name }: Answerer, until: number | null, now: number): SessionRecord {
  if (until !== null && !(until > now && until <= now + longest)) {
    throw new AskboxError("VALIDATION", "until must be a time within the next 30 days, in ms since the epoch, or null to wake the session");
  }
  const latest = latestWake({ createdAt: record.createdAt, deadlineAt: record.context.deadlineAt });
  if (until !== null && latest <= now) throw new AskboxError("VALIDATION", "There is too little time left to snooze these questions.");
  const { snoozed: present = [], ...rest } = record;
  const others = present.filter((snooze) => snooze.name !== name);
  const all = until === null ? others : [...others, { ...defined({ name }), until: Math.min(until, latest) }].slice(-maxPeople);
  return all.length === 0 ? rest : { ...rest, snoozed: all };
}
