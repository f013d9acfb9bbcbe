import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAsk } from "@askbox/core";
import { anAsker, seededIds } from "@askbox/core/testing";
import { homeFiles, readDeskFile, readHubFile, readLastHubFile } from "@askbox/home";
import { freePort } from "@askbox/store-redis/testing";
import { describe, expect, it } from "vitest";
import { hubStatus } from "../src/index.ts";
import { agent, connect, occupyPort, startProcess, startReady, type TestHome, temporaryHome, until } from "./support.ts";

const question = (id: string) => parseAsk({ questions: [{ id, question: "What now?" }] }, { ids: seededIds() });
const mode = (path: string) => statSync(path).mode & 0o777;
const tokensOf = (home: TestHome) => [readLastHubFile(home.folders)?.askerToken, readDeskFile(home.folders)?.deskToken];

describe("the hub's process", () => {
  // promise: loopback-only, own-tokens-owner-only
  it("serves, writes its address to files only their owner can read, and leaves them usable for the next one", async () => {
    const home = temporaryHome();
    const files = homeFiles(home.folders);
    const hub = await startReady(home, { port: await freePort() });
    const file = readHubFile(home.folders);
    expect(file).toMatchObject({ pid: hub.child.pid, version: "9.9.9", url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
    await until(() => existsSync(files.log) && hub.output().stdout.endsWith("\n"));
    expect([mode(files.hub), mode(files.desk), mode(home.folders.logs)]).toEqual([0o600, 0o600, 0o700]);
    expect(hub.output().stdout).toBe(`askbox hub 9.9.9 at ${file?.url} (pid ${hub.child.pid}). Ctrl-C stops it; nothing is lost.\n`);
    const tokens = tokensOf(home);

    hub.child.kill("SIGTERM");
    expect(await hub.ended).toEqual({ code: 0, signal: null });
    expect(existsSync(files.hub)).toBe(false);

    await startReady(home);
    expect(readHubFile(home.folders)?.url).toBe(file?.url);
    expect(readHubFile(home.folders)?.instance).not.toBe(file?.instance);
    expect(tokensOf(home)).toEqual(tokens);
  });

  it("takes another port if its last one is taken, but not if a port was specified, and returns when it is free", async () => {
    const home = temporaryHome();
    // One that nobody else takes while no hub has it.
    const port = await freePort();
    const first = await startReady(home, { port });
    first.child.kill("SIGKILL");
    await first.ended;
    const { server: squatter } = await occupyPort(undefined, port);
    const second = await startReady(home);
    expect(readHubFile(home.folders)).toMatchObject({ wantedPort: port, url: expect.not.stringContaining(`:${port}`) });
    second.child.kill("SIGKILL");
    await second.ended;
    await new Promise<void>((resolve) => squatter.close(() => resolve()));
    // The address in clients' files is the first one's.
    await startReady(home);
    expect(readHubFile(home.folders)?.url).toBe(`http://127.0.0.1:${port}`);
    expect(readHubFile(home.folders)).not.toHaveProperty("wantedPort");

    const told = startProcess(temporaryHome(), "foreground", { store: "memory", port });
    expect((await told.ended).code).toBe(1);
    expect(told.output().stderr).toBe(
      `askbox hub: Port ${port} is taken by another program; choose another with --port, or none to let the system choose.\n`,
    );
  });

  it("says in one sentence that config.json is malformed", async () => {
    const home = temporaryHome();
    writeFileSync(join(home.folder, "config.json"), "{port}");
    const hub = startProcess(home, "foreground");
    expect((await hub.ended).code).toBe(1);
    expect(hub.output().stderr).toMatch(/^askbox hub: .*config\.json is not valid JSON; fix it or remove it\.\n$/);
  });

  // promise: secrets-constant-time-unlogged
  it("keeps tokens out of its log, which has its warnings, and more with ASKBOX_DEBUG", async () => {
    const home = temporaryHome();
    writeFileSync(join(home.folder, "config.json"), '{"colour":"red"}');
    const hub = startProcess({ ...home, env: { ...home.env, ASKBOX_DEBUG: "true" } }, "foreground", { store: "memory" });
    await until(() => readHubFile(home.folders) !== undefined);
    await connect(home);
    await connect(home, { role: "desk" });
    await expect(connect(home, { role: "desk", token: tokensOf(home)[0] })).rejects.toMatchObject({ code: "FORBIDDEN" });
    hub.child.kill("SIGTERM");
    await hub.ended;
    const written = readFileSync(homeFiles(home.folders).log, "utf8") + JSON.stringify(hub.output());
    for (const said of [readFileSync(homeFiles(home.folders).log, "utf8"), hub.output().stderr])
      expect(said).toMatch(/colour.*The hub is ready/s);
    for (const token of tokensOf(home)) expect(written).not.toContain(token);
    expect(home.log().map(({ level }) => level)).toContain("debug");
  });

  it.skipIf(process.platform === "win32")("notifies people with the home's own command, once across restarts", async () => {
    const home = temporaryHome();
    const told = join(home.folder, "calls.txt");
    const attentionCommand = `printf '%s\\n' "$ASKBOX_SESSION_ID" >> '${told}'`;
    writeFileSync(join(home.folder, "config.json"), JSON.stringify({ attention: "command", attentionCommand }));
    home.env["ASKBOX_ATTENTION"] = undefined;
    const ask = async (id: string) => {
      const { asker } = await connect(home);
      return (await asker.ask(question(id), { asker: anAsker(), maxWait: 0 })).session.id;
    };
    const first = await startReady(home, { store: "sqlite" });
    expect((await hubStatus({ agent, env: home.env })).attention).toBe("command");
    const one = await ask("q");
    await until(() => existsSync(told) && readFileSync(told, "utf8") !== "");
    first.child.kill("SIGTERM");
    await first.ended;
    await startReady(home, { store: "sqlite" });
    const other = await ask("another");
    await until(() => readFileSync(told, "utf8").split("\n").length >= 3);
    expect(readFileSync(told, "utf8").trim().split("\n")).toEqual([one, other]);
    expect(home.log().map(({ level }) => level)).not.toContain("debug");
  });
});
