import { defined } from "../defined.ts";
import { AskboxError } from "../errors.ts";
import type { Answerer } from "../session/actor.ts";
import { latestWake } from "../session/latest-wake.ts";
import type { SessionRecord, Snooze } from "../session/record.ts";
import type { SessionView } from "../session/view.ts";

/** The longest snooze, in ms: 30 days. */
const longest = 2_592_000_000;
/** The people of one session; beyond this number, the one who snoozed it first is forgotten. */
const maxPeople = 100;

/** Who has snoozed a session, by its view, which all watchers share. */
const snoozesOf = new WeakMap<SessionView, readonly Snooze[]>();

/** Keeps a session's snoozes with its view, so that each desk can add its own. */
export function withSnoozes(view: SessionView, { snoozed }: SessionRecord): SessionView {
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
