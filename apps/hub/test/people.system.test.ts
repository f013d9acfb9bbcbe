import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAsk, standardPlatform } from "@askbox/core";
import { readHubFile } from "@askbox/home";
import { describe, expect, it } from "vitest";
import { hubStatus } from "../src/index.ts";
import { agent, connect, startReady, type TestHome, temporaryHome, until } from "./support.ts";

const { ids } = standardPlatform(globalThis);
const question = "Which of the secret names?";

/** Asks, and returns the session's id. */
async function ask(home: TestHome, text = question): Promise<string> {
  const { asker } = await connect(home);
  const request = parseAsk({ questions: [{ question: text }] }, { ids });
  const { session } = await asker.ask(request, { asker: { client: { name: "Claude Code" }, project: "/home/ada/engine" }, maxWait: 0 });
  return session.id;
}

const tokenOf = (home: TestHome) => JSON.parse(readFileSync(join(home.folder, "desk.json"), "utf8")).deskToken as string;
const urlOf = (home: TestHome) => readHubFile(home.folders)?.url ?? "";

describe.skipIf(process.platform === "win32")("a question asked while nobody is present", () => {
  it("notifies people with the home's own command, once across restarts of the hub", async () => {
    const home = temporaryHome();
    const told = join(home.folder, "calls.txt");
    const attentionCommand = `printf '%s\\n' "$ASKBOX_SESSION_ID" >> '${told}'`;
    writeFileSync(join(home.folder, "config.json"), JSON.stringify({ attention: "command", attentionCommand }));
    home.env["ASKBOX_ATTENTION"] = undefined;
    const first = await startReady(home, { store: "sqlite" });
    expect((await hubStatus({ agent, env: home.env })).attention).toBe("command");
    const one = await ask(home);
    await until(() => existsSync(told) && readFileSync(told, "utf8") !== "");
    first.child.kill("SIGTERM");
    await first.ended;
    await startReady(home, { store: "sqlite" });
    const other = await ask(home, "And which after it?");
    await until(() => readFileSync(told, "utf8").split("\n").length >= 3);
    expect(readFileSync(told, "utf8").trim().split("\n")).toEqual([one, other]);
  });
});

describe("a hub", () => {
  // promise: log-escaped
  it("logs where to answer a question, but never its content", async () => {
    const home = temporaryHome();
    await startReady(home);
    const id = await ask(home);
    const line = () => home.log().find(({ sessionId }) => sessionId === id);
    await until(() => line() !== undefined);
    expect(line()).toMatchObject({
      level: "info",
      message: `New question: answer with \`askbox answer ${id.slice(0, 8)}\``,
      client: "Claude Code",
      project: "/home/ada/engine",
      questions: 1,
    });
    expect(JSON.stringify(home.log())).not.toContain(question);
  });

  // promise: log-escaped
  it("keeps questions and answers out of its log at every level", async () => {
    const home = temporaryHome();
    home.env["ASKBOX_DEBUG"] = "true";
    const hub = await startReady(home);
    const id = await ask(home);
    const { desk } = await connect(home, { role: "desk" });
    const questionId = (await desk.get(id)).questions[0]?.id ?? "";
    await desk.saveDraft(id, { fields: { [questionId]: { values: ["secret draft"] } } });
    await desk.answer(id, { answers: [{ questionId, values: ["secret answer"], note: "secret note" }], comment: "secret comment" });
    await desk.cancel(await ask(home, "Which other secret?"), { reason: "secret reason" });
    hub.child.kill("SIGTERM");
    await hub.ended;
    expect(home.log().map(({ level }) => level)).toContain("debug");
    expect(JSON.stringify(home.log()) + JSON.stringify(hub.output())).not.toContain("secret");
  });

  it("reports how it notifies people and who is connected under which name, without its own watches", async () => {
    const home = temporaryHome();
    await startReady(home);
    const client = await connect(home, { role: "desk", surface: "terminal", name: "ada" });
    const status = async () => await hubStatus({ agent, env: home.env });
    expect(await status()).toMatchObject({
      attention: "none",
      web: false,
      watching: 0,
      surfaces: [{ surface: "terminal", name: "ada" }, { surface: "cli" }],
    });
    await client.desk.watch({}, () => {});
    expect((await status()).watching).toBe(1);
  });

  it("serves the given page, and stores browser logins in a file only its owner can read", async () => {
    const home = temporaryHome();
    const web = join(home.folder, "page");
    mkdirSync(web);
    writeFileSync(join(web, "index.html"), "<title>page</title>");
    await startReady(home, {}, web);
    const url = urlOf(home);
    expect(await (await fetch(url)).text()).toBe("<title>page</title>");
    const codes = await fetch(`${url}/auth/codes`, { method: "POST", headers: { authorization: `Bearer ${tokenOf(home)}` } });
    const { code } = (await codes.json()) as { code: string };
    const login = await fetch(`${url}/auth/login`, { method: "POST", body: JSON.stringify({ code, device: "Test" }) });
    expect(login.status).toBe(200);
    const devices = join(home.folder, "devices.json");
    expect(statSync(devices).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(devices, "utf8")).devices).toMatchObject([{ name: "Test" }]);
  });

  it.skipIf(process.platform === "win32")("ignores a devices file that others could have modified", async () => {
    const home = temporaryHome();
    const hash = "0".repeat(64);
    const device = { id: "d1", name: "Test", createdAt: Date.now(), lastSeenAt: Date.now(), cookieHash: hash, secretHash: hash };
    const devices = join(home.folder, "devices.json");
    const names = async () => {
      const answer = await fetch(`${urlOf(home)}/auth/devices`, { headers: { authorization: `Bearer ${tokenOf(home)}` } });
      return ((await answer.json()) as { items: { name: string }[] }).items.map(({ name }) => name);
    };
    for (const [mode, expected] of [
      [0o600, ["Test"]],
      [0o622, []],
    ] as const) {
      writeFileSync(devices, JSON.stringify({ devices: [device, { id: "not one" }] }));
      chmodSync(devices, mode);
      const hub = await startReady(home);
      expect(await names()).toEqual(expected);
      hub.child.kill("SIGTERM");
      await hub.ended;
    }
  });
});
