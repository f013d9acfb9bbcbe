import { createPrivateKey } from "node:crypto";
import fs, { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { parseAsk } from "@askbox/core";
import { anAsker, resumed, seededIds } from "@askbox/core/testing";
import { checkHealth, findHub, readDeskFile, readHubFile, requestHub } from "@askbox/home";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HubFlags, hubStatus, hubStop } from "../src/index.ts";
import { readSettings } from "../src/settings.ts";
import { agent, connect, serveHere, type TestHome, temporaryHome } from "./support.ts";

const pem = (name: "one" | "other" | "elsewhere", what: "cert" | "key") =>
  new URL(`./fixtures/tls/${name}.${what}.pem`, import.meta.url).pathname;
const tlsOf = (name: "one" | "other" | "elsewhere") => ({ cert: pem(name, "cert"), key: pem(name, "key") });
const question = () => parseAsk({ questions: [{ id: "q", question: "What now?" }] }, { ids: seededIds() });

/** A request that trusts the fixture's certificate as its own authority. */
function call(home: TestHome, path: string, { method = "GET", headers = {}, body = "" } = {}) {
  const url = new URL(path, readHubFile(home.folders)?.url);
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const sent = request(
      url,
      { method, agent: false, ca: readFileSync(pem("one", "cert")), servername: "localhost", headers },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
        });
        response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Node looks at a watched file every 5 s. Returns what tells its watcher of a change. */
function watched(): (path: string) => void {
  const { watchFile } = fs;
  const watchers = new Map<string, () => void>();
  fs.watchFile = ((path: string, _options: object, look: () => void) => void watchers.set(path, look)) as unknown as typeof watchFile;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.watchFile = watchFile;
    syncBuiltinESMExports();
  });
  return (path) => watchers.get(path)?.();
}

describe("a hub with a certificate", () => {
  // promise: tls-on-network
  it("serves over TLS, says so in hub.json, and is trusted by its own clients without configuration", async () => {
    const home = temporaryHome();
    await serveHere(home, { tls: tlsOf("one") });
    const file = readHubFile(home.folders);
    expect(file).toMatchObject({
      url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      fingerprint: expect.stringMatching(/^[0-9A-F:]{95}$/),
    });
    const { asker } = await connect(home);
    const { desk } = await connect(home, { role: "desk" });
    const { session } = await asker.ask(question(), { asker: anAsker(), maxWait: 0 });
    const waiting = resumed(asker, session.id);
    await desk.answer(session.id, { answers: [{ questionId: "q", values: ["on"] }] });
    expect((await waiting).state).toBe("answered");
    const found = await findHub({ role: "desk", env: home.env });
    expect(await requestHub(found, { method: "GET", path: "/api/tokens" })).toEqual({ items: [] });
    expect((await hubStatus({ agent, env: home.env })).url).toBe(file?.url);
    await hubStop({ agent, env: home.env });
  });

  it("is trusted by its own clients even if the certificate has expired and is for another name", async () => {
    const home = temporaryHome();
    await serveHere(home, { tls: tlsOf("elsewhere") });
    const { asker } = await connect(home);
    expect((await asker.ask(question(), { asker: anAsker(), maxWait: 0 })).joined).toBe(false);
  });

  // promise: hub-proves-itself, impostor-sees-no-token
  it("gets no token if another certificate is presented in its place", async () => {
    const home = temporaryHome();
    await serveHere(home, { tls: tlsOf("one") });
    const file = readHubFile(home.folders);
    if (file === undefined) throw new Error("There is no hub.json.");
    expect(await checkHealth(file)).toBe("ours");
    expect(await checkHealth({ ...file, fingerprint: file.fingerprint?.replace(/^../, "00") ?? "" })).toBe("silent");
  });

  it("is reached by its address if the system trusts the certificate, and otherwise reported as untrusted", async () => {
    const there = temporaryHome();
    await serveHere(there, { tls: tlsOf("one") });
    const { url = "", askerToken = "" } = readHubFile(there.folders) ?? {};
    const here = temporaryHome();
    await expect(connect(here, { hubUrl: url, token: askerToken })).rejects.toMatchObject({
      code: "HUB_UNREACHABLE",
      message: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
    await expect(connect(here, { hubUrl: url.replace("https", "http"), token: askerToken })).rejects.toMatchObject({
      code: "HUB_UNREACHABLE",
      message: expect.stringContaining(`if the hub is behind https, write ${url}`),
    });
  });

  it("sends browsers cookies with the Secure attribute, and reports https URLs", async () => {
    const home = temporaryHome();
    await serveHere(home, { tls: tlsOf("one") }, new URL("./fixtures", import.meta.url).pathname);
    const url = readHubFile(home.folders)?.url;
    const bearer = { authorization: `Bearer ${readDeskFile(home.folders)?.deskToken}` };
    const link = JSON.parse((await call(home, "/auth/codes", { method: "POST", headers: bearer })).text);
    expect(link.url).toBe(`${url}/#login=${link.code}`);
    const login = await call(home, "/auth/login", { method: "POST", body: JSON.stringify({ code: link.code }) });
    expect([login.status, String(login.headers["set-cookie"])]).toEqual([
      200,
      expect.stringMatching(/; HttpOnly; Secure; SameSite=Strict/),
    ]);
    const metadata = JSON.parse((await call(home, "/.well-known/oauth-protected-resource")).text);
    expect(metadata.resource).toBe(`${url}/mcp`);
    expect((await call(home, "/healthz", { headers: { host: "rebound.example" } })).status).toBe(403);
  });

  it("reloads its certificate when the files change, keeps the old one while they do not match, and needs no restart", async () => {
    const home = temporaryHome();
    const paths = { cert: join(home.folder, "cert.pem"), key: join(home.folder, "key.pem") };
    copyFileSync(pem("one", "cert"), paths.cert);
    copyFileSync(pem("one", "key"), paths.key);
    const changed = watched();
    const { logged } = await serveHere(home, { tls: paths });
    const before = readHubFile(home.folders);
    const { asker } = await connect(home);
    copyFileSync(pem("other", "cert"), paths.cert);
    changed(paths.cert);
    expect(logged).toContainEqual(expect.objectContaining({ message: "The hub keeps its current certificate" }));
    expect(readHubFile(home.folders)?.fingerprint).toBe(before?.fingerprint);
    copyFileSync(pem("other", "key"), paths.key);
    changed(paths.key);
    expect(readHubFile(home.folders)?.fingerprint).not.toBe(before?.fingerprint);
    const { asker: another } = await connect(home);
    for (const port of [asker, another]) await port.ask(question(), { asker: anAsker(), maxWait: 0 });
  });

  // promise: tls-on-network
  it("rejects TLS versions before 1.2", async () => {
    const home = temporaryHome();
    await serveHere(home, { tls: tlsOf("one") });
    const port = Number(new URL(readHubFile(home.folders)?.url ?? "").port);
    const refused = await new Promise((resolve) => {
      const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" } as const;
      const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false, ...old }, () => resolve(undefined));
      socket.on("error", resolve);
    });
    expect(refused).toBeInstanceOf(Error);
  });
});

