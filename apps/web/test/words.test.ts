import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AskInput, SessionView } from "@askbox/core";
import { anAsk } from "@askbox/core/testing";
import { AskboxContext } from "@askbox/react";
import { act, fireEvent, renderHook } from "@testing-library/react";
import { lexer, walkTokens } from "marked";
import { createElement, type ReactNode } from "react";
import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { sessionMarkdown } from "../src/history/export.tsx";
import { SessionReader } from "../src/history/session-reader.tsx";
import { createFormats } from "../src/i18n/formats.ts";
import { sayAnswer } from "../src/i18n/say-answer.ts";
import { createTranslate } from "../src/i18n/translate.ts";
import { zh } from "../src/i18n/zh.ts";
import { zhLater } from "../src/i18n/zh-later.ts";
import { SessionRow } from "../src/inbox/session-row.tsx";
import { useDeclines } from "../src/inbox/use-declines.ts";
import { NumbersPage } from "../src/numbers/numbers-page.tsx";
import { AnswerPane } from "../src/session/answer-pane.tsx";
import { KeysDialog } from "../src/shell/keys-dialog.tsx";
import { sayExpected } from "../src/widgets/widget.ts";
import { cleansUp, opened, shown, t } from "./page.ts";

cleansUp();

const formats = createFormats("en-GB");
const text = (element: Element | null | undefined) => (element?.textContent ?? "").replace(/[\u2068\u2069]/g, "");
const sure = { id: "sure", header: "Sure", type: "confirm" as const, question: "Delete it?" };
const fruit = { id: "fruit", header: "Fruit", type: "select" as const, question: "Which fruit?", options: ["Apple", "Pear"] };
const why = { id: "why", header: "Why", type: "text" as const, question: "Why?", required: false, suggestion: "Because" };

/** Reverses the text after it, is invisible, and is blank. */
const override = "\u202E";
const blank = "\u200B";

async function paneOf(input: AskInput) {
  const asked = await opened(input);
  return { ...asked, pane: shown(asked.stage, createElement(AnswerPane, { session: await asked.stage.view(asked.id) })) };
}

test("the help has each key that docs/web.md documents", async () => {
  const docs = readFileSync(join(import.meta.dirname, "../../../docs/web.md"), "utf8");
  const cells = [...docs.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell = ""]) => cell);
  const wanted = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, key = ""]) => key));
  expect(wanted.length).toBeGreaterThan(10);
  const help = shown(await createStage(), createElement(KeysDialog, { onClose() {} }));
  const listed = [...help.querySelectorAll("kbd")].flatMap((key) => text(key).split("–"));
  expect(wanted.filter((key) => !listed.includes(key))).toEqual([]);
});

test("the steps of a set show the state of each question, and link to it; a single question has none", async () => {
  const { form, pane } = await paneOf({ questions: [fruit, sure, why] });
  const marks = () => [...pane.querySelectorAll(".step-mark")].map(text);
  const steps = () => [...pane.querySelectorAll<HTMLElement>(".step")];
  expect(marks()).toEqual(["1", "2", "3"]);
  form.choose("fruit", "Pear");
  form.setSkipped("why", true);
  await expect.poll(() => marks()).toEqual(["✓", "2", "–"]);
  expect(steps().map(text)).toEqual([
    expect.stringContaining("answered"),
    expect.any(String),
    expect.stringContaining("skipped"),
    expect.stringContaining("Review"),
  ]);
  for (const step of steps().slice(-1)) fireEvent.click(step);
  await form.submit();
  await expect.poll(() => marks()).toEqual(["✓", "!", "–"]);
  expect(text(pane.querySelector("[aria-current=step]"))).toContain("Sure");
  expect(text(pane.querySelector("[data-question=sure] .error"))).toBe("Please answer this question.");
  expect((await paneOf({ questions: [sure] })).pane.querySelector(".steps")).toBeNull();
});

