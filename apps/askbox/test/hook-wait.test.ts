import { describe, expect, test } from "vitest";
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

  test("must be within the limits of an ask, or nothing is asked and the client's own dialog appears", async () => {
    const inbox = await openInbox();
    const ran = await inbox.run(["hook", "claude-code", "--timeout", "9999"], { stdin: event, env: { CLAUDE_CODE_ENTRYPOINT: "cli" } });
    expect(ran).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("from 10000 to 1800000") });
    expect((await inbox.desk.list()).items).toEqual([]);
  });
});
