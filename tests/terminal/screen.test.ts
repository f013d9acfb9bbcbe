import { expect, test } from "vitest";
import { inboxForEachTest } from "./support/inbox.ts";
import { keys } from "./support/terminal.ts";

const inbox = inboxForEachTest();
const words = { questions: [{ id: "q_text", type: "text" as const, question: "What is it called?", required: true }] };

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences.
const colors = /\u001b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9\d|10\d)(?:;[\d;]*)?m/;

// promise: terminal-smallest
test("everything is readable without colours, and no colour is sent", async () => {
  const id = await inbox.hub.ask();
  const terminal = inbox.open({ env: { NO_COLOR: "1" } });
  await terminal.sees("What should the new module be called?");
  terminal.send("x", keys.enter);
  await terminal.sees("› ( ) 1 SQLite  recommended");
  terminal.send("2", keys.enter, "1", "3", keys.enter);
  await terminal.sees("May it replace");
  terminal.send("n", keys.enter);
  await terminal.sees("› [ Send ]");
  terminal.send(keys.enter);
  await inbox.answers(id);
  expect(terminal.output()).not.toMatch(colors);
});

// promise: terminal-smallest
test.each([
  ["xterm", undefined, /\[36m/, /38;[25]/],
  ["xterm-256color", undefined, /38;5;208/, /38;2/],
  ["xterm-256color", "truecolor", /38;2;255;136;0/, /38;5/],
])("a theme's colours fit the terminal (%s, %s)", async (TERM, COLORTERM, has, lacks) => {
  await inbox.hub.ask(words);
  const accent = has.source.includes("36m") ? "cyan" : "#ff8800";
  const terminal = inbox.open({ env: { TERM, COLORTERM }, tui: { settings: { theme: { accent } } } });
  await terminal.sees("Type your answer");
  expect(terminal.output()).toMatch(has);
  expect(terminal.output()).not.toMatch(lacks);
});

test("the list is next to the form if there is room, and the screen follows the terminal's size", async () => {
  await inbox.hub.ask({ title: "First matter" });
  await inbox.hub.ask({ title: "Second matter" }, { agentId: "agent-2" });
  const terminal = inbox.open({ columns: 120, rows: 30 });
  await terminal.sees(/First matter .*│/);
  await terminal.sees("What should the new module be called?");
  terminal.resize({ columns: 40, rows: 12 });
  await terminal.until((text) => !text.includes("│") && text.includes("Second matter"), "the list alone");
  terminal.send(keys.enter);
  await terminal.sees("Type your answer");
  for (const size of [
    { columns: 140, rows: 45 },
    { columns: 60, rows: 15 },
    { columns: 100, rows: 24 },
  ]) {
    terminal.resize(size);
    await terminal.until(
      (text) => text.includes("What should the new module") && text.includes("│") === size.columns >= 100,
      "the form at another size",
    );
  }
});

test("500 pending sessions are listed, navigated and searched, and only visible ones are laid out", async () => {
  await Promise.all(
    Array.from({ length: 500 }, (_, index) => inbox.hub.ask({ ...words, title: `Matter ${index}` }, { agentId: `agent-${index}` })),
  );
  const terminal = inbox.open({ columns: 120, rows: 40 });
  await terminal.sees("500 questions wait");
  await terminal.sees(/› Matter \d+/);
  const chosen = () => terminal.text().match(/› (Matter \d+)/)?.[1];
  const first = chosen();
  terminal.send(keys.end);
  await terminal.until(() => chosen() !== undefined && chosen() !== first, "the last");
  terminal.send(keys.home);
  await terminal.until(() => chosen() === first, "the first again");
  terminal.send("/", "matter 499");
  await terminal.until((text) => text.includes("Matter 499") && !text.includes("Matter 498"), "what was searched for");
  expect(terminal.titles.at(-1)).toBe("askbox (500)");
});

// promise: terminal-smallest
test("a screen reader gets words instead of symbols, on the terminal's own screen", async () => {
  await inbox.hub.ask({
    questions: [
      {
        id: "q",
        type: "select",
        question: "Which fruit?",
        required: true,
        allowOther: false,
        options: [
          { label: "Apple", value: "a" },
          { label: "Pear", value: "p" },
        ],
      },
    ],
  });
  const terminal = inbox.open({ env: { INK_SCREEN_READER: "true" } });
  await terminal.sees("current, not chosen, 1: Apple");
  terminal.send(keys.down, " ");
  await terminal.sees("current, chosen, 2: Pear");
  expect(terminal.xterm.buffer.active.type).toBe("normal");
});

test("exiting says that the draft is kept, and restores the terminal", async () => {
  await inbox.hub.ask(words);
  const terminal = inbox.open({ isProcess: true });
  await terminal.sees("Type your answer");
  terminal.send("kept");
  await terminal.sees("▏ kept");
  terminal.send(keys.ctrl("c"));
  expect(await terminal.exited).toBe(0);
  await terminal.sees("Your draft is kept");
  expect(terminal.xterm.buffer.active.type).toBe("normal");
  expect(terminal.xterm.modes.bracketedPasteMode).toBe(false);
  // The cursor was last shown after it was last hidden.
  expect(terminal.output().lastIndexOf("[?25h")).toBeGreaterThan(terminal.output().lastIndexOf("[?25l"));
});

test.each(["SIGHUP", "SIGTERM"])("%s saves the draft to the hub before the program exits", async (signal) => {
  const id = await inbox.hub.ask(words);
  const terminal = inbox.open({ isProcess: true });
  await terminal.sees("Type your answer");
  terminal.send("still here");
  await terminal.sees("still here");
  terminal.kill(signal);
  await terminal.exited;
  expect((await inbox.hub.desk("api").getDraft(id))?.fields["q_text"]?.values).toEqual(["still here"]);
});

test("Ctrl-Z gives the terminal back and continuing takes it again", async () => {
  await inbox.hub.ask(words);
  const terminal = inbox.open({ isProcess: true });
  await terminal.sees("Type your answer");
  terminal.send("before");
  await terminal.sees("▏ before");
  const seen = terminal.output().length;
  terminal.send(keys.ctrl("z"));
  // A program without a shell isn't suspended: it hands over the terminal and takes it back.
  await terminal.until(() => terminal.output().slice(seen).includes("\u001b[?1049l"), "the terminal given back");
  await terminal.until(
    () => terminal.output().slice(seen).lastIndexOf("\u001b[?1049h") > terminal.output().slice(seen).indexOf("\u001b[?1049l"),
    "the terminal taken again",
  );
  await terminal.sees("▏ before");
  terminal.send(" and after");
  await terminal.sees("▏ before and after");
});
