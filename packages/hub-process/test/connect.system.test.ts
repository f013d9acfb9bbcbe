import fs, { mkdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { checkHealth, healthProof, readDeskFile, readHubFile, writeHubFile } from "@askbox/home";
import { freePort } from "@askbox/store-redis/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, hubCommand, occupyPort, serveHere, temporaryHome, until } from "./support.ts";

const command = hubCommand("background", { store: "memory", idleExit: 20 });

describe("connecting to the hub", () => {
  it("starts one if none is running, and otherwise finds it", async () => {
    const home = temporaryHome();
    const first = await connect(home, { start: true, hubCommand: command });
    const second = await connect(home, { role: "desk", start: true, hubCommand: command });
    expect((await second.ready()).instance).toBe((await first.ready()).instance);
    await until(() => home.log().length > 0);
    expect(home.log().filter(({ message }) => message === "The hub is ready")).toHaveLength(1);
    expect(fs.readdirSync(home.folder).sort()).toEqual(["desk.json", "hub.json", "hub.lock", "hub.sock", "logs"]);
  });

  it("starts none unless allowed, and says what to do", async () => {
    const home = temporaryHome();
    await expect(connect(home)).rejects.toMatchObject({
      code: "HUB_UNREACHABLE",
      message: /^No askbox hub is running; `askbox hub` starts one/,
    });
    const env = { ...home.env, ASKBOX_HUB: "http://127.0.0.1:1", ASKBOX_TOKEN: "x" };
    await expect(connect(home, { env, start: true, hubCommand: command })).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
    await expect(connect(home, { hubUrl: "127.0.0.1:1", token: "x" })).rejects.toMatchObject({
      code: "HUB_UNREACHABLE",
      message: /is not a valid hub address/,
    });
    await expect(connect(home, { hubUrl: "http://127.0.0.1:1" })).rejects.toMatchObject({ code: "UNAUTHORIZED", message: /ASKBOX_TOKEN/ });
    expect(fs.readdirSync(home.folder)).toEqual([]);
  });

  it("waits for a named hub that is not running yet, as long as for a lost one, if allowed", async () => {
    const home = temporaryHome();
    const port = await freePort();
    const named = { hubUrl: `http://127.0.0.1:${port}`, token: "x" };
    const refused = {
      code: "HUB_UNREACHABLE",
      message: `No askbox hub answers at http://127.0.0.1:${port}; start it, or correct the address.`,
    };
    await expect(connect(home, named)).rejects.toMatchObject(refused);
    await expect(connect(home, { ...named, retryFirst: true, timeout: 300 })).rejects.toMatchObject(refused);

    const tries: string[] = [];
    const log = (_level: string, message: string) => void tries.push(message);
    const elsewhere = temporaryHome();
    const token = "abx_given-before-the-hub-is-there-0123456789";
    const connecting = connect(elsewhere, { ...named, token, retryFirst: true, log });
    connecting.catch(() => {});
    await until(() => tries.length > 1);
    await serveHere(home, { port });
    // It can be reached but does not know the token, which the caller must correct, so it fails at once.
    await expect(connecting).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const { askerToken } = readHubFile(home.folders) ?? {};
    expect((await connect(elsewhere, { ...named, token: askerToken, retryFirst: true })).state()).toBe("open");
  });

  it("does not wait if the named address is another server", async () => {
    const { port } = await occupyPort();
    const named = { hubUrl: `http://127.0.0.1:${port}`, token: "x", retryFirst: true };
    await expect(connect(temporaryHome(), named)).rejects.toMatchObject({ message: /is not an askbox hub/ });
  });

  it("accepts a hub with a token, or with this home's token if it is this home's", async () => {
    const home = temporaryHome();
    await serveHere(home);
    const { url, askerToken = "", instance } = readHubFile(home.folders) ?? {};
    const elsewhere = temporaryHome();
    const tokenFile = join(elsewhere.folder, "token");
    writeFileSync(tokenFile, `${askerToken}\n`);
    for (const client of [
      await connect(elsewhere, { hubUrl: url, tokenFile }),
      await connect(elsewhere, { env: { ...elsewhere.env, ASKBOX_HUB: url, ASKBOX_TOKEN: askerToken } }),
      await connect(home, { hubUrl: url, role: "desk" }),
    ]) {
      expect((await client.ready()).instance).toBe(instance);
    }
    await expect(connect(elsewhere, { hubUrl: url, tokenFile: join(elsewhere.folder, "none") })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
    await expect(connect(elsewhere, { hubUrl: url, token: "abx_wrong" })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  // promise: hub-proves-itself, impostor-sees-no-token
  it("sends no token to an unknown server on the hub's port, and starts a hub on another port", async () => {
    const home = temporaryHome();
    const received: string[] = [];
    const keys = { askerToken: "abx_stale-token", proofKey: "abx_stale-key" };
    // It knows what an agent knows, which is not enough to impersonate the hub.
    const { port } = await occupyPort((request, response) => {
      received.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      const nonce = new URL(request.url ?? "/", "http://hub").searchParams.get("nonce") ?? "";
      const proof = healthProof(keys.askerToken, nonce, "run-1");
      response.end(JSON.stringify({ status: "ok", version: "1", instance: "run-1", protocol: 1, proof }));
    });
    const stale = { url: `http://127.0.0.1:${port}`, pid: process.pid, version: "1", instance: "run-1", ...keys };
    writeHubFile(home.folders, stale);
    expect(await checkHealth(stale)).toBe("stranger");
    await expect(connect(home)).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
    const client = await connect(home, { start: true, hubCommand: command });
    expect((await client.ready()).instance).not.toBe("run-1");
    expect(readHubFile(home.folders)?.url).not.toBe(stale.url);
    expect(received.length).toBeGreaterThan(0);
    for (const text of received) {
      expect(text).toMatch(/^GET \/healthz\?nonce=/);
      expect(text).not.toContain(stale.askerToken);
    }
  });

  // promise: next-hub-found
  it("looks for the hub again if the one it found stops before it can connect", async () => {
    const home = temporaryHome();
    await serveHere(home);
    const next = readHubFile(home.folders);
    if (next === undefined) throw new Error("The hub has written no file.");
    const ending = { ...next, instance: "run-1" };
    const { server, port } = await occupyPort((request, response) => {
      const nonce = new URL(request.url ?? "/", "http://hub").searchParams.get("nonce") ?? "";
      response.end(JSON.stringify({ instance: ending.instance, proof: healthProof(ending.proofKey ?? "", nonce, ending.instance) }));
    });
    server.on("upgrade", (_request, socket) => {
      writeHubFile(home.folders, next);
      socket.destroy();
    });
    writeHubFile(home.folders, { ...ending, url: `http://127.0.0.1:${port}` });
    expect((await (await connect(home)).ready()).instance).toBe(next.instance);
  });

  it("ignores files of a hub that is gone", async () => {
    const home = temporaryHome();
    const gone = { url: `http://127.0.0.1:${await freePort()}`, pid: 999_999, version: "1", instance: "x", askerToken: "y" };
    writeFileSync(join(home.folder, "hub.json"), JSON.stringify(gone), { mode: 0o600 });
    writeFileSync(join(home.folder, "hub.starting"), "999999");
    expect((await (await connect(home, { start: true, hubCommand: command })).ready()).instance).not.toBe("x");
  });

  it.each([
    [
      "ends with a message",
      [process.execPath, "-e", "console.error('askbox hub: The disk is full.'); process.exit(3)"],
      "The disk is full.",
    ],
    ["ends without one", [process.execPath, "-e", "process.exit(3)"], "its process ended with exit code 3"],
    ["is killed", [process.execPath, "-e", "process.kill(process.pid, 'SIGKILL')"], "its process ended with SIGKILL"],
    ["cannot be run", ["/nowhere/askbox"], "/nowhere/askbox cannot be run: there is no such program"],
  ])("says in one sentence why the hub it started %s", async (_, hubCommand, why) => {
    const home = temporaryHome();
    await expect(connect(home, { start: true, hubCommand })).rejects.toMatchObject({
      code: "HUB_UNREACHABLE",
      message: `The askbox hub could not be started: ${why}`,
    });
    expect(fs.readdirSync(home.folder)).toEqual([]);
  });

  // promise: stdio-never-opens-desk-json
  it("never opens desk.json for an asker", async () => {
    const home = temporaryHome();
    await serveHere(home);
    const opened: string[] = [];
    const { readFileSync } = fs;
    fs.readFileSync = ((path: string, ...rest: [never]) => {
      opened.push(String(path));
      return readFileSync(path, ...rest);
    }) as typeof readFileSync;
    syncBuiltinESMExports();
    onTestFinished(() => {
      fs.readFileSync = readFileSync;
      syncBuiltinESMExports();
    });
    await connect(home);
    expect(opened.filter((path) => path.endsWith("hub.json"))).not.toEqual([]);
    expect(opened.filter((path) => path.endsWith("desk.json"))).toEqual([]);
    await connect(home, { role: "desk" });
    expect(opened.filter((path) => path.endsWith("desk.json"))).not.toEqual([]);
  });

  it("works for an asker if desk.json cannot be read, but not for a desk", async () => {
    const home = temporaryHome();
    await serveHere(home);
    fs.rmSync(join(home.folder, "desk.json"));
    mkdirSync(join(home.folder, "desk.json"));
    await connect(home);
    expect(readDeskFile(home.folders)).toBeUndefined();
    await expect(connect(home, { role: "desk" })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("ends when it is aborted", async () => {
    const home = temporaryHome();
    const search = new AbortController();
    const hubCommand = [process.execPath, "-e", "process.stdin.resume(); setTimeout(() => {}, 20_000)"];
    const connecting = connect(home, { start: true, hubCommand, signal: search.signal });
    const marker = join(home.folder, "hub.starting");
    await until(() => fs.existsSync(marker));
    search.abort();
    await expect(connecting).rejects.toMatchObject({ code: "ABORTED" });
    expect(fs.existsSync(marker)).toBe(false);
  });
});
