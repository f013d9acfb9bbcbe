import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseAsk } from "@askbox/core";
import { anAsker, resumed, seededIds } from "@askbox/core/testing";
import { healthProof, homeFiles, readHubFile, retireHubFile, takeLock, writeHubFile } from "@askbox/home";
import { describe, expect, it, onTestFinished } from "vitest";
import { hubStop } from "../src/index.ts";
import { agent, connect, hubCommand, occupyPort, serveHere, startProcess, type TestHome, temporaryHome, until } from "./support.ts";

// The hubs of these tests have version 9.9.9.
const command = hubCommand("background", { store: "sqlite", idleExit: 20 });
const newer = { name: "test", version: "10.0.0" };
const question = () => parseAsk({ questions: [{ id: "q", question: "What now?" }] }, { ids: seededIds() });

describe("a newer command", () => {
  const starting = { start: true, hubCommand: command, replaceOlder: true, agent: newer };

  it("replaces an older hub that nobody is using", async () => {
    const home = temporaryHome();
    (await connect(home, { start: true, hubCommand: command })).close();
    const { instance } = readHubFile(home.folders) ?? {};
    const notices: string[] = [];
    // The hub may take a moment to notice that the first client has gone.
    await until(async () => {
      const client = await connect(home, { ...starting, notice: (sentence) => notices.push(sentence) });
      const found = await client.ready();
      client.close();
      return found.instance !== instance;
    });
    expect(notices.filter((sentence) => !sentence.includes("it is in use"))).toEqual([]);
  });

  it("leaves alone a hub that a person runs, and any hub if it was not told to replace it", async () => {
    const home = temporaryHome();
    const { instance } = await serveHere(home);
    for (const replaceOlder of [true, false]) {
      const client = await connect(home, { ...starting, replaceOlder });
      expect((await client.ready()).instance).toBe(instance);
      client.close();
    }
  });
});

describe("a hub too old to prove itself by a key of its own", () => {
  /** As before the proof key: it proves itself by the token that its agents have. Resolves with what releases its lock. */
  async function anOlderHub(home: TestHome) {
    const file = { pid: process.pid, version: "0.0.9", instance: "run-1", askerToken: "abx_older-token" };
    const { port } = await occupyPort((request, response) => {
      const nonce = new URL(request.url ?? "/", "http://hub").searchParams.get("nonce") ?? "";
      const proof = healthProof(file.askerToken, nonce, file.instance);
      response.end(JSON.stringify({ status: "ok", version: file.version, instance: file.instance, protocol: 1, proof }));
    });
    writeHubFile(home.folders, { ...file, url: `http://127.0.0.1:${port}` });
    const lock = await takeLock(homeFiles(home.folders).lock);
    if (lock === undefined) throw new Error("The home is new.");
    return () => lock.release();
  }
  const named = { code: "HUB_UNREACHABLE", message: expect.stringMatching(/older askbox \("0\.0\.9", pid \d+\).*askbox hub stop/) };

  it("is named, with what to do, by commands and by another hub; no hub is started", async () => {
    const home = temporaryHome();
    onTestFinished(await anOlderHub(home));
    await expect(connect(home, { role: "desk" })).rejects.toMatchObject(named);
    await expect(connect(home, { role: "desk", start: true, hubCommand: command })).rejects.toMatchObject(named);
    await expect(hubStop({ agent, env: home.env })).rejects.toMatchObject(named);
    for (const how of ["foreground", "background"] as const) {
      const { ended, output } = startProcess(home, how, { store: "sqlite" });
      expect((await ended).code).toBe(1);
      expect(output().stderr).toContain("older askbox");
    }
    expect(readdirSync(home.folder).filter((name) => /hub-start|hub\.starting|askbox\.db/.test(name))).toEqual([]);
  });

  it.each(["killed", "stopped"])(
    "is %s: only then the next command takes over its questions, and copies its database first",
    async (how) => {
      const home = temporaryHome();
      const { database } = homeFiles(home.folders);
      const older = new DatabaseSync(database);
      older.exec(readFileSync(new URL("../../store-sqlite/test/fixtures/version-1.sql", import.meta.url), "utf8"));
      const release = await anOlderHub(home);
      await expect(connect(home, { role: "desk", start: true, hubCommand: command })).rejects.toMatchObject(named);
      expect(older.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
      expect(readdirSync(home.folder).filter((name) => name.includes("version-"))).toEqual([]);
      older.close();
      const { instance = "" } = readHubFile(home.folders) ?? {};
      if (how === "stopped") retireHubFile(home.folders, instance);
      release();
      const { desk } = await connect(home, { role: "desk", start: true, hubCommand: command });
      expect((await desk.list({ statuses: ["answered"] })).items.map(({ id }) => id)).toEqual(["fixtureansweredsession0001"]);
      const copy = new DatabaseSync(`${database}.version-1`, { readOnly: true });
      expect(copy.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
      expect(copy.prepare("SELECT count(*) AS count FROM sessions").get()).toEqual({ count: 2 });
      copy.close();
    },
  );
});

it.skipIf(process.platform === "win32")("a hub that waits for the lock leaves when the command that started it gives up", async () => {
  const home = temporaryHome();
  const lock = await takeLock(homeFiles(home.folders).lock);
  onTestFinished(() => lock?.release());
  const errors = join(home.folder, "errors");
  const file = openSync(errors, "wx");
  const [program = "", ...args] = command;
  const child = spawn(program, args, { env: home.env, stdio: ["ignore", "ignore", file] });
  onTestFinished(() => void child.kill("SIGKILL"));
  closeSync(file);
  const ended = once(child, "exit");
  rmSync(errors);
  expect(await ended).toEqual([0, null]);
  expect(home.log()).toEqual([]);
});

it("an older command continues with a newer hub that supports its protocol, and is otherwise told to update", async () => {
  const home = temporaryHome();
  await serveHere(home);
  const notices: string[] = [];
  const older = { agent: { name: "test", version: "1.0.0" }, replaceOlder: true, start: true, hubCommand: command };
  await connect(home, { ...older, notice: (sentence) => notices.push(sentence) });
  expect(notices).toEqual([]);
  await expect(connect(home, { ...older, protocol: 0 })).rejects.toMatchObject({
    code: "PROTOCOL_MISMATCH",
    message: "The hub (version 9.9.9) does not speak protocol 0. Update the askbox that connects, and try again.",
  });
});

describe("a hub stopped on purpose", () => {
  it("is not restarted by waiting calls, which report it in the end", async () => {
    const home = temporaryHome();
    const asker = await connect(home, { start: true, hubCommand: command, timeout: 300 });
    const { session } = await asker.asker.ask(question(), { asker: anAsker(), maxWait: 0 });
    const wait = resumed(asker.asker, session.id);
    const failed = expect(wait).rejects.toMatchObject({
      code: "HUB_UNREACHABLE",
      message: "The askbox hub was stopped and not started again; start it with `askbox hub`. The question is kept there.",
    });
    await until(async () => {
      const desk = await connect(home, { role: "desk" });
      const { presence } = await desk.desk.get(session.id);
      desk.close();
      return presence.asker === "attached";
    });
    expect(await hubStop({ agent, env: home.env })).toMatchObject({ pending: 1, waiting: 1 });
    await failed;
    expect(readHubFile(home.folders)).toBeUndefined();
    // The next question is a new reason to start a hub, and the pending one is still there.
    await asker.asker.ask(question(), { asker: anAsker({ agentId: "another" }), maxWait: 0 });
    const desk = await connect(home, { role: "desk" });
    expect((await desk.desk.get(session.id)).status).toBe("pending");
  });
});
