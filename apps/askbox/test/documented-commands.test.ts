import { Command, CommanderError } from "commander";
import { describe, expect, test } from "vitest";
import { codeBlocks, pages, placeOf, tokensOf } from "../../../tests/docs/support/pages.ts";
import { argumentsOf, substituted } from "../../../tests/docs/support/shell.ts";
import type { Run } from "../src/command.ts";
import { commandList, loadOverview } from "../src/command-list.ts";

const shells = ["sh", "bash", "console"];

/** Does nothing: the commands' own definitions parse the lines from the docs, without running them. */
const idle: Run = () => async () => {};

/** The program as `askbox` defines it, for one line. */
async function program(words: readonly string[]): Promise<Command> {
  const root = new Command("askbox")
    .version("0")
    .option("--hub <url>")
    .option("--token-file <file>")
    .exitOverride()
    .configureOutput(silent);
  for (const { name, alias, load } of commandList) {
    const at = words.findIndex((word) => word === name || word === alias);
    const command = (await load()).command(idle, words[at + 1]);
    if (alias !== undefined) command.alias(alias);
    root.addCommand(command);
    quieten(root, command);
  }
  const { withInboxOptions } = await loadOverview();
  return withInboxOptions(root).action(() => {});
}

const silent = { writeOut: () => {}, writeErr: () => {} };

function quieten(root: Command, command: Command): void {
  command.copyInheritedSettings(root);
  for (const child of command.commands) quieten(root, child);
}

/** The command's error for a line; undefined if it is valid. */
async function complaintAbout(words: readonly string[]): Promise<string | undefined> {
  try {
    await (await program(words)).parseAsync([...words], { from: "user" });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return undefined;
    return `askbox ${words.join(" ")}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Only commands and flags: mentions in text omit values, or write them in capitals. */
async function complaintAboutMention(words: readonly string[]): Promise<string | undefined> {
  let command = await program(words);
  for (const [index, word] of words.entries()) {
    // The rest is another program's.
    if (word === "--") break;
    const name = /^(--?[\w-]+)(?:=.*)?$/.exec(word)?.[1];
    const known = [command, ...ancestors(command)].flatMap(({ options }) => options);
    if (name !== undefined && name !== "--help" && !known.some(({ long, short }) => long === name || short === name)) {
      return `askbox ${words.join(" ")}: there is no ${name}`;
    }
    const next = command.commands.find((child) => child.name() === word || child.aliases().includes(word));
    if (name === undefined && next === undefined && index === 0 && /^[a-z-]+$/.test(word) && word !== "help")
      return `askbox ${words.join(" ")}: there is no command ${word}`;
    command = next ?? command;
  }
  return undefined;
}

const ancestors = (command: Command): Command[] => (command.parent === null ? [] : [command.parent, ...ancestors(command.parent)]);

describe("each askbox command in the docs is valid", () => {
  const lines = pages.flatMap((page) =>
    codeBlocks(page)
      .filter(({ language }) => shells.includes(language))
      .flatMap((block) => argumentsOf("askbox", block.text).map((words) => [`${placeOf(block)} ${words.join(" ")}`, words] as const)),
  );

  test("the docs contain many", () => {
    expect(lines.length).toBeGreaterThan(80);
  });

  test.each(lines)("%s", async (_, words) => {
    expect(await complaintAbout(words.map((word) => (word.includes(substituted) ? "value" : word)))).toBeUndefined();
  });
});

describe("each command and flag mentioned in the docs exists", () => {
  test.each(pages.map((page) => [page.name, page] as const))("in %s", async (_, page) => {
    const mentions = tokensOf(page).flatMap((token) => (token.type === "codespan" && /^askbox( |$)/.test(token.text) ? [token.text] : []));
    const complaints = [];
    for (const mention of mentions) {
      for (const words of argumentsOf("askbox", mention))
        complaints.push(...[await complaintAboutMention(words)].flatMap((each) => each ?? []));
    }
    expect(complaints).toEqual([]);
  });
});

test("the check finds an invalid one", async () => {
  expect(await complaintAbout(["list", "--jsno"])).toContain("unknown option");
  expect(await complaintAbout(["install", "emacs"])).toBeDefined();
  expect(await complaintAbout(["token", "create", "ci"])).toContain("--scope");
  expect(await complaintAboutMention(["hub", "--colour"])).toContain("--colour");
  expect(await complaintAboutMention(["lits"])).toContain("lits");
});
