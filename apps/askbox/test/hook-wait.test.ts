import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openInbox } from "./support/inbox.ts";

const event = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "AskUserQuestion",
  tool_input: { questions: [{ question: "Which?", header: "Pick", options: [{ label: "A" }, { label: "B" }], multiSelect: false }] },
});

describe("the hook's timeout", () => {
  test.each([
    ["as the settings say with a person at the client", [], "cli", 300_000],
    ["half an hour without one", [], "sdk-ts", 1_800_000],
    ["as its flag says", ["--timeout", "600000"], "sdk-ts", 600_000],
  ])("is %s", async (_, flags, entrypoint, expected) => {
    const inbox = await openInbox();
    const running = inbox.start(["hook", "claude-code", ...flags], { stdin: event, env: { CLAUDE_CODE_ENTRYPOINT: entrypoint } });
    const id = await inbox.asked();
    expect(((await inbox.desk.get(id)).deadlineAt ?? 0) - inbox.clock.now()).toBe(expected);
    await inbox.desk.cancel(id);
    expect((await running.done).code).toBe(0);
  });

  test("counts from the start, also while the client writes its event, and leaves as long as an ask must have", async () => {
    const inbox = await openInbox();
    for (const [timeout, took, expected] of [
      ["60000", 5_900, 55_000],
      ["12000", 5_900, 10_000],
    ] as const) {
      const stdin = async () => {
        await inbox.clock.advance(took);
        return event;
      };
      const running = inbox.start(["hook", "claude-code", "--timeout", timeout], { stdin, env: { CLAUDE_CODE_ENTRYPOINT: "cli" } });
      const id = await inbox.asked();
      expect(((await inbox.desk.get(id)).deadlineAt ?? 0) - inbox.clock.now()).toBe(expected);
      await inbox.desk.cancel(id);
      await running.done;
    }
  });

  test("must be within the limits of an ask, or nothing is asked and the client's own dialog appears", async () => {
    const inbox = await openInbox();
    const ran = await inbox.run(["hook", "claude-code", "--timeout", "9999"], { stdin: event, env: { CLAUDE_CODE_ENTRYPOINT: "cli" } });
    expect(ran).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("from 10000 to 1800000") });
    expect((await inbox.desk.list()).items).toEqual([]);
  });
});

test.each([
  ["", "It is not valid JSON"],
  ["{not JSON}", "It is not valid JSON"],
  [`\0{\0}`, "It is not valid JSON"],
  ['{"hook_event_name":"PermissionRequest","a":1,"a":2}', "uses a name twice"],
])("a hook says that it cannot read its client's event, and the client goes on: %j", async (stdin, why) => {
  const inbox = await openInbox();
  const ran = await inbox.run(["hook", "claude-code"], { stdin });
  expect(ran).toMatchObject({ code: 0, stdout: "" });
  expect(ran.stderr).toMatch(/^askbox: The client's event cannot be read, so it is not in the inbox\. /);
  expect(ran.stderr).toContain(why);
});

describe("a question that the person asks something about", () => {
  const eventOf = (question: string, session_id = "one") =>
    JSON.stringify({
      ...JSON.parse(event),
      session_id,
      tool_input: { questions: [{ question, header: "Pick", options: [{ label: "A" }] }] },
    });
  const reasonIn = (stdout: string): string => JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason;

  async function openTalk() {
    const home = mkdtempSync(join(tmpdir(), "askbox-hook-"));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const inbox = await openInbox();
    const hook = (question: string, conversation?: string) =>
      inbox.start(["hook", "claude-code"], { stdin: eventOf(question, conversation), env: { ASKBOX_HOME: home } });
    const pending = async () => (await inbox.desk.list({ statuses: ["pending"] })).items;
    const asked = async (question: string) => {
      await expect.poll(async () => (await pending()).map(({ questions }) => questions[0]?.question)).toContain(question);
      return (await pending()).find(({ questions }) => questions[0]?.question === question)?.id ?? "";
    };
    const first = hook("Which?");
    const id = await asked("Which?");
    await inbox.desk.askBack(id, { text: "What is A?" });
    expect(reasonIn((await first.done).stdout)).toContain("What is A?");
    return { ...inbox, hook, pending, asked, id };
  }

  test("is replaced by the conversation's next one, in whatever words", async () => {
    const { desk, hook, pending, asked, id } = await openTalk();
    const other = hook("Another's?", "two");
    await asked("Another's?");
    const next = hook("A is the old way. Which?");
    const replacing = await asked("A is the old way. Which?");
    expect((await pending()).map((session) => session.id)).not.toContain(id);
    expect(await desk.get(replacing)).toMatchObject({ replaces: id, asker: { conversation: "one" }, thread: [{ text: "What is A?" }] });
    expect(await desk.get(id)).toMatchObject({ status: "cancelled", replacedBy: replacing });
    for (const session of await pending()) await desk.cancel(session.id);
    for (const running of [other, next]) await running.done;
    const last = hook("And now?");
    expect((await desk.get(await asked("And now?"))).replaces).toBeUndefined();
    await desk.cancel(await asked("And now?"));
    await last.done;
  });

  test("and answers before the next one comes, is told in words and answers nothing else", async () => {
    const { desk, hook, pending, id } = await openTalk();
    const [question] = (await desk.get(id)).questions;
    await desk.answer(id, { answers: [{ questionId: question?.id ?? "", values: ["A"] }] });
    const { stdout } = await hook("Something else?").done;
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
    expect(reasonIn(stdout)).toContain("- Which? A");
    expect(await pending()).toEqual([]);
  });
});
