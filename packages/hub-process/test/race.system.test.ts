import { readHubFile } from "@askbox/home";
import { describe, expect, it } from "vitest";
import { hubStop } from "../src/index.ts";
import { agent, connect, hubCommand, isAlive, startProcess, temporaryHome, until } from "./support.ts";

const starts = (home: ReturnType<typeof temporaryHome>) => home.log().filter(({ message }) => message === "The hub is ready").length;

/** `pnpm test:faults` and the nightly run multiply the rounds. */
const scale = Number(process.env["ASKBOX_FAULTS_SCALE"] ?? 1);
const rounds = 2 * scale;

describe("one hub per home", () => {
  // promise: hub-idle-exit, next-hub-found
  it(`starts exactly once when ten clients start at the same moment, ${rounds} rounds in a row`, { timeout: 120_000 * scale }, async () => {
    const home = temporaryHome();
    const command = hubCommand("background", { store: "memory" });
    const instances = new Set<string>();
    for (let round = 1; round <= rounds; round += 1) {
      const clients = await Promise.all(
        Array.from({ length: 10 }, (_, n) => connect(home, { role: n % 2 === 0 ? "asker" : "desk", start: true, hubCommand: command })),
      );
      const seen = new Set(await Promise.all(clients.map(async (client) => (await client.ready()).instance)));
      await until(() => starts(home) >= round);
      expect([round, seen.size, starts(home)]).toEqual([round, 1, round]);
      for (const instance of seen) instances.add(instance);
      for (const client of clients) client.close();
      const { pid } = await hubStop({ agent, env: home.env });
      await until(() => !isAlive(pid));
    }
    expect(instances.size).toBe(rounds);
  });

  it("has one winner when ten hubs race, and the others exit with 0 and say nothing", async () => {
    const home = temporaryHome();
    for (let round = 1; round <= 2 * scale; round += 1) {
      const hubs = Array.from({ length: 10 }, () => startProcess(home, "background", { store: "memory" }));
      await until(() => hubs.filter(({ child }) => child.exitCode !== null).length === 9);
      expect(hubs.flatMap(({ child }) => (child.exitCode === null ? [] : [child.exitCode]))).toEqual(Array(9).fill(0));
      for (const { output } of hubs) expect(output()).toEqual({ stdout: "", stderr: "" });
      const winner = hubs.find(({ child }) => child.exitCode === null);
      await until(() => starts(home) >= round);
      expect([readHubFile(home.folders)?.pid, starts(home)]).toEqual([winner?.child.pid, round]);
      winner?.child.kill("SIGTERM");
      expect((await winner?.ended)?.code).toBe(0);
    }
  });

  it("is replaced if the winner stops in the middle of the race", async () => {
    const home = temporaryHome();
    const first = startProcess(home, "background", { store: "memory" });
    // The log is written asynchronously, and a killed process writes nothing more.
    await until(() => starts(home) === 1);
    first.child.kill("SIGKILL");
    const second = startProcess(home, "background", { store: "memory" });
    await until(() => readHubFile(home.folders)?.pid === second.child.pid);
    await until(() => starts(home) === 2);
  });
});
