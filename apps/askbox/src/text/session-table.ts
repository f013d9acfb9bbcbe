import type { SessionView } from "@askbox/core";
import { describeOutcome } from "@askbox/inbox/describe";
import { isDenial } from "@askbox/inbox/list";
import { ago, endingText, kindNames, roundedDuration } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import { pad, shorten, widthOf } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { askerName, firstSentence, headline, projectName, shortId } from "./session-names.ts";

interface Column {
  title: string;
  /** Maximum width in columns; the last column fills the remaining space. */
  most: number;
  /** Left out on terminals narrower than this. */
  from: number;
  text(session: SessionView, now: number): string;
}

const gap = "  ";
/** The most of a question that a line in a pipe shows, in columns. */
const mostInPipe = 200;

const id: Column = { title: "ID", most: 8, from: 0, text: ({ id: whole }) => shortId(whole) };
const asked: Column = { title: "ASKED", most: 12, from: 50, text: ({ createdAt }, now) => ago(createdAt, now) };
const left: Column = {
  title: "LEFT",
  most: 8,
  from: 30,
  text: ({ deadlineAt }, now) => (deadlineAt === null ? "–" : roundedDuration(deadlineAt - now)),
};
const settled: Column = {
  title: "SETTLED",
  most: 12,
  from: 50,
  text: ({ closedAt }, now) => (closedAt === null ? "–" : ago(closedAt, now)),
};
const status: Column = {
  title: "STATUS",
  most: 13,
  from: 30,
  text: (session) => (session.status === "pending" ? "pending" : endingText(describeOutcome(session)).toLowerCase()),
};
const from: Column = { title: "FROM", most: 24, from: 70, text: ({ asker }) => askerName(asker) };
const project: Column = { title: "PROJECT", most: 24, from: 90, text: ({ asker: { machine: _, ...asker } }) => projectName(asker) };
/** A project's name may be cut, and not where it is. */
const machine: Column = { title: "MACHINE", most: 24, from: 60, text: ({ asker }) => terminalLine(asker.machine ?? "–") };
const question: Column = {
  title: "QUESTION",
  most: Number.POSITIVE_INFINITY,
  from: 0,
  text: (session, now) => `${apart(session, now)}${headline(session)}`,
};

/** What sets a question apart from those that wait: it is snoozed, or a call that a model has denied. */
function apart(session: SessionView, now: number): string {
  const { status, snoozedUntil } = session;
  if (isDenial(session)) return status === "pending" ? `(${kindNames.denial.toLowerCase()}) ` : "";
  return status !== "pending" || snoozedUntil === undefined || snoozedUntil <= now
    ? ""
    : `(snoozed for ${roundedDuration(snoozedUntil - now)}) `;
}

/** With the first sentence only, for output that is cut to no width. */
const sentence: Column = {
  ...question,
  text: (session, now) => shorten(`${apart(session, now)}${firstSentence(session)}`, mostInPipe),
};

/** The order of pending sessions in a table: the next deadline first, those without one last, equal ones as they came; denials after all others. */
export const byDeadline = (one: SessionView, other: SessionView): number =>
  Number(isDenial(one)) - Number(isDenial(other)) ||
  (one.deadlineAt === other.deadlineAt ? 0 : (one.deadlineAt ?? Number.POSITIVE_INFINITY) - (other.deadlineAt ?? Number.POSITIVE_INFINITY));

/** Sessions as a table that fits `columns`; narrow terminals show fewer columns, and no more than a line each is shown in a pipe. */
export function sessionTable(
  sessions: readonly SessionView[],
  options: { columns: number; now: number; paint: Paint; allPending: boolean },
): string {
  const { columns, now, paint } = options;
  const isElsewhere = sessions.some(({ asker }) => asker.machine !== undefined);
  const isPipe = columns === Number.POSITIVE_INFINITY;
  const times = options.allPending ? [asked, left] : [{ ...asked, from: 100 }, settled, status];
  const shown = [id, ...times, from, project, ...(isElsewhere ? [machine] : []), isPipe ? sentence : question].filter(
    (column) => columns >= column.from,
  );
  const cells = sessions.map((session) => shown.map((column) => column.text(session, now)));
  let room = columns;
  const widths = shown.map((column, index) => {
    const wanted = Math.max(widthOf(column.title), ...cells.map((row) => widthOf(shorten(row[index] ?? "", columns))));
    const width = isPipe ? wanted : Math.min(wanted, column.most, Math.max(room, 10));
    room -= width + gap.length;
    return width;
  });
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => pad(shorten(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(gap)
      .trimEnd();
  const lines = [paint("dim", line(shown.map(({ title }) => title))), ...cells.map(line)];
  return `${lines.join("\n")}\n`;
}
