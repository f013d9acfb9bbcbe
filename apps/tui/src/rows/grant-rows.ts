import type { Grant } from "@askbox/core";
import { folderName } from "@askbox/inbox";
import { shortDuration } from "@askbox/inbox/text";
import { exactText, terminalLine } from "@askbox/terminal-text";
import { foundGrants, type GrantsState } from "../model/ui-state.ts";
import { grantText } from "../model/words.ts";
import { line, type Row, span, splitLine, wrap } from "../text/row.ts";

export interface GrantsView {
  grants: GrantsState;
  width: number;
  height: number;
  now: number;
  plain: boolean;
}

const scopes: Readonly<Record<Grant["scope"], string>> = { session: "one conversation", project: "the project" };

/** What agents may do without asking: one line each, and the selected one in full. */
export function grantRows({ grants, width, height, now, plain }: GrantsView): Row[] {
  const failure = grants.failure === undefined ? [] : wrap([span(grants.failure, "error")], width);
  const found = foundGrants(grants);
  const selected = found[grants.item];
  if (selected === undefined) return [...failure, ...wrap([span(emptyWords(grants), "dim")], width)];
  const mark = plain ? "current: " : "› ";
  const text = wrap([span(mark, "accent"), span(exactText(grantText(selected)), "selection")], width);
  const room = Math.max(1, height - failure.length);
  // A long text never hides whose grant it is.
  const rows = [...text.slice(0, Math.max(1, room - 1)), factsRow(selected, now, width)];
  return [...failure, ...aroundSelected(found, grants.item, rows, room, (grant) => grantLines(grant, now, width))];
}

/** The rows of the selected item in a list, and around it two rows for each of the others for which there is room, half of them above. */
export function aroundSelected<Item>(
  items: readonly Item[],
  at: number,
  rows: readonly Row[],
  height: number,
  linesOf: (item: Item) => Row[],
): Row[] {
  const others = Math.max(0, Math.floor((height - rows.length) / 2));
  const above = Math.min(at, Math.max(Math.floor(others / 2), others - (items.length - at - 1)));
  const before = items.slice(at - above, at);
  return [...before.flatMap(linesOf), ...rows, ...items.slice(at + 1, at + 1 + others - above).flatMap(linesOf)];
}

function emptyWords({ all, query, failure }: GrantsState): string {
  if (all === undefined) return failure === undefined ? "Loading…" : "";
  return query === "" ? "There are no grants: agents ask every time." : "No grants match.";
}

const grantLines = (grant: Grant, now: number, width: number): Row[] => [
  line([span("  "), span(terminalLine(grantText(grant)))], width),
  factsRow(grant, now, width),
];

function factsRow({ client, project, scope, expiresAt }: Grant, now: number, width: number): Row {
  const facts = `  ${terminalLine(client)} · ${terminalLine(folderName(project))} · ${scopes[scope]}`;
  return splitLine([span(facts, "dim")], [span(`${shortDuration(Math.max(0, expiresAt - now))} left`, "dim")], width);
}
