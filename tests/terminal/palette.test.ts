import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import { inboxForEachTest } from "./support/inbox.ts";
import { keys } from "./support/terminal.ts";

const inbox = inboxForEachTest();

const sure: Question = { id: "q_sure", type: "confirm", question: "Sure?", required: true };

test.each([
  [80, 24],
  [40, 12],
])("the palette finds a question and a grant by what is typed: %d × %d", async (columns, rows) => {
  await inbox.hub.ask({ title: "Which database?", questions: [sure] });
  await inbox.hub.ask({ title: "Which colour?", questions: [sure] });
  await inbox.hub.grants.add({
    id: "g1",
    scope: "project",
    client: "test-client",
    project: "/home/ada/engine",
    kind: "command",
    shown: "npm test",
    match: { type: "prefix", prefix: "npm" },
    by: { surface: "web" },
    createdAt: Date.now(),
    expiresAt: Date.now() + 3_600_000,
  });
  const terminal = inbox.open({ columns, rows });
  await terminal.sees("2 questions waiting");
  terminal.send(":");
  await terminal.sees("Go to or do:");
  await terminal.sees("enter do it");
  terminal.send("datab");
  await terminal.sees("› Which database?");
  terminal.send(keys.enter);
  await terminal.until((screen) => !screen.includes("Go to or do") && screen.includes("Which database?"), "the question");
  terminal.send(keys.escape);
  await terminal.sees("2 questions waiting");
  terminal.send(keys.ctrl("k"));
  await terminal.sees("Go to or do:");
  terminal.send("revoke npm");
  await terminal.sees("› Revoke: any command that begins");
  terminal.send(keys.enter);
  await terminal.sees("Revoked: npm test");
  expect(await inbox.hub.grants.list()).toEqual([]);
});