test("what is expected is said with its limits", async () => {
  const stage = await createStage();
  const questions: AskInput["questions"] = [
    { type: "number", question: "How many?", min: 1, max: 64, integer: true },
    { type: "date", question: "When?", min: "2026-01-30", max: "2026-12-31" },
    { type: "text", question: "Whom to tell?", format: "email" },
    { type: "text", question: "Where?", format: "url" },
    { type: "text", question: "When exactly?", format: "date-time" },
    { type: "text", question: "What is it called?", minLength: 2, maxLength: 20 },
    { type: "multi-select", question: "Which two?", options: ["a", "b", "c"], minChoices: 2, maxChoices: 2 },
    { type: "rating", question: "How good?", max: 10, minLabel: "poor", maxLabel: "great" },
  ];
  const { form } = await stage.ask({ questions });
  expect(form.getState().session.questions.map((question) => sayExpected(t, question))).toEqual([
    "A whole number from 1 to 64",
    "2026-01-30 to 2026-12-31",
    "An email address",
    "A web address, such as https://example.com",
    "Date, time and zone, such as 2026-03-05T14:30:00Z",
    "2 to 20 characters",
    "Choose 2",
    // The names of its ends stand below it.
    undefined,
  ]);
});

async function rowOf(session: SessionView) {
  const row = {
    session,
    isOpen: false,
    isPeeked: false,
    hasDraft: false,
    scheduled: undefined,
    group: undefined,
    isAlone: true,
    isSelected: undefined,
    onSelect() {},
  };
  return shown(await createStage(), createElement(SessionRow, row));
}

test("a row uses the agent's product name, and the question's own text for want of a title", async () => {
  const { stage, id } = await opened({ questions: [{ question: "What is the **new name**?", type: "text" }] });
  const session = await stage.view(id);
  const from = (name: string): SessionView => ({ ...session, asker: { ...session.asker, client: { name } } });
  const row = await rowOf(from("gemini-cli-mcp-client"));
  expect(text(row.querySelector(".row-title"))).toBe("What is the new name?");
  expect(text(row.querySelector(".row-meta"))).toContain("Gemini CLI");
  expect(text((await rowOf(from("my-own-agent"))).querySelector(".row-meta"))).toContain("my-own-agent");
  expect(text(row.querySelector(".row-meta"))).not.toContain(" on ");
  const elsewhere = { ...session, asker: { ...session.asker, machine: "build-7" } };
  const there = await rowOf(elsewhere);
  await expect.poll(() => text(there.querySelector(".row-meta"))).toContain("on build-7");
  await expect.poll(() => row.querySelector(".row-answer-open")).not.toBeNull();
  const several = { ...session, questions: [...session.questions, ...session.questions] };
  expect((await rowOf(several)).querySelector(".row-answer-open")).toBeNull();
});

test("yes and no are in the page's language", async () => {
  const { stage, id } = await opened({ questions: [sure] });
  const [question] = (await stage.view(id)).questions;
  if (question === undefined) throw new Error("There is no question.");
  const answer = { questionId: "sure", values: ["yes"] };
  expect([sayAnswer(createTranslate("zh", { ...zh, ...zhLater }), question, answer), sayAnswer(t, question, answer)]).toEqual([
    "是",
    "Yes",
  ]);
});

/** A settled session, as the history shows and exports it. */
async function settled(input: AskInput, end: (stage: Awaited<ReturnType<typeof createStage>>, id: string) => Promise<unknown>) {
  const { stage, id } = await opened(input);
  await end(stage, id);
  const session = await stage.view(id);
  return { stage, session, markdown: sessionMarkdown(session, t, formats) };
}

test("the history shows a session's answers, comment, who settled it where, and whether it was delivered", async () => {
  const plain = { id: "style", type: "select" as const, question: "Which **style**?", options: [{ label: "Plain", value: "p" }, "Fancy"] };
  const { stage, session } = await settled({ title: "Two things", questions: [plain, why] }, async ({ broker, clock }, id) => {
    await clock.advance(95_000);
    const answers = [{ questionId: "style", values: ["p"], note: "Mind the dark" }];
    await broker.desk({ surface: "terminal", name: "Ada" }).answer(id, { answers, comment: "Go on" });
  });
  const page = shown(stage, createElement(SessionReader, { id: session.id }));
  await expect.poll(() => page.querySelector("[data-testid=reader]")).not.toBeNull();
  const reader = text(page);
  for (const part of [
    "Two things",
    "Answered by Ada in the terminal",
    "Ada",
    "Which style?",
    "Plain",
    "Note: Mind the dark",
    "Skipped",
    "Go on",
  ]) {
    expect(reader).toContain(part);
  }
  for (const part of ["1 min 35 s later", "Claude Code", "/home/ada/storefront", "checkout-v2", session.id]) expect(reader).toContain(part);
  expect(reader).toContain("The agent will get it when it comes back.");
});

