import type { Grant } from "@askbox/core";
import { expect, test } from "vitest";
import { inboxForEachTest, sizes } from "./support/inbox.ts";
import { keys } from "./support/terminal.ts";

const inbox = inboxForEachTest();

const grant = (id: string, more: Partial<Grant>): Grant => ({
  id,
  scope: "project",
  client: "claude-code",
  project: "/home/ada/engine",
  kind: "command",
  by: { surface: "web" },
  match: { type: "exact", digest: "d" },
  shown: id,
  createdAt: Date.now(),
  expiresAt: Date.now() + 3_600_000,
  ...more,
});

test.each(sizes)("a person sees, searches and revokes what agents may do without asking, at $columns × $rows", async (size) => {
  const { grants } = inbox.hub;
  const long = `npm run build -- ${"--flag ".repeat(20)}--last`;
  await grants.add(grant("g1", { match: { type: "prefix", prefix: "git status" }, shown: "git status" }));
  await grants.add(grant("g2", { shown: long, client: "codex" }));
  await grants.add(grant("g3", { shown: "echo \u001b[31mred\u202e", expiresAt: Date.now() + 86_400_000 * 3 }));
  await grants.add(grant("g4", { shown: "rm -r old", expiresAt: Date.now() - 1 }));
  const terminal = inbox.open(size);
  await terminal.sees("all caught up");
  terminal.send("b");
  await terminal.sees("3 grants");
  await terminal.sees("any command that begins with git");
  expect(terminal.text()).not.toContain("rm -r old");
  terminal.send(keys.down);
  // In full where it is selected.
  await terminal.sees("--last");
  terminal.send("/codex");
  await terminal.until((screen) => !screen.includes("begins with"), "the found grant alone");
  terminal.send(keys.enter, keys.backspace);
  await terminal.sees("Revoked: npm run build");
  expect((await grants.list()).map(({ id }) => id)).not.toContain("g2");
  terminal.send(keys.escape);
  await terminal.sees("2 grants");
  terminal.send(keys.escape);
  await terminal.sees("all caught up");
});
