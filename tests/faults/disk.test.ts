import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resumed } from "@askbox/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { startAgent } from "./support/agent.ts";
import { mountSmallDisk, refuseWrites } from "./support/disk.ts";
import { askbox, type FaultHome, faultHome } from "./support/home.ts";
import { answerOf, asker, oneQuestion, pendingSession, textOf } from "./support/questions.ts";
import { timeout } from "./support/rounds.ts";

const sharedMemory = "/dev/shm";
const isOtherDevice = () => {
  try {
    return statSync(sharedMemory).dev !== statSync(tmpdir()).dev;
  } catch {
    return false;
  }
};

/** Answers while the store cannot write: nobody gets a success, and it works again afterwards. */
async function answerOnRefusingDisk(home: FaultHome, refuse: () => void, relent: () => void, sentence: RegExp): Promise<void> {
  const { desk } = await home.connect({ role: "desk" });
  const { asker: port } = await home.connect({ role: "asker" });
  const { session } = await port.ask(oneQuestion("Room?"), { asker: asker("a"), maxWait: 0 });
  let settled = false;
  const wait = resumed(port, session.id).finally(() => {
    settled = true;
  });
  refuse();
  // Some of it may still fit into existing pages of the log.
  const large = (index: number) => oneQuestion(`${index} ${"?".repeat(900)}`);
  const opened = await Promise.allSettled(
    Array.from({ length: 300 }, (_, index) => port.ask(large(index), { asker: asker("b"), maxWait: 0 })),
  );
  const refused = opened.filter((result) => result.status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: "STORE_UNAVAILABLE", message: expect.stringMatching(sentence) });

  await expect(desk.answer(session.id, answerOf("no room"))).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringMatching(sentence),
  });
  expect(await home.run(["answer", session.id, "no room either"])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(sentence),
  });
  expect(settled).toBe(false);

  relent();
  expect((await desk.get(session.id)).status).toBe("pending");
  await desk.answer(session.id, answerOf("there is room again"));
  expect(textOf((await wait).context.outcome)).toBe("there is room again");
  const { session: next } = await port.ask(oneQuestion("And now?"), { asker: asker("c"), maxWait: 0 });
  expect((await desk.get(next.id)).status).toBe("pending");
}

/** If mounting is not allowed, the next best way is used. */
const withoutMount = "mounting is not allowed here, so a limit on the size of files (RLIMIT_FSIZE) stands in for the disk\n";

// Other systems offer neither our own mount nor a limit for a running process.
describe.skipIf(process.platform !== "linux")("a disk that cannot be written", () => {
  // promise: disk-error-reported, disk-recovers
  test("because it is full: the answerer gets an error, nothing claims success, and the hub recovers when space returns", async () => {
    const disk = mountSmallDisk(1_536);
    if (disk === undefined) process.stdout.write(`full disk: ${withoutMount}`);
    const home = faultHome({ parent: disk?.folder });
    const hub = await home.startHub();
    const refuse = disk?.fill ?? (() => void refuseWrites(hub.pid, true));
    const relent = disk?.free ?? (() => void refuseWrites(hub.pid, false));
    await answerOnRefusingDisk(home, refuse, relent, disk === undefined ? /reports an error; check the disk/ : /is full; free some space/);
    expect(home.hub()?.pid).toBe(hub.pid);
  });

  // promise: disk-error-reported
  test.skipIf(process.platform !== "linux")(
    "because it fails: the answerer gets an error, nothing claims success, and the hub recovers with it",
    async () => {
      const home = faultHome();
      const hub = await home.startHub();
      expect(refuseWrites(hub.pid, true)).toBe(true);
      expect(refuseWrites(hub.pid, false)).toBe(true);
      const refuse = () => void refuseWrites(hub.pid, true);
      await answerOnRefusingDisk(home, refuse, () => void refuseWrites(hub.pid, false), /reports an error; check the disk/);
      expect(home.hub()?.pid).toBe(hub.pid);
    },
  );

  // promise: disk-error-reported
  test("because it is read-only: everyone gets a sentence, and the existing data is there once it can be written", async () => {
    const disk = mountSmallDisk(4_096);
    if (disk === undefined) process.stdout.write(`read-only disk: ${withoutMount}`);
    const home = faultHome({ parent: disk?.folder });
    const first = await home.startHub();
    const { asker: port } = await home.connect({ role: "asker" });
    const { session } = await port.ask(oneQuestion("Still there?"), { asker: asker("a"), maxWait: 0 });
    await home.clear();
    await first.kill("SIGKILL");

    disk?.setReadOnly(true);
    const limited = ["/bin/sh", "-c", 'ulimit -f 0; exec "$@"', "sh"];
    const hub = [...(disk === undefined ? limited : []), ...askbox, "hub"];
    await expect(home.startHub({ command: hub })).rejects.toThrow(/cannot be (used|written)|cannot write to its folder|reports an error/);
    if (disk !== undefined) {
      expect(await home.run(["answer", session.id, "yes"])).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^askbox cannot write to its folder [^\n]+ make it writable[^\n]+\n$/),
      });
      const { error } = await (await startAgent(home)).ask("Anybody?").reply;
      expect(error).toMatch(/question tool/);
    }
    disk?.setReadOnly(false);
    expect(await home.run(["answer", session.id, "yes"])).toMatchObject({ code: 0 });
  });

  // promise: tmpdir-anywhere
  test.skipIf(!isOtherDevice())(
    "TMPDIR on another device changes nothing: hubs start, are killed and go on, and all files are the owner's alone",
    {
      timeout,
    },
    async () => {
      const TMPDIR = mkdtempSync(join(sharedMemory, "askbox-tmp-"));
      onTestFinished(() => rmSync(TMPDIR, { recursive: true, force: true }));
      const home = faultHome({ env: { TMPDIR, TMP: TMPDIR, TEMP: TMPDIR } });
      mkdirSync(home.folder, { recursive: true });
      const agent = await startAgent(home);
      const call = agent.ask("Elsewhere?");
      const { desk } = await home.connect({ role: "desk", start: true });
      const { id } = await pendingSession(desk, "Elsewhere?");
      const killed = home.hub()?.pid ?? 0;
      process.kill(killed, "SIGKILL");
      await until("another hub is there", () => home.hub()?.pid !== undefined && home.hub()?.pid !== killed);
      await desk.answer(id, answerOf("here"));
      expect(textOf((await call.reply).result)).toBe("here");
      for (const file of [home.files.hub, home.files.desk, home.files.database]) expect(statSync(file).mode & 0o077).toBe(0);
    },
  );
});
