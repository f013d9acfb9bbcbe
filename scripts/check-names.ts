import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { root } from "./run.ts";

/**
 * Part of `pnpm check`: the name of a question type, dialect, channel or client may only be compared in the folder that owns it. All other
 * code uses traits, so that the next one needs no code there. It reads text, not syntax: a comparison put together from parts goes unnoticed.
 */
interface Named {
  what: string;
  /** The folders and files that own the names. */
  owner: readonly string[];
  /** A file with a table of the names, and where the table begins. */
  tables: readonly (readonly [path: string, start: string, name: RegExp])[];
  /** The properties and variables that hold such a name. */
  subjects: string;
}

const keys = /"?([\w-]+)"?\s*[,:]/g;
const questions = "packages/core/src/session/questions";
const clients = "packages/core/src/clients/table.ts";

const named: readonly Named[] = [
  {
    what: "type of question",
    owner: [questions],
    tables: [[`${questions}/types.ts`, "const types = {", /"?([\w-]+)"?\s*[,:}]/g]],
    // Form fields and nodes of markdown have a "type" of their own, with some of the same values.
    subjects: String.raw`(?<!field\.|token\.|node\.)\btype`,
  },
  {
    what: "dialect",
    owner: ["packages/agents/mcp/src/dialects"],
    tables: [["packages/agents/mcp/src/dialects/index.ts", "const dialects = {", keys]],
    subjects: String.raw`\b(?:dialect|tool|name)`,
  },
  {
    what: "attention mode",
    owner: ["packages/reach/notify/src/channels"],
    tables: [["packages/reach/notify/src/channels/index.ts", "const localChannels = {", /"?([\w-]+)"?\s*[,:}]/g]],
    subjects: String.raw`\b(?:mode|attention)`,
  },
  {
    what: "kind of webhook",
    owner: ["packages/reach/notify/src/channels"],
    tables: [["packages/reach/notify/src/channels/index.ts", "remoteChannels = Object.freeze({", /"?([\w-]+)"?\s*[,:}]/g]],
    subjects: String.raw`\bkind`,
  },
  {
    what: "chat",
    owner: ["packages/reach/chat/src/telegram", "packages/reach/chat/src/slack", "packages/reach/chat/src/discord"],
    tables: [["packages/reach/chat/src/platforms.ts", "const platforms = Object.freeze({", /"?([\w-]+)"?\s*[,:}]/g]],
    subjects: String.raw`\b(?:platform|surface|name)`,
  },
  {
    what: "client",
    owner: ["packages/agents/clients/src/clients", clients],
    tables: [
      [clients, "const table = {", /^ {2}"?([\w-]+)"?: \{/gm],
      [clients, "const table = {", /\breportsAs: "([^"]+)"/g],
    ],
    subjects: String.raw`\b(?:client(?:\.name)?|clientInfo\.name|clientName)`,
  },
];

function namesOf({ what, tables }: Named): string[] {
  return tables.flatMap(([path, start, name]) => {
    const text = readFileSync(resolve(root, path), "utf8");
    const begin = text.indexOf(start);
    const rest = text.slice(begin + start.length);
    const names = begin < 0 ? [] : [...rest.slice(0, rest.search(/^[\]}]|[\]}][);]/m) + 1).matchAll(name)].map(([, each = ""]) => each);
    if (names.length === 0) throw new Error(`${path} has no "${start}" any more, where the names of each ${what} are read.`);
    return names;
  });
}

const files = globSync(["packages/{*,agents/*,reach/*}/src/**/*.{ts,tsx}", "apps/*/src/**/*.{ts,tsx}", "examples/**/*.{ts,tsx}"], {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
});
const checks = named.map((thing) => {
  const name = `"(${namesOf(thing).join("|")})"`;
  const { subjects } = thing;
  const forms = [
    `${subjects} [!=]==? ${name}`,
    `${name} [!=]==? [\\w.?]*${subjects}\\b`,
    `${name}[^\\]\\n]*\\]\\.includes\\([\\w.?]*${subjects}\\)`,
  ];
  return { ...thing, forms: forms.map((form) => new RegExp(form, "g")) };
});
for (const path of files.sort()) {
  const source = readFileSync(resolve(root, path), "utf8");
  for (const { what, owner, forms } of checks) {
    if (owner.some((place) => path === place || path.startsWith(`${place}/`))) continue;
    for (const match of forms.flatMap((form) => [...source.matchAll(form)])) {
      const line = source.slice(0, match.index).split("\n").length;
      console.error(
        `${path}:${line}: compares the ${what} "${match[1]}" by name; ask for a trait of it instead, so that the next ${what} needs no code here.`,
      );
      process.exitCode = 1;
    }
  }
}
