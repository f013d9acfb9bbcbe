import { anAsk, anAsker } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { type Inbox, openInbox } from "./support/inbox.ts";

const style = { id: "style", question: "Which styling approach?", type: "select" as const, options: ["Tailwind", "CSS Modules"] };
const answer = (values: string[]) => ({ answers: [{ questionId: "q", values }] });

/** A question from an `askbox ask` whose process then ended. */
async function abandoned(inbox: Inbox, question = "q"): Promise<string> {
  const asked = inbox.asked();
  inbox.start(["ask", "--file", "-"], { stdin: JSON.stringify({ questions: [{ id: question, question: "Name?" }] }), abandon: true });
  return asked;
}

describe("askbox wait", () => {
  test("continues to wait, by an id prefix, and marks what it printed as delivered", async () => {
    const inbox = await openInbox();
    const id = await abandoned(inbox);
    const waiting = inbox.start(["wait", id.slice(0, 6)]);
    await inbox.attached(id);
    await inbox.desk.answer(id, answer(["Card"]));
    expect(await waiting.done).toEqual({ code: 0, stdout: "Card\n", stderr: "" });
    expect((await inbox.desk.get(id)).delivery.deliveredAt).not.toBeNull();
  });

  test("prints an earlier answer, marked as late, as the tool's result", async () => {
    const inbox = await openInbox();
    const id = await abandoned(inbox);
    await inbox.desk.answer(id, answer(["Card"]));
    await inbox.clock.advance(1_000);
    const ran = await inbox.run(["wait", id, "--json"], { asksOnly: true });
    expect(JSON.parse(ran.stdout)).toMatchObject({ answered: true, answers: [{ values: ["Card"] }], sessionId: id, late: true });
    expect(ran.code).toBe(0);
    // The second time it is already known.
    expect(JSON.parse((await inbox.run(["wait", id, "--json"])).stdout)).not.toHaveProperty("late");
  });

  test("says of another client's questions that only it can wait", async () => {
    const inbox = await openInbox();
    const { session } = await inbox.asker.ask(anAsk(), { asker: anAsker({ client: { name: "claude-code" } }), maxWait: 0 });
    for (const id of [session.id, session.id.slice(0, 6)]) {
      const { code, stderr } = await inbox.run(["wait", id]);
      expect(code).not.toBe(0);
      expect(stderr).toContain("was opened by another client or token");
      expect(stderr).not.toContain("removed");
    }
  });

  // promise: exit-code-4
  test("returns a ticket after its timeout, and the question stays open", async () => {
    const inbox = await openInbox();
    const id = await abandoned(inbox);
    const waiting = inbox.start(["wait", id, "--timeout", "5000", "--json"]);
    await inbox.attached(id);
    await inbox.clock.advance(5_000);
    const ran = await waiting.done;
    expect(ran.code).toBe(4);
    expect(JSON.parse(ran.stdout)).toEqual({
      answered: false,
      cancelled: false,
      timedOut: false,
      answers: [],
      pending: true,
      sessionId: id,
    });
    expect((await inbox.desk.get(id)).presence.asker).toBe("will_ask_again");
  });

  test.each([
    ["cancelled", 3, (inbox: Inbox, id: string) => inbox.desk.cancel(id, { reason: "No" })],
    ["timed out", 4, (inbox: Inbox) => inbox.clock.advance(300_000)],
  ])("exits like ask if the session was %s", async (_, code, settle) => {
    const inbox = await openInbox();
    const id = await abandoned(inbox);
    await settle(inbox, id);
    expect(await inbox.run(["wait", id])).toMatchObject({ code, stdout: "" });
  });

  test("prints a reply after the deadline along with the timeout", async () => {
    const inbox = await openInbox();
    const id = await abandoned(inbox);
    await inbox.clock.advance(300_000);
    await inbox.desk.reply(id, answer(["Card"]));
    const ran = await inbox.run(["wait", id, "--json"]);
    expect(ran.code).toBe(4);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      timedOut: true,
      answers: [],
      earlier: [{ sessionId: id, repliedAfterTimeout: true, answers: [{ values: ["Card"] }] }],
    });
    expect((await inbox.desk.get(id)).reply?.deliveredAt).toBeDefined();
    expect((await inbox.run(["wait", id])).stderr).toContain(
      `Earlier question "Name?" (${id.slice(0, 8)}), replied to after its deadline by ada`,
    );
  });

  test("rejects what it cannot wait for", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [style] });
    expect(await inbox.run(["wait", id])).toMatchObject({ code: 1, stdout: "" });
    expect(await inbox.run(["wait", "zzzz"], { asksOnly: true })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("use the full id"),
    });
    expect(await inbox.run(["wait", id, "--timeout", "soon"])).toMatchObject({ code: 2 });
  });
});

