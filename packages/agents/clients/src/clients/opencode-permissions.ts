import { entryName } from "../client.ts";
import type { Change } from "../formats/change.ts";
import { isObject } from "../json.ts";
import { set } from "./parts.ts";

/** By default OpenCode asks for none of these. MCP tools are prefixed with their server's name. */
const rules = { bash: "ask", edit: "ask", webfetch: "ask", [`${entryName}_*`]: "allow" };

/** The rules that askbox adds, and the names that a person's own rules already cover, which are not changed. */
export function permissionRules(settings: readonly unknown[]): { changes: Change[]; kept: string[] } {
  const own = settings.flatMap(rulesIn);
  const isKept = ([name, to]: [string, string]) => own.some((rule) => (rule.name === name ? rule.to !== to : mayOverlap(rule.name, name)));
  const all = Object.entries(rules);
  return {
    changes: all.filter((rule) => !isKept(rule)).map(([name, to]) => set(["permission", name], to)),
    kept: all.filter(isKept).map(([name]) => name),
  };
}

interface Rule {
  name: string;
  to: unknown;
}

/** The last matching rule wins, and `permission` takes precedence over the older `tools`. */
function rulesIn(settings: unknown): Rule[] {
  if (!isObject(settings)) return [];
  const { permission, tools } = settings;
  const rule = ([name, to]: [string, unknown]): Rule => ({ name, to });
  const older = isObject(tools) ? Object.keys(tools) : [];
  return [
    ...(isObject(permission) ? Object.entries(permission).map(rule) : permission === undefined ? [] : [{ name: "*", to: permission }]),
    ...older.map((name) => ({ name: name === "write" || name === "patch" ? "edit" : name, to: undefined })),
  ];
}

/** Whether a name may match both patterns; only a negative result is certain. */
function mayOverlap(one: string, other: string): boolean {
  const [left, right] = [endsOf(one), endsOf(other)];
  return agree(left.before, right.before, "startsWith") && agree(left.after, right.after, "endsWith");
}

const agree = (one: string, other: string, how: "startsWith" | "endsWith") => one[how](other) || other[how](one);

/** The parts before the first wildcard and after the last. */
function endsOf(pattern: string): { before: string; after: string } {
  const parts = pattern.split(/[*?]/);
  return { before: parts[0] ?? "", after: parts.at(-1) ?? "" };
}