describe("a hub that is configured to serve over TLS", () => {
  it.each([
    [
      "with a certificate alone",
      { cert: pem("one", "cert") },
      /^TLS needs a certificate and its key; give both --tls-cert and --tls-key, .*$/,
    ],
    [
      "with a file that is not there",
      { cert: "/nowhere.pem", key: pem("one", "key") },
      /^The certificate \/nowhere\.pem cannot be read \(ENOENT\); .*$/,
    ],
    [
      "with another's key",
      { cert: pem("one", "cert"), key: pem("other", "key") },
      /^The private key .* is not that of the certificate .*$/,
    ],
    ["with the two exchanged", { cert: pem("one", "key"), key: pem("one", "cert") }, /^\S+ contains no certificate; use a PEM file\.$/],
    [
      "with no key in the key's file",
      { cert: pem("one", "cert"), key: pem("one", "cert") },
      /^\S+ holds no private key that can be used; .*$/,
    ],
  ])("%s says so in one sentence", async (_, tls, sentence) => {
    await expect(serveHere(temporaryHome(), { tls })).rejects.toMatchObject({
      code: "VALIDATION",
      message: expect.stringMatching(sentence),
    });
  });

  it("accepts a certificate with its chain, and rejects a key with a passphrase", async () => {
    const home = temporaryHome();
    const [chain, locked] = [join(home.folder, "chain.pem"), join(home.folder, "locked.pem")];
    writeFileSync(chain, readFileSync(pem("one", "cert"), "utf8") + readFileSync(pem("other", "cert"), "utf8"));
    const key = createPrivateKey(readFileSync(pem("one", "key")));
    writeFileSync(locked, key.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret" }));
    await expect(serveHere(home, { tls: { cert: chain, key: locked } })).rejects.toThrow(
      /locked\.pem holds no private key that can be used; .* without a passphrase\.$/,
    );
    await serveHere(home, { tls: { cert: chain, key: pem("one", "key") } });
    const { desk } = await connect(home, { role: "desk" });
    expect((await desk.list()).items).toEqual([]);
  });

  it("takes its files from config.json, relative to that", async () => {
    const home = temporaryHome();
    copyFileSync(pem("one", "cert"), join(home.folder, "cert.pem"));
    copyFileSync(pem("one", "key"), join(home.folder, "key.pem"));
    writeFileSync(join(home.folder, "config.json"), JSON.stringify({ tls: { cert: "cert.pem", key: "key.pem" } }));
    await serveHere(home);
    expect(readHubFile(home.folders)?.url).toMatch(/^https:/);
  });
});

describe("a hub beyond loopback", () => {
  // promise: plain-http-warning, tls-on-network
  it("says in one sentence what plain HTTP exposes, and what to do, and nothing over TLS", () => {
    const { env, folders } = temporaryHome();
    const warnings = (more: HubFlags) =>
      readSettings({ flags: { host: "0.0.0.0", hosts: ["box.example"], ...more }, env, folders, foreground: true }).warnings;
    expect(warnings({})).toEqual([
      "The hub serves plain HTTP at 0.0.0.0, which shows tokens and answers to the network; --tls-cert and --tls-key encrypt them.",
    ]);
    expect(warnings({ tls: tlsOf("one") })).toEqual([]);
  });
});
