import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
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
    expect(stderr).toContain("askbox: The agent asks for permission; decide in the inbox.\naskbox: Decided in the inbox: allow.\n");
  });

  test("sends the words of a denial as the next prompt", async () => {
    const { only, answer } = await openDesk(home);
    const running = start("run npm test");
    await answer(await only("pending"), ["deny"], "Use pnpm.");
    const { code, stdout } = await running.done;
    expect(code).toBe(0);
    expect(stdout).toBe(`${outcome("no")}Told: I denied this, and it was not run. My words: Use pnpm.\n`);
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
  });

  test("cancels the turn on Ctrl-C, and exits with 3", async () => {
    const { only } = await openDesk(home);
    const running = start("run npm test");
    await only("pending");
    running.child.kill("SIGINT");
    expect((await running.done).code).toBe(3);
    await only("cancelled");
  });

  test("exits with 5 without a hub, 1 if the agent ends, and 2 for wrong usage", async () => {
    const nowhere = { ASKBOX_HUB: "http://127.0.0.1:9", ASKBOX_TOKEN: "abx_none" };
    expect((await start("run npm test", [], nowhere).done).code).toBe(5);
    expect(await start("exit 4").done).toMatchObject({ code: 1, stderr: expect.stringContaining("exit code 4") });
    expect((await home.spawn(["run", "--agent", "nobody", "hello"])).code).toBe(2);
    expect((await home.spawn(["run", "hello"])).code).toBe(2);
  });
});