test("in an exported session hostile text is only text", async () => {
  const hostile =
    "<img src=x onerror=alert(1)> [click](javascript:alert(2)) ![p](https://evil.example/p.png) https://evil.example `x` # no";
  const fence = "one\n```\n# out of the fence\n<script>alert(3)</script>";
  const questions = [
    { id: "a", type: "text" as const, question: hostile },
    { id: "b", type: "text" as const, question: fence },
  ];
  const { markdown } = await settled({ title: hostile.slice(0, 100), questions }, ({ broker }, id) =>
    broker.desk({ surface: "terminal", name: "<b>Ada</b>" }).answer(id, {
      answers: [
        { questionId: "a", values: [`${hostile}\n\`\`\`\`\nmore`] },
        { questionId: "b", values: ["\u202eright to left, *and* __bold__"] },
      ],
      comment: hostile,
    }),
  );
  const [types, headings] = [new Set<string>(), [] as string[]];
  void walkTokens(lexer(markdown), (token) => {
    types.add(token.type);
    if (token.type === "heading") headings.push(token["text"] as string);
  });
  expect([...types].filter((type) => ["html", "link", "image", "codespan", "em"].includes(type))).toEqual([]);
  expect(headings.some((heading) => heading.includes("out of the fence"))).toBe(false);
  expect(markdown).toContain("# out of the fence\n<script>alert(3)</script>");
  expect(markdown).not.toContain(override);
});

test("an exported approval is whole, with its changed arguments and what is invisible in it", async () => {
  const command = `npm test\nrm -rf ~/${blank}.cache \`\`\``;
  const action = { kind: "command" as const, tool: "Bash", cwd: "/home/ada/engine", command };
  const { stage, session, markdown } = await settled(
    { questions: [{ id: "may", type: "approval", question: "May I?", editable: true, action }] },
    ({ broker }, id) =>
      broker
        .desk({ surface: "terminal" })
        .answer(id, { answers: [{ questionId: "may", values: ["allow"], input: { command: `npm run ${override}unit` } }] }),
  );
  expect(markdown).toContain("#### Command\n\n````text\nnpm test\nrm -rf ~/⟨U+200B⟩.cache ```\n````");
  expect(markdown).toContain("#### Folder\n\n```text\n/home/ada/engine\n```");
  expect(markdown).toContain('"command": "npm run ⟨U+202E⟩unit"');
  const reader = shown(stage, createElement(SessionReader, { id: session.id }));
  await expect.poll(() => text(reader.querySelector("[data-testid=changed-input]"))).toContain('"command": "npm run ⟨U+202E⟩unit"');
});

