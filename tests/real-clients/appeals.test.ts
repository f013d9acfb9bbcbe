import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Desk } from "@askbox/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { until } from "../support/until.ts";
import { claudeCode, codexDaemon, programs } from "./support/clients.ts";
import { type ScriptedCall, startModel } from "./support/model.ts";

/** Real clients whose reviewing model denies a call: what a person overrules runs, exactly and once, and nothing else does. */

let home: Home;
let folder: string;
let desk: Desk;
beforeEach(async () => {
  home = await openHome({ path: [programs] });
  folder = join(realpathSync(home.path), "engine");
  mkdirSync(join(folder, "sub"), { recursive: true });
  expect((await home.run(["config", "set", "holdDenials", "60s"])).code).toBe(0);
  desk = (await connectDesk(home)).desk;
});
afterEach(() => home.close());

const touch = { command: "touch proof.txt" };
const why = "It makes a file that nobody asked for.";
const flags = (call: string) => (/touch/.test(call) ? why : undefined);

/** A turn in auto mode, whose model makes these calls, one after the other. */
async function begin(calls: readonly ScriptedCall[], { install = [] as readonly string[], judges = true } = {}) {
  const model = await startModel(calls, judges ? { flags } : {});
  claudeCode.configure(home, model);
  expect(await home.spawn(["install", "claude-code", "--approvals", ...install])).toMatchObject({ code: 0 });
  const turn = claudeCode.ask(home, model, folder, {}, ["--permission-mode", "auto"]);
  return { turn, model };
}

/** Overrules or agrees with the next denial. */
/** Decides about what a model has denied. In the moment before askbox' server has joined Codex' socket, its hook asks, and then leaves it to the model. */
async function decide(value: "allow" | "deny", customText?: string) {
  const { id, questions } = await until("it is denied", async () => {
    const { items } = await desk.list({ statuses: ["pending"] });
    return items.find(({ questions: [question] }) => question?.type === "approval" && question.denial !== undefined);
  });
  const [question] = questions;
  if (question?.type !== "approval") throw new Error("It is no denial.");
  await desk.answer(id, { answers: [{ questionId: question.id, values: [value], ...(customText !== undefined && { customText }) }] });
  return { id, question };
}

const made = (...path: string[]) => existsSync(join(folder, ...path));

describe("a call that Claude Code's auto mode denied", () => {
  test("runs once it is overruled, although it is flagged again", async () => {
    const { turn, model } = await begin([touch, touch]);
    const { id, question } = await decide("allow");
    expect(question).toMatchObject({ action: { kind: "command", ...touch, cwd: folder }, denial: { reviewer: "auto mode" } });
    expect(question.denial?.reason).toContain(why);
    await turn.over;
    expect(made("proof.txt")).toBe(true);
    expect(model.latest).toContain("allows one more try");
    const { thread, delivery } = await desk.get(id);
    expect(thread).toMatchObject([{ text: "The agent made the call again, and it was let through." }]);
    expect(delivery.deliveredAt).not.toBeNull();
  });

  test("runs no second time", async () => {
    const { turn } = await begin([touch, touch, { command: "rm proof.txt" }, touch]);
    await decide("allow");
    const { id } = await until("it is denied again", async () => (await desk.list({ statuses: ["pending"] })).items[0], 60_000);
    await desk.answer(id, { answers: (await desk.get(id)).questions.map((question) => ({ questionId: question.id, values: ["deny"] })) });
    await turn.over;
    expect(made("proof.txt")).toBe(false);
  });

  test("doesn't run if a person agrees", async () => {
    const { turn } = await begin([touch]);
    await decide("deny");
    await turn.over;
    expect(made("proof.txt")).toBe(false);
  });

  test.each<[string, readonly ScriptedCall[], string[]]>([
    ["with another argument", [{ command: "touch other.txt" }], ["other.txt"]],
    ["in another folder", [{ command: "cd sub" }, touch], ["sub", "proof.txt"]],
  ])("lets nothing through that is made %s", async (_what, calls, path) => {
    const { turn } = await begin([touch, ...calls]);
    await decide("allow");
    await decide("deny");
    await turn.over;
    expect(made(...path)).toBe(false);
  });

  test("lets nothing through in another conversation", async () => {
    const first = await begin([touch]);
    await decide("allow");
    await first.turn.over;
    const twin = await begin([touch]);
    await decide("deny");
    await twin.turn.over;
    expect(made("proof.txt")).toBe(false);
  });

  test("says so if its check gave no verdict", async () => {
    const call = { command: "sh -c 'curl -s http://127.0.0.1:9 | sh; touch proof.txt'" };
    const { turn } = await begin([call], { judges: false });
    const { question } = await decide("deny");
    expect(question.denial?.status).toBe("unavailable");
    await turn.over;
    expect(made("proof.txt")).toBe(false);
  });
});

describe("a command that Codex' auto-review denied", () => {
  /** The model makes its next call once a person has decided about the first. */
  async function review(calls: readonly ScriptedCall[]) {
    const decided = Promise.withResolvers<void>();
    const model = await startModel(calls, { flags, hold: (told) => (told.length > 0 ? decided.promise : Promise.resolve()) });
    codexDaemon.configure(home, model);
    const settings = join(home.path, ".codex", "config.toml");
    writeFileSync(settings, `approvals_reviewer = "auto_review"\n${readFileSync(settings, "utf8")}`);
    expect(await home.spawn(["install", "codex", "--approvals"])).toMatchObject({ code: 0 });
    const turn = await codexDaemon.approvals.start(home, model, folder, {});
    return { turn, model, release: decided.resolve };
  }

  test("runs once it is overruled, without another review", async () => {
    const { turn, model, release } = await review([touch, touch]);
    const { id, question } = await decide("allow");
    expect(question).toMatchObject({
      action: { kind: "command", ...touch, cwd: folder },
      denial: { reviewer: "auto-review", risk: "high" },
    });
    release();
    await turn.over;
    expect(made("proof.txt")).toBe(true);
    expect(model.latest).toContain("manually approved a specific action");
    expect((await desk.get(id)).thread).toMatchObject([{ text: "The agent made the call again, and it was let through." }]);
  });

  test("doesn't run with another argument, and is denied again", async () => {
    const { turn, release } = await review([touch, { command: "touch other.txt" }]);
    await decide("allow");
    release();
    await decide("deny");
    await turn.over;
    expect([made("proof.txt"), made("other.txt")]).toEqual([false, false]);
  });
});
