import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAsk, standardPlatform } from "@askbox/core";
import { readHubFile } from "@askbox/home";
import { describe, expect, it } from "vitest";
import { hubStatus, hubStop } from "../src/index.ts";
import { agent, connect, serveHere, type TestHome, temporaryHome, until } from "./support.ts";

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

describe("a hub", () => {
  // promise: log-escaped
  it("logs where to answer a question, but never its content", async () => {
    const home = temporaryHome();
    const { logged } = await serveHere(home);
    const id = await ask(home);
    await until(() => logged.some(({ sessionId }) => sessionId === id));
    expect(logged.find(({ sessionId }) => sessionId === id)).toMatchObject({
      level: "info",
      message: `New question: answer with \`askbox answer ${id.slice(0, 8)}\``,
      client: "Claude Code",
      project: "/home/ada/engine",
      questions: 1,
    });
    expect(JSON.stringify(logged)).not.toContain(question);
  });

  // promise: log-escaped
  it("keeps questions and answers out of its log at every level", async () => {
    const home = temporaryHome();
    const hub = await serveHere(home);
    const id = await ask(home);
    const { desk } = await connect(home, { role: "desk" });
    const questionId = (await desk.get(id)).questions[0]?.id ?? "";
    await desk.saveDraft(id, { fields: { [questionId]: { values: ["secret draft"] } } });
    await desk.answer(id, { answers: [{ questionId, values: ["secret answer"], note: "secret note" }], comment: "secret comment" });
    await desk.cancel(await ask(home, "Which other secret?"), { reason: "secret reason" });
    await hub.close("The test has ended.");
    expect(hub.logged.map(({ level }) => level)).toContain("debug");
    expect(JSON.stringify(hub.logged)).not.toContain("secret");
  });

  // promise: calls-outlive-hub-by-a-minute
  it("reports its status, and stops when a desk asks it to", async () => {
    const home = temporaryHome();
    const hub = await serveHere(home);
    await ask(home);
    const status = await hubStatus({ agent, env: home.env });
    expect(status).toMatchObject({
      version: "9.9.9",
      pid: process.pid,
      url: hub.url,
      instance: hub.instance,
      store: { name: "memory", durability: { level: "none" } },
      pending: 1,
      askers: 1,
      surfaces: [{ surface: "cli" }],
    });
    expect((await hubStop({ agent, env: home.env })).pid).toBe(process.pid);
    await expect(hubStatus({ agent, env: home.env })).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
    await expect(hubStop({ agent, env: home.env })).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
  });

  it("reports how it notifies people and who is connected under which name, without its own watches", async () => {
    const home = temporaryHome();
    await serveHere(home);
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
    await serveHere(home, {}, web);
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
      const hub = await serveHere(home);
      expect(await names()).toEqual(expected);
      await hub.close("The next one is started.");
    }
  });
});
