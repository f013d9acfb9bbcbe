import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits } from "@askbox/core";
import { questionTypes } from "@askbox/core/questions";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ReadOptions } from "../src/read-input.ts";
import { type Inbox, openInbox, type Ran } from "./support/inbox.ts";

/** Runs `askbox ask` and settles its question with `settle`. */
async function asking(inbox: Inbox, args: string[], settle: (id: string) => Promise<unknown>, stdin = ""): Promise<Ran> {
  const asked = inbox.asked();
  const running = inbox.start(["ask", ...args], { stdin });
  const first = await Promise.race([asked, running.done]);
  if (typeof first !== "string") return first;
  await settle(first);
  return running.done;
}

const answerWith =
  (inbox: Inbox, values: string[], more: { customText?: string; note?: string } = {}) =>
  async (id: string) => {
    const { questions } = await inbox.desk.get(id);
    await inbox.desk.answer(id, { answers: questions.map((question) => ({ questionId: question.id, values, ...more })) });
  };

describe("askbox ask", () => {
  // promise: exit-code-0
  test("prints only the answer to a single question, for use in a shell", async () => {
    const inbox = await openInbox();
    const ran = await asking(inbox, ["What is it called?"], answerWith(inbox, ["Card"]));
    expect(ran).toMatchObject({ code: 0, stdout: "Card\n" });
    expect(ran.stderr).toMatch(/^Asked as \w{8}; waiting 5 min for an answer .*\n {2}askbox answer \w{8} 'your text'\n$/);
  });

  test("prints a line per selected value, and the text of Other", async () => {
    const inbox = await openInbox();
    const args = ["Which?", "--type", "multi-select", "--option", "X", "--option", "Y"];
    expect(await asking(inbox, args, answerWith(inbox, ["Y", "X"], { customText: "Z", note: "all of them" }))).toMatchObject({
      code: 0,
      stdout: "Y\nX\nZ\n",
      stderr: expect.stringContaining("Note: all of them"),
    });
  });

  test("shows pictures, with what they show", async () => {
    const inbox = await openInbox();
    const pictures: unknown[] = [];
    const settle = async (id: string) => {
      const [question] = (await inbox.desk.get(id)).questions;
      pictures.push(...(question?.images ?? []).map((image) => ("name" in image ? [image.name, image.alt] : image)));
      await answerWith(inbox, ["yes"])(id);
    };
    const args = ["Ship it?", "--type", "confirm", "--image", "a.png=Now = before", "--image", "shots/b.png"];
    expect(await asking(inbox, args, settle)).toMatchObject({ code: 0, stdout: "yes\n" });
    expect(pictures).toEqual([
      ["a.png", "Now = before"],
      ["shots/b.png", undefined],
    ]);
  });

  test("prints the answer it has, once and as an answer, if the hub goes away afterwards", async () => {
    const inbox = await openInbox();
    const asked = inbox.asked();
    const running = inbox.start(["ask", "What is it called?", "--json"], { cannotAck: true });
    await answerWith(inbox, ["Card"])(await asked);
    const { code, stdout, stderr } = await running.done;
    expect(JSON.parse(stdout)).toMatchObject({ answered: true, answers: [{ values: ["Card"] }] });
    expect(code).toBe(0);
    expect(stderr).toContain("Could not confirm to the hub that the answer arrived; asking the same question may return it again.");
  });

  test.each([
    ["text", ["Q?"], { type: "text", required: true }],
    [
      "a select when there are options",
      ["Q?", "--option", "A", "--no-other"],
      { type: "select", options: [{ label: "A", value: "A" }], allowOther: false },
    ],
    ["what --type says", ["Q?", "--type", "confirm", "--optional"], { type: "confirm", required: false }],
    [
      "a number with its limits",
      ["Q?", "--type", "number", "--min", "-1.5", "--max", "9", "--integer", "--unit", "GB", "--suggestion", "4"],
      { type: "number", min: -1.5, max: 9, integer: true, unit: "GB", suggestion: "4" },
    ],
    [
      "a date with its limits",
      ["Q?", "--type", "date", "--min", "2026-01-01", "--max", "2026-12-31"],
      { type: "date", min: "2026-01-01", max: "2026-12-31" },
    ],
    [
      "a text's format and length",
      ["Q?", "--format", "email", "--min-length", "6", "--max-length", "40"],
      { type: "text", format: "email", minLength: 6, maxLength: 40 },
    ],
    [
      "how many to choose",
      ["Q?", "--type", "multi-select", "--option", "A", "--option", "B", "--min-choices", "1", "--max-choices", "2"],
      { type: "multi-select", minChoices: 1, maxChoices: 2 },
    ],
    [
      "a rating with its scale",
      ["Q?", "--type", "rating", "--max", "7", "--min-label", "poor", "--max-label", "great", "--suggestion", "5"],
      { type: "rating", max: 7, minLabel: "poor", maxLabel: "great", suggestion: "5" },
    ],
    ["its placeholder", ["Q?", "--placeholder", "e.g. Card"], { type: "text", placeholder: "e.g. Card" }],
  ])("asks %s", async (_, args, question) => {
    const inbox = await openInbox();
    let asked: unknown;
    await asking(inbox, [...args, "--title", "T", "--timeout", "20s", "--key", "k"], async (id) => {
      asked = await inbox.desk.get(id);
      await inbox.desk.cancel(id);
    });
    expect(asked).toMatchObject({ title: "T", key: "k", questions: [question] });
    expect((asked as { deadlineAt: number }).deadlineAt - inbox.clock.now()).toBe(20_000);
  });

  test("uses the timeout from the settings if there is no flag", async () => {
    const inbox = await openInbox();
    let deadline: number | null = 0;
    await asking(inbox, ["Go?"], async (id) => {
      deadline = (await inbox.desk.get(id)).deadlineAt;
      await inbox.desk.cancel(id);
    });
    expect((deadline ?? 0) - inbox.clock.now()).toBe(300_000);
  });

  test("has no deadline with --timeout 0, which an asker's token cannot ask for", async () => {
    const inbox = await openInbox();
    let deadline: number | null = 0;
    const ran = await asking(inbox, ["Go?", "--timeout", "0"], async (id) => {
      await vi.waitUntil(async () => (await inbox.desk.get(id)).deadlineAt === null);
      await inbox.clock.advance(limits.timeout.max);
      deadline = (await inbox.desk.get(id)).deadlineAt;
      await inbox.desk.answer(id, { answers: [{ questionId: (await inbox.desk.get(id)).questions[0]?.id ?? "", values: ["yes"] }] });
    });
    expect([deadline, ran.code, ran.stdout]).toEqual([null, 0, "yes\n"]);
    const refused = await inbox.run(["ask", "Go?", "--timeout", "0"], { asksOnly: true });
    expect(refused.code).not.toBe(0);
    expect(await inbox.desk.list({ statuses: ["pending"] })).toMatchObject({ items: [] });
  });

  test("reads the tool's input from a file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "askbox-ask-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(
      join(folder, "questions.json"),
      JSON.stringify({ title: "From a file", questions: [{ question: "Go?", type: "confirm" }] }),
    );
    const inbox = await openInbox();
    let title: string | undefined;
    const ran = await asking(inbox, ["--file", join(folder, "questions.json")], async (id) => {
      title = (await inbox.desk.get(id)).title;
      await answerWith(inbox, ["yes"])(id);
    });
    expect([ran.code, ran.stdout, title]).toEqual([0, "yes\n", "From a file"]);
  });

  test("prints the tool's result with --json, and marks it delivered", async () => {
    const inbox = await openInbox();
    let id = "";
    const ran = await asking(inbox, ["Go?", "--type", "confirm", "--json"], async (asked) => {
      id = asked;
      await answerWith(inbox, ["no"])(asked);
    });
    const { questions, delivery } = await inbox.desk.get(id);
    expect(JSON.parse(ran.stdout)).toEqual({
      answered: true,
      cancelled: false,
      timedOut: false,
      answers: [{ questionId: questions[0]?.id, values: ["no"] }],
      sessionId: id,
      answeredBy: { surface: "web", name: "ada" },
    });
    expect(ran.code).toBe(0);
    expect(delivery.deliveredAt).not.toBeNull();
  });

  // promise: exit-code-3
  test("exits with 3 if it is cancelled", async () => {
    const inbox = await openInbox();
    const ran = await asking(inbox, ["Go?"], (id) => inbox.desk.cancel(id, { reason: "Not now" }));
    expect(ran).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("Declined by ada in the browser: Not now.") });
  });

  // promise: exit-code-4
  test("exits with 4 if nobody answers in time", async () => {
    const inbox = await openInbox();
    const ran = await asking(inbox, ["Go?", "--json", "--timeout", "10000"], () => inbox.clock.advance(10_000));
    expect(ran.code).toBe(4);
    expect(JSON.parse(ran.stdout)).toMatchObject({ answered: false, cancelled: false, timedOut: true, answers: [], seen: false });
  });

  test("withdraws the question on Ctrl-C", async () => {
    const inbox = await openInbox();
    const asked = inbox.asked();
    const running = inbox.start(["ask", "Go?", "--json"]);
    const id = await asked;
    running.interrupt();
    const ran = await running.done;
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.stdout)).toMatchObject({ answered: false, cancelled: true, timedOut: false, answers: [] });
    expect((await inbox.desk.get(id)).outcome).toMatchObject({ kind: "cancelled", by: { surface: "asker" } });
  });

  test("reads the tool's input from standard input, including questions as a JSON string", async () => {
    const inbox = await openInbox();
    const stdin = JSON.stringify({
      questions: JSON.stringify([
        { id: "a", question: "A?" },
        { id: "b", question: "B?", type: "select", options: ["X"], required: false },
      ]),
      title: "Two",
    });
    const ran = await asking(
      inbox,
      ["--file", "-"],
      (id) => inbox.desk.answer(id, { answers: [{ questionId: "a", values: ["one"] }] }),
      stdin,
    );
    expect(ran).toMatchObject({ code: 0, stdout: "A?: one\nB?: (skipped)\n" });
  });

  test.each([
    [0, 60_000],
    [15_900, 45_000],
    [55_000, 10_000],
  ])("counts the time that standard input took towards its timeout: %d ms", async (spent, left) => {
    const inbox = await openInbox();
    const stdin = async () => {
      await inbox.clock.advance(spent);
      return JSON.stringify({ questions: [{ question: "Name?" }], timeout: 20_000 });
    };
    const asked = inbox.asked();
    inbox.start(["ask", "--file", "-", "--timeout", "1m"], { stdin, abandon: true });
    const { deadlineAt } = await inbox.desk.get(await asked);
    expect((deadlineAt ?? 0) - inbox.clock.now()).toBe(left);
  });

  test("waits for standard input as long as it takes if it has no deadline", async () => {
    const inbox = await openInbox();
    const within: unknown[] = [];
    const stdin = async (options?: ReadOptions) => {
      within.push(options?.within);
      return "{}";
    };
    for (const timeout of ["0", "1m"]) await inbox.run(["ask", "--file", "-", "--timeout", timeout], { stdin });
    expect(within).toEqual([undefined, 60_000]);
  });

  // promise: exit-code-2
  test.each([
    ["no question", [], "", "Specify what to ask"],
    ["a blank question", [" "], "", "question text is required"],
    ["a select without options", ["Q?", "--type", "select"], "", "Options required for select/multi-select types"],
    ["options for a text", ["Q?", "--type", "text", "--option", "A"], "", "--option goes with --type select or multi-select"],
    ["a limit of another type", ["Q?", "--type", "text", "--min", "1"], "", "--min goes with --type number or date, not with text."],
    [
      "a limit that is no number",
      ["Q?", "--type", "number", "--min", "1,5"],
      "",
      'questions[0] has a min that is not a plain number: "1,5"',
    ],
    ["limits without a type", ["Q?", "--max-choices", "2"], "", "--max-choices goes with --type multi-select, not with text."],
    ["limits beside a file", ["--integer", "--file", "-"], "{}", "--file contains the questions"],
    ["a suggestion against the limits", ["Q?", "--type", "number", "--min", "-1", "--suggestion", "-2"], "", 'questions[0] suggests "-2"'],
    ["the same option twice", ["Q?", "--option", "A", "--option", "A"], "", 'questions[0] offers the option "A" twice'],
    ["an unknown type", ["Q?", "--type", "choice"], "", `--type takes one of ${questionTypes.join(", ")}, not "choice".`],
    [
      "a timeout that is no time",
      ["Q?", "--timeout", "soon"],
      "",
      '--timeout takes a duration such as 90s, 5m or 300000 (milliseconds), not "soon".',
    ],
    ["a timeout out of range", ["Q?", "--timeout", "9999"], "", "timeout must be a whole number of milliseconds from 10000 to 1800000"],
    ["{}", ["--file", "-"], "{}", "questions array must have at least 1 item"],
    ["a question and a file", ["Q?", "--file", "-"], "{}", "--file contains the questions"],
    ["what is both optional and required", ["Q?", "--optional", "--required"], "", "--optional and --required contradict each other"],
    [
      "11 questions",
      ["--file", "-"],
      JSON.stringify({ questions: Array(11).fill({ question: "Q?" }) }),
      "questions array exceeds maximum of 10",
    ],
    [
      "2 MB of text",
      ["--file", "-"],
      JSON.stringify({ questions: [{ question: "x".repeat(2_000_000) }] }),
      "questions[0].question must be at most 1000 characters long",
    ],
  ])("rejects %s with exit code 2 and asks nothing", async (_, args, stdin, sentence) => {
    const inbox = await openInbox();
    const ran = await inbox.run(["ask", ...args], { stdin });
    expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(sentence) });
    expect((await inbox.desk.list()).items).toEqual([]);
    const asJson = await inbox.run(["ask", "--json", ...args], { stdin });
    expect(JSON.parse(asJson.stdout)).toEqual({ error: { code: "VALIDATION", message: expect.stringContaining(sentence) } });
  });

  test("an answer that could not be printed is not marked as delivered", async () => {
    const inbox = await openInbox();
    const asked = inbox.asked();
    const running = inbox.start(["ask", "Go?"], { brokenPipe: true });
    const id = await asked;
    await answerWith(inbox, ["yes"])(id);
    expect((await running.done).code).toBe(1);
    expect((await inbox.desk.get(id)).delivery.deliveredAt).toBeNull();
  });

  // promise: exit-code-5
  test("an unreachable hub is exit code 5", async () => {
    const inbox = await openInbox();
    const ran = await inbox.run(["ask", "Go?", "--json"], { noHub: true });
    expect(ran.code).toBe(5);
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: "HUB_UNREACHABLE" } });
  });
});
