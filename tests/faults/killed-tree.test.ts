import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { askbox, faultHome } from "./support/home.ts";
import { isAlive, killProcess } from "./support/processes.ts";
import { pendingSession } from "./support/questions.ts";

/** A process and all its descendants, found by walking the parents of all processes. */
function treeOf(root: number): number[] {
  const rows: number[][] = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/).map(Number));
  const below = (pid: number): number[] => [pid, ...rows.filter(([, parent]) => parent === pid).flatMap(([child = 0]) => below(child))];
  return below(root);
}

const endings: [name: string, end: (client: number) => void][] = [
  ["by a walk over the process tree", (client) => treeOf(client).forEach((pid) => void killProcess(pid))],
  ["by the process group", (client) => void process.kill(-client, "SIGKILL")],
];

// promise: hub-outlives-agents-tree
test.skipIf(process.platform === "win32").each(endings)(
  "the hub and its open question outlive a client that ends all its processes %s",
  async (_, end) => {
    const home = faultHome();
    // A process with a child, such as an agent with its MCP server, in a separate group.
    const command = [...askbox, "ask", "Does it stay?"].map((part) => `'${part}'`).join(" ");
    const client = spawn("/bin/sh", ["-c", `${command}; true`], { cwd: home.folder, env: home.env, detached: true, stdio: "ignore" });
    const ended = once(client, "close");
    onTestFinished(() => killProcess(client.pid ?? 0));
    await until("the client has started a hub", () => home.hub() !== undefined);
    const { desk } = await home.connect({ role: "desk" });
    const { id, questions } = await pendingSession(desk, "Does it stay?");
    await until("the hub has left the client's tree", () => !treeOf(client.pid ?? 0).includes(home.hub()?.pid ?? 0));
    const hub = home.hub()?.pid ?? 0;

    end(client.pid ?? 0);
    await ended;
    await until("the asker is away", async () => (await desk.get(id)).presence.asker === "away");
    expect(isAlive(hub)).toBe(true);
    await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["it does"] }] });
    expect(await home.run(["ask", "Does it stay?"])).toMatchObject({ code: 0, stdout: expect.stringContaining("it does") });
  },
);
