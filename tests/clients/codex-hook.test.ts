import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hubPid, openDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { killProcess } from "../faults/support/processes.ts";
import { codexEvents } from "./support/codex-events.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

const request = (command: string, cwd = home.path) => JSON.stringify({ ...codexEvents.command, cwd, tool_input: { command } });

function start(args: readonly string[], event: string) {
  const hook = home.start(["hook", ...args]);
  hook.child.stdin.end(event);
  return hook;
}

describe("askbox hook codex", () => {
  test("prints what a person decides in a shell, with their reason", async () => {
    // Without an inbox that is open, a request of Codex waits for seconds only.
    const { only } = await openDesk(home);
    const hook = start(["codex"], request("touch proof.txt"));
    const id = await only("pending");
    expect((await home.run(["show", id])).stdout).toContain("touch proof.txt");
    expect((await home.run(["deny", id, "Use b.txt"])).code).toBe(0);
    const { code, stdout } = await hook.done;
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        hookSpecificOutput: {
          hookEventName: "PermissionRequest",
          decision: { behavior: "deny", message: "A person denied this in askbox, and it was not run. Their words: Use b.txt" },
        },
      },
    ]);
    const second = start(["codex"], request("touch proof.txt"));
    await home.run(["allow", await only("pending")]);
    expect(JSON.parse((await second.done).stdout).hookSpecificOutput.decision).toEqual({ behavior: "allow" });
  });

  test.each([
    ["no JSON", "{", /^askbox: The client's event cannot be read.* not valid JSON/],
    ["a tool of askbox", JSON.stringify(codexEvents.ownTool), /^$/],
    ["more than anybody reads", "x".repeat(17_000_000), /^askbox: The client's event cannot be read.* larger than 16 MiB/],
  ])("prints nothing for %s, and says on stderr what it could not read", async (_what, stdin, stderr) => {
    expect(await home.spawn(["hook", "codex"], { stdin })).toEqual({ code: 0, stdout: "", stderr: expect.stringMatching(stderr) });
  });

  test("prints nothing when the hub is killed while it waits", async () => {
    const { only, client } = await openDesk(home, "process");
    const hook = start(["codex"], request("touch a"));
    await only("pending");
    client.close();
    killProcess(hubPid(home), "SIGKILL");
    expect(await hook.done).toMatchObject({ code: 0, stdout: "" });
  });
});