describe("askbox ask", () => {
  test("prints outcomes its asker has not received: with --json, and on a terminal with who and when", async () => {
    const inbox = await openInbox();
    const id = await abandoned(inbox);
    await inbox.clock.advance(300_000);
    await inbox.run(["answer", id, "Card", "--comment", "at last"]);
    const asked = inbox.asked();
    const asking = inbox.start(["ask", "Go on?", "--json"]);
    const next = await asked;
    await inbox.desk.cancel(next);
    expect(JSON.parse((await asking.done).stdout)).toMatchObject({
      cancelled: true,
      earlier: [{ sessionId: id, timedOut: true, repliedAfterTimeout: true, answers: [{ values: ["Card"] }], comment: "at last" }],
    });
  });
});

describe("askbox snooze", () => {
  test("moves questions to the end of the list until then, or wakes them", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [style] });
    await inbox.clock.advance(1_000);
    const { id: other } = await inbox.ask({ questions: [{ question: "Why?" }] });
    const ids = [id, other];
    const order = async () => JSON.parse((await inbox.run(["list", "--json"])).stdout).map((session: { id: string }) => session.id);
    expect(await order()).toEqual(ids);
    expect(await inbox.run(["snooze", id.slice(0, 4), "2m"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ is snoozed for 2 min\.\n$/),
    });
    expect(await order()).toEqual([other, id]);
    expect((await inbox.run(["list"], { columns: 200 })).stdout).toContain("(snoozed for 2 min) ");
    expect(await inbox.run(["snooze", id, "none"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/ is awake\.\n$/) });
    expect(await order()).toEqual(ids);
    await inbox.run(["snooze", id, "1m"]);
    await inbox.clock.advance(61_000);
    expect(await order()).toEqual(ids);
    for (const time of ["soon", "31d", "500"]) expect(await inbox.run(["snooze", id, time])).toMatchObject({ code: 2, stdout: "" });
    expect(await inbox.run(["snooze", id, "15m"], { agent: "Codex" })).toMatchObject({
      stderr: expect.stringContaining("must not snooze"),
    });
  });
});

describe("askbox extend", () => {
  test.each([
    ["15m", 900_000, "has 15 min left."],
    ["600000", 600_000, "has 10 min left."],
    ["none", null, "no longer has a deadline."],
  ])("by %s", async (time, timeout, words) => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [style] });
    expect(await inbox.run(["extend", id.slice(0, 4), time])).toEqual({
      code: 0,
      stdout: `${id.slice(0, 8)} from test-client (agent-1) ${words}\n`,
      stderr: "",
    });
    const { deadlineAt } = await inbox.desk.get(id);
    expect(deadlineAt).toBe(timeout === null ? null : inbox.clock.now() + timeout);
  });

  test("rejects less time than is left, invalid durations, and agents", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [style] });
    expect(await inbox.run(["extend", id, "1m"])).toMatchObject({ code: 2, stderr: "The deadline can only be moved to a later time.\n" });
    for (const time of ["soon", "2d", "500"]) expect(await inbox.run(["extend", id, time])).toMatchObject({ code: 2, stdout: "" });
    expect(await inbox.run(["extend", id, "15m"], { agent: "Codex" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("must not extend"),
    });
  });
});

