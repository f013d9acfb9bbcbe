import type { SessionView } from "@askbox/core";
import { isDenied } from "@askbox/core/questions";
import { sessionTitle } from "@askbox/inbox";
import { shortDuration, timeLeft, timeOfDay } from "@askbox/inbox/text";
import type { ListEntry } from "../model/ui-state.ts";
import { agentOf, isClose, needWords, outcomeWords, placeOf, presenceWords, snoozeWords, threadWords } from "../model/words.ts";
import { line, type Row, type Span, span, splitLine } from "../text/row.ts";
import type { Token } from "../theme/theme.ts";

interface ListView {
  entries: readonly ListEntry[];
  selected: string | undefined;
  hasFocus: boolean;
  unfolded: boolean;
  width: number;
  height: number;
  now: number;
  plain: boolean;
  /** The texts that were searched for, to mark them. */
  searchTerms: readonly string[];
  /** Sessions with a draft. */
  drafts: { has(id: string): boolean };
  /** The first visible entry of the previous frame; scrolls as little as possible. */
  before: number;
}

export const rowsOfEntry = 2;

/** The visible entries, two rows each. Only these are laid out, whatever the length of the list. */
export function listRows(view: ListView): { rows: Row[]; top: number } {
  const { entries, selected, height } = view;
  const at = Math.max(
    0,
    entries.findIndex(({ id }) => id === selected),
  );
  const top = Math.max(Math.min(view.before, at, firstOf(entries, entries.length - 1, height)), firstOf(entries, at, height));
  const rows: Row[] = [];
  for (const entry of entries.slice(top)) {
    if (rows.length > 0 && rows.length + heightOf(entry) > height) break;
    rows.push(...entryRows(view, entry));
  }
  return { rows, top };
}

const heightOf = (entry: ListEntry): number => rowsOfEntry + ("heading" in entry ? 1 : 0);

/** The first entry that fits on the screen together with this one. */
function firstOf(entries: readonly ListEntry[], last: number, height: number): number {
  let left = height;
  let first = last;
  for (let at = last; at >= 0; at -= 1) {
    left -= heightOf(entries[at] as ListEntry);
    if (left < 0) break;
    first = at;
  }
  return first;
}

function entryRows(view: ListView, entry: ListEntry): Row[] {
  const { width, selected, hasFocus, now, plain } = view;
  const isSelected = entry.id === selected;
  const mark = span(isSelected ? (plain ? "current: " : hasFocus ? "› " : "· ") : "  ", "accent");
  const token: Token | undefined = isSelected && hasFocus ? "selection" : undefined;
  if (!("session" in entry)) {
    const words = `${entry.count} whose agent has left`;
    return [
      line([mark, span(words, token ?? "dim")], width),
      line([span(`    ${view.unfolded ? "shown below" : "enter shows them"}`, "dim")], width),
    ];
  }
  const { session } = entry;
  const title = [mark, ...marked(span(sessionTitle(session), token, isSelected ? { strong: true } : {}), view.searchTerms)];
  const draft = view.drafts.has(session.id) ? [span("draft ", "warning")] : [];
  const right =
    session.status === "pending"
      ? span(timeLeft(session.deadlineAt, now), isClose(session, now) ? "error" : "dim")
      : span(timeOfDay(session.closedAt ?? 0, now), "dim");
  const heading = entry.heading === undefined ? [] : [line([span(entry.heading, "heading")], width)];
  return [
    ...heading,
    splitLine(title, [...draft, right], width),
    splitLine(
      marked(span(`  ${factsOf(session, now)}`, isDenied(session) ? "error" : "dim"), view.searchTerms),
      [span(ageOf(session, now), "dim")],
      width,
    ),
  ];
}

/** A text with what was searched for in it swapped in colour. */
function marked(whole: Span, searchTerms: readonly string[]): Span[] {
  const { text } = whole;
  const lower = text.toLowerCase();
  // In a few languages lower case is longer, and positions would differ.
  if (lower.length !== text.length) return [whole];
  const spans: Span[] = [];
  for (let from = 0; from < text.length; ) {
    const hits = searchTerms.map((each) => ({ at: lower.indexOf(each, from), length: each.length })).filter(({ at }) => at >= 0);
    const { at, length } = hits.sort((one, other) => one.at - other.at)[0] ?? { at: text.length, length: 0 };
    spans.push({ ...whole, text: text.slice(from, at) }, { ...whole, text: text.slice(at, at + length), reverse: true });
    from = at + length;
  }
  return spans.filter((each) => each.text !== "");
}

function factsOf(session: SessionView, now: number): string {
  const parts =
    session.status === "pending"
      ? [snoozeWords(session, now), threadWords(session) || needWords(session), placeOf(session), agentOf(session), presenceWords(session)]
      : [outcomeWords(session), placeOf(session)];
  return parts.filter((part) => part !== "").join(" · ");
}

/** How long a question has been waiting, or how long ago it was settled. */
const ageOf = ({ createdAt, closedAt }: SessionView, now: number): string =>
  closedAt === null ? shortDuration(now - createdAt) : `${shortDuration(now - closedAt)} ago`;
