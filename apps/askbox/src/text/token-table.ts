import { ago, roundedDuration } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import { pad, shorten, widthOf } from "./layout.ts";
import type { Paint } from "./paint.ts";

const titles = ["NAME", "SCOPE", "AGENT", "EXPIRES", "LAST USED", "ID"];
const gap = "  ";

/** A named token as listed by the hub; times are wall time, ms since the epoch. */
export interface ListedToken {
  id: string;
  name: string;
  scope: string;
  agentId?: string | undefined;
  expiresAt: number | null;
  lastUsedAt: number | null;
  expired: boolean;
}

/** Tokens as a table, cut to `columns`. */
export function tokenTable(
  tokens: readonly ListedToken[],
  { columns, now, paint }: { columns: number; now: number; paint: Paint },
): string {
  const rows = tokens.map((token) => [
    shorten(terminalLine(token.name), columns === Number.POSITIVE_INFINITY ? columns : 30),
    terminalLine(token.scope),
    shorten(terminalLine(token.agentId ?? "–"), columns === Number.POSITIVE_INFINITY ? columns : 20),
    token.expiresAt === null ? "never" : token.expired ? "expired" : `in ${roundedDuration(token.expiresAt - now)}`,
    token.lastUsedAt === null ? "never" : now - token.lastUsedAt < 1_200_000 ? "just now" : ago(token.lastUsedAt, now),
    terminalLine(token.id),
  ]);
  const widths = titles.map((title, column) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[column] ?? ""))));
  const line = (row: readonly string[]) =>
    shorten(
      row
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join(gap)
        .trimEnd(),
      columns,
    );
  return `${[paint("dim", line(titles)), ...rows.map(line)].join("\n")}\n`;
}
