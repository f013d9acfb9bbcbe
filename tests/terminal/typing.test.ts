import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inboxForEachTest } from "./support/inbox.ts";
import { keys } from "./support/terminal.ts";

const inbox = inboxForEachTest();
const words = { id: "q_text", type: "text", question: "What is it called?", required: true } as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "askbox-editor-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("pasted text keeps its lines and sends nothing", async () => {
  const id = await inbox.hub.ask({ questions: [words] });
  const terminal = inbox.open();
  await terminal.sees("Type your answer");
  await terminal.until(() => terminal.output().includes("\u001b[?2004h"), "bracketed paste switched on");
  terminal.send(keys.paste("first\nsecond\n\tthird q"));
  await terminal.sees("second");
  expect((await inbox.session(id)).status).toBe("pending");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["first\nsecond\n\tthird q"] }]);
});

test("a paste without its end doesn't lock the inbox: it ends by itself, and keys count again", { tags: "nightly" }, async () => {
  await inbox.hub.ask({ questions: [words] });
  const terminal = inbox.open();
  await terminal.sees("Type your answer");
  await terminal.until(() => terminal.output().includes("\u001b[?2004h"), "bracketed paste switched on");
  terminal.send("\u001b[200~half a paste");
  await terminal.sees("half a paste");
  terminal.send(" and a key");
  await terminal.sees("half a paste and a key");
});

test("wide characters and emoji of several code points are one character for the cursor, and measured as displayed", async () => {
  const id = await inbox.hub.ask({ questions: [words], title: "漢字 👩‍👩‍👧 title" });
  const terminal = inbox.open({ columns: 100 });
  await terminal.sees("Type your answer");
  terminal.send("漢字👩‍👩‍👧x");
  await terminal.sees("▏ 漢字👩‍👩‍👧x");
  const { active } = terminal.xterm.buffer;
  const left = active.cursorX;
  terminal.send(keys.left, keys.left);
  await terminal.until(() => active.cursorX === left - 3, "the cursor three columns to the left");
  terminal.send(keys.backspace, "語");
  await terminal.sees("漢語👩‍👩‍👧x");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["漢語👩‍👩‍👧x"] }]);
});

test("a long text is edited in the user's editor and comes back", async () => {
  const editor = join(folder, "editor");
  writeFileSync(editor, '#!/bin/sh\nprintf "from the editor\\nwith two lines\\n" >> "$1"\n');
  chmodSync(editor, 0o700);
  const id = await inbox.hub.ask({ questions: [words] });
  const terminal = inbox.open({ isProcess: true, env: { EDITOR: editor } });
  await terminal.sees("Type your answer");
  terminal.send("begun ", keys.ctrl("g"));
  await terminal.sees("with two lines");
  await terminal.sees("begun from the editor");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["begun from the editor\nwith two lines"] }]);
});

test("a question that arrives while typing takes neither the focus nor the text", async () => {
  const id = await inbox.hub.ask({ questions: [words] });
  const terminal = inbox.open();
  await terminal.sees("Type your answer");
  terminal.send("half a");
  await terminal.sees("half a");
  const bells = terminal.bells();
  await inbox.hub.ask({ title: "Another matter" }, { agentId: "agent-2" });
  await terminal.sees("New: Another matter");
  expect(terminal.bells()).toBe(bells + 1);
  terminal.send("n answer", keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["half an answer"] }]);
});

test("Escape goes back and destroys nothing", async () => {
  const id = await inbox.hub.ask({ questions: [words] });
  const terminal = inbox.open();
  await terminal.sees("Type your answer");
  terminal.send("precious");
  await terminal.sees("precious");
  terminal.send(keys.escape);
  await terminal.sees("enter type");
  terminal.send(keys.escape);
  await terminal.sees("Your draft is kept.");
  terminal.send(keys.escape);
  await terminal.sees("Press q to quit.");
  terminal.send(keys.enter);
  await terminal.sees("▏ precious");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["precious"] }]);
});

test("keys can be changed, the help lists the current ones, and an invalid key is reported", async () => {
  await inbox.hub.ask({ questions: [{ id: "q", type: "confirm", question: "Sure?", required: true }] });
  const terminal = inbox.open({ tui: { settings: { keys: { help: "ctrl+p", nonsense: "x" } } } });
  await terminal.sees("keys.nonsense is not an action");
  terminal.send(keys.ctrl("p"));
  await terminal.sees("In the list");
  terminal.send(keys.end);
  await terminal.sees("ctrl+p");
});
