import type { AskRequest, Question } from "@askbox/core";
import { expect, test } from "vitest";
import { inboxForEachTest, sizes } from "./support/inbox.ts";
import { keys } from "./support/terminal.ts";

const inbox = inboxForEachTest();

/** Title, clipboard, colours, cursor, screen, and the 8-bit forms; each next to a word that must be readable. */
const evil = (word: string): string =>
  [
    "\u001b]0;stolen\u0007",
    "\u001b]2;stolen\u001b\\",
    `\u001b]52;c;${Buffer.from("stolen").toString("base64")}\u0007`,
    "\u001b[31;7m",
    "\u001b[2J\u001b[H",
    "\u009b31m\u009b2J",
    "\u009d0;stolen\u009c",
    "\u001b[?1049l\u001bc",
    "\u0007\b\b\r",
    word,
    "\u202e",
  ].join("");

const request: AskRequest = {
  title: evil("TITLE"),
  timeout: 300_000,
  questions: [
    {
      id: "q_choice",
      type: "select",
      question: evil("QUESTION"),
      header: evil("HEADER"),
      placeholder: evil("PLACEHOLDER"),
      required: true,
      allowOther: true,
      options: [
        { label: evil("LABEL"), value: evil("VALUE"), description: evil("DESCRIPTION"), recommended: true, preview: evil("PREVIEW") },
      ],
    } satisfies Question,
    { id: "q_text", type: "text", question: evil("SECOND"), placeholder: evil("HOLDER"), required: true },
  ],
};
const asker = { client: { name: evil("CLIENT") }, project: `/tmp/${evil("PROJECT")}`, branch: evil("BRANCH"), agentId: evil("AGENT") };

// promise: question-text-inert, text-cleaned-at-boundary
test.each(sizes)(
  "control sequences in every field have no effect on title, clipboard, colours or layout ($columns × $rows)",
  async (size) => {
    const id = await inbox.hub.ask(request, asker);
    let terminal = inbox.open(size);
    await terminal.sees("QUESTION");
    const seen = new Set<string>();
    const look = (): void => {
      const screen = terminal.screen();
      for (const word of ["TITLE", "QUESTION", "LABEL", "DESCRIPTION", "PREVIEW", "PLACEHOLDER", "CLIENT", "SECOND", "HOLDER", "VALUE"]) {
        if (screen.some((row) => row.includes(word))) seen.add(word);
      }
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there.
      expect(screen.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(screen).toHaveLength(size.rows);
    };
    const expectNoEffect = (): void => {
      expect(terminal.titles.every((title) => /^askbox( \(\d+\))?$/.test(title))).toBe(true);
      expect(terminal.clipboard).toEqual([]);
      expect(terminal.output()).not.toContain("stolen");
      // Still on the alternate screen, which is only left on exit.
      expect(terminal.xterm.buffer.active.type).toBe("alternate");
    };
    look();
    for (let page = 0; page < 6; page += 1) {
      terminal.send(keys.pageDown);
      await terminal.until(() => true, "a page");
      look();
    }
    terminal.send("v");
    await terminal.sees("esc close");
    look();
    terminal.send(keys.escape);
    await terminal.until((text) => !text.includes("esc close"), "the form again");
    terminal.send("1", "m", "x", keys.enter, keys.down);
    await terminal.sees("▏ x");
    terminal.send(keys.tab);
    await terminal.sees("SECOND");
    look();
    terminal.send("y", keys.enter);
    await terminal.sees("[ Send ]");
    look();
    terminal.send(keys.enter);
    const settled = await inbox.settled(id);
    expect(settled.outcome).toMatchObject({ kind: "answered", answers: [{ values: [evil("VALUE")] }, { values: ["y"] }] });
    await terminal.sees("Sent.");
    expectNoEffect();
    terminal.send("q");
    expect(await terminal.exited).toBe(0);

    // Another one: Enter opens nothing for a moment after an answer was sent.
    terminal = inbox.open(size);
    await terminal.sees("caught up");
    terminal.send("h");
    await terminal.sees("1 settled");
    look();
    terminal.send(keys.enter);
    await terminal.sees("enter close");
    look();
    expectNoEffect();
    expect([...seen]).toEqual(expect.arrayContaining(["TITLE", "QUESTION", "LABEL", "SECOND"]));
    terminal.send(keys.enter, "q");
    expect(await terminal.exited).toBe(0);
  },
);

// promise: terminal-text-cleaned
test("only copying writes to the terminal's clipboard, and only the sanitised question", async () => {
  await inbox.hub.ask(request, asker);
  const terminal = inbox.open({ env: { SSH_CONNECTION: "somewhere" } });
  await terminal.sees("QUESTION");
  expect(terminal.clipboard).toEqual([]);
  terminal.send("w");
  await terminal.sees("clipboard");
  const [copied = ""] = terminal.clipboard;
  const text = Buffer.from(copied.replace(/^c;/, ""), "base64").toString("utf8");
  expect(text).toContain("QUESTION");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there.
  expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});