describe("askbox answer after the deadline", () => {
  test("is a reply, and says what happens to it", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [style] });
    await inbox.clock.advance(300_000);
    expect((await inbox.run(["show", id])).stdout).toContain(
      `To reply, for the agent's next question, run one of these (N is an option's number):\n  askbox answer ${id.slice(0, 8)} '#N'`,
    );
    expect(await inbox.run(["answer", id, "#2"], { agent: "Codex" })).toMatchObject({ code: 1 });
    expect(await inbox.run(["answer", id, "#2"])).toEqual({
      code: 0,
      stderr: "",
      stdout: `Replied to ${id.slice(0, 8)} of test-client (agent-1): CSS Modules.\nIts deadline had passed: it remains timed out, and the agent gets the reply with its next question.\n`,
    });
    const view = await inbox.desk.get(id);
    expect(view).toMatchObject({ status: "timed_out", outcome: { kind: "timedOut" }, reply: { answers: [{ values: ["CSS Modules"] }] } });
    const { stdout } = await inbox.run(["show", id], { columns: 200 });
    expect(stdout).toContain(
      "Nobody answered in time; replied by grace on the command line, just now: CSS Modules. The agent gets the reply with its next question.",
    );
    expect(stdout).toContain("→ CSS Modules");
    expect(await inbox.run(["answer", id, "#1"])).toMatchObject({ code: 1, stderr: expect.stringContaining("Nothing changed") });
  });

  test("also works if the deadline passes while the answer is being sent", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [style] });
    const answering = inbox.start(["answer", id, "#1"], { beforeAnswer: () => inbox.clock.advance(300_000) });
    expect(await answering.done).toMatchObject({ code: 0, stdout: expect.stringContaining("Replied to") });
    expect((await inbox.desk.get(id)).reply).toMatchObject({ answers: [{ values: ["Tailwind"] }] });
  });
});

describe("askbox show", () => {
  test("shows a draft without an answer to a question that is called constructor", async () => {
    const inbox = await openInbox();
    const id = await abandoned(inbox, "constructor");
    await inbox.desk.saveDraft(id, { comment: "hm" });
    expect(await inbox.run(["show", id], { columns: 200 })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Draft saved just now by ada in the browser:\n  Comment: hm"),
    });
  });

  test("shows who is present and any draft", async () => {
    const inbox = await openInbox();
    const id = await abandoned(inbox);
    await inbox.clock.advance(75_000);
    await inbox.desk.attend(id);
    await inbox.desk.saveDraft(id, { fields: { q: { values: ["Ca\u001b[2Jrd"] } }, comment: "hm" });
    await inbox.clock.advance(2_000);
    const { stdout } = await inbox.run(["show", id], { columns: 200 });
    for (const part of [
      "the agent left 1 min ago; the answer is kept for it. Open by ada in the browser.",
      "Draft saved 2 s ago by ada in the browser:\n  Name?: Ca␛rd\n  Comment: hm",
    ])
      expect(stdout).toContain(part);
    expect(JSON.parse((await inbox.run(["show", id, "--json"])).stdout)).toMatchObject({ id, draft: { fields: { q: {} }, comment: "hm" } });
  });

  test("says that a decline is about to be sent, and why", async () => {
    const inbox = await openInbox();
    const id = await abandoned(inbox);
    await inbox.desk.cancel(id, { reason: "Not on Friday", delay: 5_000 });
    const { stdout } = await inbox.run(["show", id], { columns: 200 });
    expect(stdout).toContain("A decline by ada in the browser is about to be sent and can still be undone there:\n  Not on Friday");
  });

  test("offers the earlier answer to the same question, with the command that repeats it", async () => {
    const inbox = await openInbox();
    const input = {
      questions: [
        { id: "go", question: "Go?", type: "confirm" as const },
        { id: "who", question: "Who?" },
        { id: "more", question: "More?", required: false },
      ],
    };
    const { id } = await inbox.ask(input, { leaves: true });
    const answers = [
      { questionId: "go", values: ["yes"], note: "soon" },
      { questionId: "who", values: ["it's $(me)"] },
    ];
    await inbox.desk.answer(id, { answers, comment: "all well" });
    const again = await inbox.ask(input);
    expect(again.id).not.toBe(id);
    const { stdout } = await inbox.run(["show", again.id], { columns: 200 });
    expect(stdout).toContain(
      "The same question was answered just now by ada in the browser, but the agent had left: Yes; it's $(me); (skipped)",
    );
    expect(stdout).toContain(
      `askbox answer ${again.id.slice(0, 8)} --set go=yes --note go=soon --set 'who=it'\\''s $(me)' --skip more --comment 'all well'`,
    );
    const words = ["--set", "go=yes", "--note", "go=soon", "--set", "who=it's $(me)", "--skip", "more", "--comment", "all well"];
    expect((await inbox.run(["answer", again.id, ...words])).code).toBe(0);
  });
});
