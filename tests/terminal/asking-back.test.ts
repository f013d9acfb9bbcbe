import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import { inboxForEachTest, sizes } from "./support/inbox.ts";
import { keys } from "./support/terminal.ts";

const inbox = inboxForEachTest();

const database: Question = {
  id: "q_db",
  type: "select",
  question: "Which database?",
  required: true,
  allowOther: false,
  options: ["SQLite", "Postgres"].map((label) => ({ label, value: label.toLowerCase() })),
};
const called: Question = { id: "q_name", type: "text", question: "What is it called?", required: true };

test.each(sizes)("a user asks the agent, sees its reply at once, and keeps what they picked, at $columns × $rows", async (size) => {
  const id = await inbox.hub.ask({ questions: [database, called] });
  const terminal = inbox.open(size);
  await terminal.sees("Which database?");
  terminal.send(" ");
  await terminal.sees("(•) 1 SQLite");
  terminal.send("i");
  await terminal.sees(/Ask the agent about question\s+1/);
  terminal.send("Why not", keys.newline, "**Postgres**?");
  await terminal.sees("▏ **Postgres**?");
  terminal.send(keys.enter);
  await terminal.sees("Asked back");
  expect(await inbox.session(id)).toMatchObject({
    status: "pending",
    thread: [{ questionId: "q_db", text: "Why not\n**Postgres**?", by: { surface: "terminal" } }],
  });
  await inbox.hub.reply(id, "It needs a server.");
  await terminal.sees("It needs a server.");
  // The next key scrolls the cursor into view, and Enter continues from the earlier pick.
  terminal.send(keys.up);
  await terminal.sees("(•) 1 SQLite");
  terminal.send(keys.enter);
  await terminal.sees("What is it called?");
  terminal.send("lathe", keys.enter);
  await terminal.sees("[ Send ]");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["sqlite"] }, { values: ["lathe"] }]);
});
