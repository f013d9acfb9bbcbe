import { copyFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { findHub, uploadFile } from "@askbox/home";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectDesk, hubPid, openDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { killProcess } from "../faults/support/processes.ts";
import { until } from "../support/until.ts";
import { outcome, toyAgent } from "./support/editor.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

const start = (prompt: string, flags: readonly string[] = [], env: Record<string, string> = {}) =>
  home.start(["run", ...flags, "--", ...toyAgent, prompt], { env });
const events = (stdout: string) =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

describe("askbox run", () => {
  test("prints the agent's text, and exits with 0", async () => {
    await openDesk(home);
    expect(await start("hello").done).toEqual({ code: 0, stdout: "Hello.\n", stderr: "askbox: Toy, session ses_1\n" });
  });

  test("asks for permission in the inbox", async () => {
    const { only, answer } = await openDesk(home);
    const running = start("run npm test");
    await answer(await only("pending"), ["allow"]);
    const { code, stdout, stderr } = await running.done;
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${outcome("once")}\n` });
    expect(stderr).toContain("askbox: The agent asks for approval; decide in the inbox.\naskbox: Decided in the inbox: allow.\n");
  });

  test("rule 12: sends the words of a denial as the next prompt", async () => {
    const { only, answer } = await openDesk(home);
    const running = start("run npm test");
    await answer(await only("pending"), ["deny"], "Use pnpm.");
    const { code, stdout } = await running.done;
    expect(code).toBe(0);
    expect(stdout).toBe(`${outcome("no")}Told: I denied this, and it was not run. My words: Use pnpm.\n`);
  });

  // promise: acp-run-words
  test.each([
    [
      "is shown to the agent with the words",
      {},
      "Saw image/png true. Told: I denied this, and it was not run. My words: Like this.\n\nFiles: plan.png.",
    ],
    [
      "is named to one that sees none",
      { TOY_BLIND: "1" },
      "Told: I denied this, and it was not run. My words: Like this.\n\nFiles: plan.png. They can't be shown to you.",
    ],
  ])("a picture of a denial %s", async (_how, env, told) => {
    const { only, desk } = await openDesk(home);
    const running = start("run npm test", [], env);
    const id = await only("pending");
    const picture = join(home.path, "plan.png");
    copyFileSync(resolve("docs/images/grant-narrow-light.png"), picture);
    const hub = await findHub({ role: "desk", env: { ASKBOX_HOME: home.path } });
    const file = await uploadFile(hub, { sessionId: id, path: picture, upload: "upload-one" });
    const [question] = (await desk.get(id)).questions;
    await desk.answer(id, {
      answers: [{ questionId: question?.id ?? "", values: ["deny"], customText: "Like this." }],
      files: [{ ...file, name: "plan.png" }],
    });
    const { code, stdout } = await running.done;
    expect(code).toBe(0);
    expect(stdout).toBe(`${outcome("no")}${told}\n`);
  });

  test("declares forms, and returns their answers", async () => {
    const { only, answer } = await openDesk(home);
    const running = start("form");
    await answer(await only("pending"), ["pg"]);
    expect(JSON.parse((await running.done).stdout)).toEqual({ action: "accept", content: { db: "pg" } });
  });

  test("prints events as JSON, also about a mode in which nothing is asked", async () => {
    await openDesk(home);
    const { code, stdout } = await start("hello", ["--json"], { TOY_MODE: "bypassPermissions" }).done;
    expect(code).toBe(0);
    expect(events(stdout)).toEqual([
      { type: "session", sessionId: "ses_1", agent: "Toy", mode: "bypassPermissions" },
      { type: "notice", text: expect.stringContaining("--mode NAME") },
      { type: "message", text: "Hello." },
      { type: "end", outcome: "done", stopReason: "end_turn" },
    ]);
  });

  test("continues a session without its past", async () => {
    await openDesk(home);
    expect((await start("hello", ["--resume", "ses_1", "--mode", "ask"]).done).stdout).toBe("Hello.\n");
    const resuming = { TOY_RESUME: "1" };
    expect((await start("hello", ["--resume", "ses_1"], resuming).done).stdout).toBe("Hello.\n");
    expect(await start("hello", ["--resume", "ses_2"], resuming).done).toMatchObject({
      code: 1,
      stderr: "askbox: There is no such session.\n",
    });
  });

  test("cancels the turn on Ctrl-C, and exits with 3", async () => {
    const { only } = await openDesk(home);
    const running = start("run npm test");
    await only("pending");
    running.child.kill("SIGINT");
    expect((await running.done).code).toBe(3);
    await only("cancelled");
  });

  test("says in one sentence what the hub refuses, and exits with 1", async () => {
    await home.serve({ ASKBOX_LIMITS_PENDING: "1" });
    const { url } = await findHub({ role: "desk", env: { ASKBOX_HOME: home.path } });
    const saidBy = ({ stderr }: { stderr: string }) => stderr.split("\n").slice(2, -1);
    const wrong = await start("run npm test", [], { ASKBOX_HUB: url, ASKBOX_TOKEN: "abx_wrong" }).done;
    expect([wrong.code, saidBy(wrong)]).toEqual([
      1,
      ["askbox: This hub does not know the token; read it again from hub.json or desk.json, or log the browser in with `askbox open`."],
    ]);
    const first = start("run npm test");
    await home.pending();
    const second = await start("run npm test").done;
    expect([second.code, saidBy(second)]).toEqual([1, [expect.stringMatching(/^askbox: .* pending .*/)]]);
    first.child.kill("SIGINT");
    await first.done;
  });

  test("goes on with its question when the hub was killed", async () => {
    const { only } = await openDesk(home, "process");
    const running = start("run npm test");
    const id = await only("pending");
    await killProcess(hubPid(home));
    const { desk } = await connectDesk(home);
    await until("the agent waits for it again", async () => (await desk.get(id)).presence.asker === "attached");
    const [question] = (await desk.get(id)).questions;
    await desk.answer(id, { answers: [{ questionId: question?.id ?? "", values: ["allow"] }] });
    expect(await running.done).toMatchObject({ code: 0, stdout: `${outcome("once")}\n` });
  });

  test("exits with 5 without a hub, 1 if the agent ends, and 2 for wrong usage", async () => {
    const nowhere = { ASKBOX_HUB: "http://127.0.0.1:9", ASKBOX_TOKEN: "abx_none" };
    expect((await start("run npm test", [], nowhere).done).code).toBe(5);
    expect(await start("exit 4").done).toMatchObject({ code: 1, stderr: expect.stringContaining("exit code 4") });
    expect((await home.spawn(["run", "--agent", "nobody", "hello"])).code).toBe(2);
    expect((await home.spawn(["run", "hello"])).code).toBe(2);
    expect(await home.spawn(["run", "--", "no-such-agent", "hello"])).toEqual({
      code: 2,
      stdout: "",
      stderr: 'The agent "no-such-agent" can\'t be started; install it, or give its path after --.\n',
    });
  });
});
