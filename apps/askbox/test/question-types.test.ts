import { existsSync, readFileSync } from "node:fs";
import { questionFields, questionTypes } from "@askbox/core/questions";
import { describe, expect, test } from "vitest";
import { openInbox } from "./support/inbox.ts";

/** Fields of every question, which `askbox ask` sets with an argument or another flag. */
const shared = new Set(["type", "id", "question", "required", "header", "images"]);
const otherFlags: Readonly<Record<string, string>> = { options: "--option", allowOther: "--no-other" };
/** What only an agent's client has to say. */
const unflagged = new Set(["agentOptions"]);
const guide = readFileSync(new URL("../../../docs/question-types.md", import.meta.url), "utf8");

describe.each(questionTypes)("a question of type %s", (type) => {
  const fields = questionFields[type].filter((field) => !shared.has(field));

  test("has a flag of askbox ask for each of its own fields", async () => {
    const { stdout } = await (await openInbox()).run(["ask", "--help"]);
    for (const field of fields.filter((each) => !unflagged.has(each)))
      expect(stdout).toContain(otherFlags[field] ?? `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} `);
  });

  test("has a row in docs/question-types.md with each of its own fields", () => {
    const row = guide.split("\n").find((line) => line.startsWith(`| \`${type}\``));
    expect(row).toBeDefined();
    for (const field of fields) expect(row).toContain(`\`${field}\``);
  });
});

test("the guide to adding a type lists only files that exist", () => {
  const steps = guide.slice(guide.indexOf("## Add a type")).match(/^\| \d+ \|.*$/gm) ?? [];
  const named = steps.flatMap((step) => [...step.matchAll(/`((?:apps|packages|tests|docs)\/[^` ]+)`/g)].map(([, path]) => path ?? ""));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(new URL(`../../../${path}`, import.meta.url)))).toEqual([]);
});
