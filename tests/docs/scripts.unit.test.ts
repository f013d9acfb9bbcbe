import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codeBlocks, pages, root, tokensOf } from "./support/pages.ts";
import { argumentsOf } from "./support/shell.ts";

interface Manifest {
  name: string;
  scripts?: Record<string, string>;
}

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
const folders = ["apps", "packages", "packages/agents", "packages/reach"]
  .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
  .filter((folder) => existsSync(join(root, folder, "package.json")));
const members = [...folders, "bench", "examples", "tests"].map(manifestOf);
const own = Object.keys(manifestOf(".").scripts ?? {});
/** Commands built into pnpm. */
const builtIn = ["install", "exec", "add", "dlx", "test", "start"];

/** The problem with the words after `pnpm`; undefined if they run an existing script. */
function problemWith(words: readonly string[]): string | undefined {
  const [script, name, ofMember] = words;
  if (script === undefined) return undefined;
  if (script === "--filter") {
    const member = members.find((each) => each.name === name);
    return ofMember !== undefined && member?.scripts?.[ofMember] !== undefined ? undefined : `${name} has no script ${ofMember}`;
  }
  return own.includes(script) || builtIn.includes(script) ? undefined : `there is no script ${script}`;
}

/** `npx -y pnpm@12 build` and `pnpm build` are the same. */
const pnpmIn = (text: string) => argumentsOf("pnpm", text.replaceAll("pnpm@12", "pnpm"));

describe("each pnpm script in the docs exists", () => {
  test.each(pages.map((page) => [page.name, page] as const))("in %s", (_, page) => {
    const blocks = codeBlocks(page).filter(({ language }) => language === "sh");
    const mentions = tokensOf(page).flatMap((token) =>
      token.type === "codespan" && token.text.includes("pnpm ") ? [token.text as string] : [],
    );
    expect([...blocks.map(({ text }) => text), ...mentions].flatMap(pnpmIn).flatMap((words) => problemWith(words) ?? [])).toEqual([]);
  });
});