test("an exported thread tells who wrote what about which question, without markup taking effect", async () => {
  const { markdown } = await settled({ questions: [sure, why] }, async ({ broker }, id) => {
    await broker.desk({ surface: "cli", name: "Bob" }).askBack(id, { text: "Why <b>now</b>?", questionId: "why" });
    await broker.asker("agents").resume(id, { reply: "It needs a *server*.\nOf its own.", maxWait: 0 });
    await broker.desk({ surface: "cli" }).cancel(id);
  });
  const [, thread = ""] = markdown.split("### Messages with the agent\n\n");
  const [question, asks, replier, reply] = thread.split("\n\n");
  expect(question).toMatch(/^#### Asked by Bob .*, about question 2, /);
  expect(asks).toBe("Why \\<b\\>now\\</b\\>?");
  expect(replier).not.toContain("Bob");
  expect(reply).toBe("```text\nIt needs a *server*.\nOf its own.\n```\n");
});

test("invisible characters are symbols in an export", async () => {
  const options = [
    { label: `Yes${blank}`, value: "yes" },
    { label: "ok", value: `o${override}k` },
  ];
  const questions = [{ id: "q", type: "select" as const, header: `tag${blank}`, question: `Open **photo${override}gnp.exe**?`, options }];
  const { markdown } = await settled({ title: `Delete ${override}gnp.exe`, questions }, ({ broker }, id) =>
    broker.desk({ surface: "web" }).answer(id, { answers: [{ questionId: "q", values: [`o${override}k`], note: `so${blank}` }] }),
  );
  expect(markdown).toContain("Delete \uFFFDgnp\\.exe");
  expect(markdown).not.toMatch(/[\u200B\u202A-\u202E]/);
});

test("the statistics count how questions ended, how long answers took, and who asked", async () => {
  const stage = await createStage();
  const desk = stage.broker.desk({ surface: "web" });
  const empty = shown(stage, createElement(NumbersPage));
  await expect.poll(() => text(empty)).toContain("Nothing to count in this time");
  for (const after of [5_000, 20_000, 40_000, 90_000, 900_000]) {
    const { id } = await stage.ask({ questions: [sure], timeout: 1_000_000 });
    await stage.clock.advance(after);
    await desk.answer(id, { answers: [{ questionId: "sure", values: ["yes"] }] });
  }
  await desk.cancel((await stage.ask({ questions: [why] })).id);
  const page = shown(stage, createElement(NumbersPage));
  await expect.poll(() => page.querySelector(".tiles")).not.toBeNull();
  const tiles = text(page.querySelector(".tiles"));
  expect(tiles).toMatch(/Asked\s*6in/);
  expect(tiles).toMatch(/Answered\s*83%/);
  expect(tiles).toMatch(/Median response40 s90th percentile 15 min/);
  for (const button of page.querySelectorAll("figure button, figure summary")) fireEvent.click(button);
  const tables = [...page.querySelectorAll("table")].map((table) => [...table.rows].map((row) => [...row.cells].slice(1).map(text)));
  const byName = [
    ["How they ended", "Asked", "Median"],
    ["Answered: 5, Declined: 1", "6", "40 s"],
  ];
  const times = ["1", "1", "1", "1", "0", "0", "1", "0"].map((count) => [count]);
  expect(tables).toEqual([
    [
      ["Answered", "Declined"],
      ["5", "1"],
    ],
    [["Answered"], ...times],
    byName,
    byName,
  ]);
});

test("an open question shows its time, and gives more; after its end it takes a reply", async () => {
  const { stage, id, form, pane } = await paneOf({ questions: [why], timeout: 60_000 });
  const press = (name: string) =>
    fireEvent.click([...pane.querySelectorAll("button")].find((button) => text(button).startsWith(name)) as Element);
  press("+5 min");
  await expect.poll(async () => (await stage.view(id)).deadlineAt).toBeGreaterThan(stage.clock.now() + 290_000);
  form.setText("why", "a bit late");
  await act(() => stage.clock.advance(400_000));
  expect(text(pane)).toContain("You can still reply.");
  expect(pane.querySelector("textarea")?.value).toBe("a bit late");
  expect(text(pane.querySelector("[data-testid=primary]"))).toContain("Send reply");
  await act(async () => void (await form.submit()));
  expect(text(pane)).toContain("Reply kept for the agent");
});

test("an earlier answer is shown, and only repeated by a button", async () => {
  const stage = await createStage();
  const { form } = await stage.ask({ questions: [sure] });
  const { session } = form.getState();
  const earlierAnswer = {
    sessionId: "earlier",
    by: { surface: "web" as const },
    at: 0,
    answers: [{ questionId: "sure", values: ["yes"] }],
  };
  stage.askbox.inbox.accept({ ...session, earlierAnswer });
  const pane = shown(stage, createElement(AnswerPane, { session: { ...session, earlierAnswer } }));
  expect(pane.querySelectorAll("input:checked").length).toBe(0);
  fireEvent.click([...pane.querySelectorAll("button")].find((button) => text(button).startsWith("Fill in that answer")) as Element);
  await expect.poll(() => pane.querySelectorAll("input:checked").length).toBe(1);
});

test("a question of an unknown type is shown and can only be declined", async () => {
  const stage = await createStage();
  const original = { type: "hologram", options: ["a", "b"], allowOther: true, suggestion: "a" };
  const question = { id: "h", type: "unknown" as const, question: "Which beam?", required: true, original };
  const { id, form } = await stage.askAsIs(anAsk({ questions: [question] }));
  const pane = shown(stage, createElement(AnswerPane, { session: await stage.view(id) }));
  expect(text(pane)).toContain("This version of askbox doesn't know this type of question.");
  expect(pane.querySelectorAll(".question input, .question .suggestion").length).toBe(0);
  await act(async () => void (await form.submit()));
  expect(text(pane.querySelector("[data-question=h] .error"))).toBe("This question cannot be answered here.");
});

test("questions are declined together when the time to undo is over", async () => {
  const { stage, id } = await opened({ questions: [sure] });
  const wrapper = ({ children }: { children: ReactNode }) => createElement(AskboxContext, { value: stage.askbox }, children);
  const { result } = renderHook(() => useDeclines(), { wrapper });
  act(() => result.current.decline([id], "later"));
  await act(() => stage.clock.advance(4_999));
  expect((await stage.view(id)).status).toBe("pending");
  await act(() => stage.clock.advance(1));
  expect((await stage.view(id)).outcome).toMatchObject({ kind: "cancelled", reason: "later" });
});
