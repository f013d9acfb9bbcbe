import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startAgent } from "../faults/support/agent.ts";
import { faultHome } from "../faults/support/home.ts";
import { pendingSession } from "../faults/support/questions.ts";

test("registered agents outlive the hub, in a file that only their owner can read", async () => {
  const home = faultHome();
  expect((await home.run(["agent", "add", "builder", "--name", "Builder"])).code).toBe(0);
  const file = join(home.folder, "agents.json");
  expect(await readFile(file, "utf8")).toContain('"builder"');
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect((await home.run(["hub", "stop"])).code).toBe(0);
  expect((await home.run(["agent", "list"])).stdout).toBe("builder  Builder\n");
});

test("what a server asks has the agent id and the project of its flags", async () => {
  const home = faultHome();
  const agent = await startAgent(home, { flags: ["--agent", "builder", "--project", "/srv/engine"] });
  void agent.ask("Under which name?");
  const { desk } = await home.connect({ role: "desk", start: true });
  expect((await pendingSession(desk, "Under which name?")).asker).toMatchObject({ agentId: "builder", project: "/srv/engine" });
});
