import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import { inboxForEachTest } from "./support/inbox.ts";
import { keys } from "./support/terminal.ts";

const inbox = inboxForEachTest();

const sure: Question = { id: "q_sure", type: "confirm", question: "Sure?", required: true };

/** The keys in the first column of docs/terminal.md, as shown by the help. */
function documentedKeys(): string[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/terminal.md"), "utf8");
  const words: Record<string, string> = { "↑": "up", "↓": "down", "←": "left", "→": "right", Esc: "escape" };
  return [...page.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, key = ""]) =>
      key
        .split(" ")
        .map((part) => words[part] ?? part.toLowerCase())
        .join("+"),
    ),
  );
}

test("each key in docs/terminal.md is in the help, which ? opens", async () => {
  await inbox.hub.ask({ questions: [sure] });
  const terminal = inbox.open({ columns: 120, rows: 80 });
  await terminal.sees("Sure?");
  terminal.send("?");
  await terminal.sees("In the list");
  await terminal.sees("ctrl+g");
  const help = new Set(terminal.text().split(/[\s,│]+/));
  // Digits are not separate actions.
  const wanted = documentedKeys().filter((key) => !/^(alt\+)?\d$/.test(key));
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((key) => !help.has(key))).toEqual([]);
});

test("e repeats the earlier answer to a yes-or-no question, and nothing else does", async () => {
  const request = { questions: [sure] };
  const first = await inbox.hub.ask(request, {}, { leave: true });
  await inbox.hub.desk("web", "eve").answer(first, { answers: [{ questionId: "q_sure", values: ["yes"] }] });
  const id = await inbox.hub.ask(request);
  expect(id).not.toBe(first);
  const terminal = inbox.open();
  await terminal.sees("Sure?");
  await terminal.sees(/answered earlier/);
  expect(terminal.text()).not.toContain("(•)");
  terminal.send("e");
  await terminal.sees("(•) 1 Yes");
  expect((await inbox.session(id)).status).toBe("pending");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["yes"] }]);
});
