import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { SessionView } from "@askbox/core";
import { parseAst } from "rolldown/parseAst";

/**
 * Part of `pnpm check`: what is stored of a session and no inbox shows. Every field of the record says in `session/audience.ts` of the core in which
 * fields of the view people get it, and every field of the view says here which inboxes show it. TypeScript holds both tables complete; that the
 * inbox reads the field is looked up in its sources, by name. A field that is called like much else (`title`) may seem shown although it isn't.
 */

type Inbox = "web" | "terminal";

/** Where an inbox' sources are; what both use is in the last ones. */
const places: Readonly<Record<Inbox, readonly string[]>> = {
  web: ["apps/web/src", "packages/react/src", "packages/inbox/src"],
  terminal: ["apps/tui/src", "packages/react/src", "packages/inbox/src"],
};

const both: readonly Inbox[] = ["web", "terminal"];

/** Which inboxes show a field of the view. */
export type ShownIn = Readonly<Record<string, readonly Inbox[] | `not shown: ${string}`>>;

const shownIn = {
  id: both,
  revision: "not shown: says which of two views is newer",
  status: both,
  title: both,
  asker: both,
  questions: both,
  createdAt: both,
  deadlineAt: both,
  closedAt: both,
  key: "not shown: a name that the asking program gave",
  seenAt: ["web"],
  snoozedUntil: both,
  outcome: both,
  reply: both,
  delivery: both,
  waking: both,
  presence: both,
  scheduled: both,
  earlierAnswer: both,
  thread: both,
  replaces: "not shown: the session that was replaced leads to this one",
  replacedBy: both,
} as const satisfies Readonly<Record<keyof Required<SessionView>, ShownIn[string]>>;

/** What is wrong, a sentence each. `reads`: the properties that an inbox' sources read. */
export function shownProblems(reads: Readonly<Record<Inbox, ReadonlySet<string>>>, table: ShownIn = shownIn): string[] {
  return Object.entries(table).flatMap(([field, where]) =>
    typeof where === "string"
      ? []
      : where
          .filter((inbox) => !reads[inbox].has(field))
          .map(
            (inbox) =>
              `The ${inbox} inbox doesn't read ${field} of a session; show it in ${places[inbox][0]}, or say in tests/checks/shown-fields.ts why it isn't.`,
          ),
  );
}

interface Node {
  type?: string;
  name?: string;
  computed?: boolean;
  property?: Node;
  properties?: Node[];
  key?: Node;
}

/** The names of all properties that a source reads or takes out of an object. */
export function propertiesReadIn(path: string, source: string): Set<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, computed, property, properties } = node as Node;
    if (type === "MemberExpression" && !computed && property?.name !== undefined) found.add(property.name);
    if (type === "ObjectPattern") for (const { key } of properties ?? []) if (key?.name !== undefined) found.add(key.name);
    for (const each of Object.values(node)) visit(each);
  };
  visit(parseAst(source, { lang: path.endsWith("x") ? "tsx" : "ts" }));
  return found;
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "../..");
  const readIn = (folders: readonly string[]) =>
    new Set(
      globSync(
        folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
        { cwd: root },
      ).flatMap((path) => [...propertiesReadIn(path, readFileSync(resolve(root, path), "utf8"))]),
    );
  const problems = shownProblems({ web: readIn(places.web), terminal: readIn(places.terminal) });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
