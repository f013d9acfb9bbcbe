import { createPrivateKey } from "node:crypto";
import { copyFileSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { parseAsk } from "@askbox/core";
import { anAsker, resumed, seededIds } from "@askbox/core/testing";
import { checkHealth, findHub, readDeskFile, readHubFile, requestHub } from "@askbox/home";
import { describe, expect, it } from "vitest";
import { hubStatus, hubStop } from "../src/index.ts";
import { agent, connect, startProcess, startReady, type TestHome, temporaryHome, until } from "./support.ts";

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

describe("a hub with a certificate", () => {
  // promise: tls-on-network
  it("serves over TLS, says so in hub.json, and is trusted by its own clients without configuration", async () => {
    const home = temporaryHome();
    await startReady(home, { tls: tlsOf("one") });
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
    await startReady(home, { tls: tlsOf("elsewhere") });
    const { asker } = await connect(home);
    expect((await asker.ask(question(), { asker: anAsker(), maxWait: 0 })).joined).toBe(false);
  });

  // promise: hub-proves-itself, impostor-sees-no-token
  it("gets no token if another certificate is presented in its place", async () => {
    const home = temporaryHome();
    await startReady(home, { tls: tlsOf("one") });
    const file = readHubFile(home.folders);
    if (file === undefined) throw new Error("There is no hub.json.");
    expect(await checkHealth(file)).toBe("ours");
    expect(await checkHealth({ ...file, fingerprint: file.fingerprint?.replace(/^../, "00") ?? "" })).toBe("silent");
  });

  it("is reached by its address if the system trusts the certificate, and otherwise reported as untrusted", async () => {
    const there = temporaryHome();
    await startReady(there, { tls: tlsOf("one") });
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
    await startReady(home, { tls: tlsOf("one") }, new URL("./fixtures", import.meta.url).pathname);
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
    await startReady(home, { tls: paths });
    const before = readHubFile(home.folders);
    const { asker } = await connect(home);
    copyFileSync(pem("other", "cert"), paths.cert);
    // As if time had passed since.
    utimesSync(paths.cert, new Date(), new Date(Date.now() + 5_000));
    await until(() => home.log().some(({ message }) => message === "The hub keeps its current certificate"));
    expect(readHubFile(home.folders)?.fingerprint).toBe(before?.fingerprint);
    copyFileSync(pem("other", "key"), paths.key);
    utimesSync(paths.key, new Date(), new Date(Date.now() + 5_000));
    await until(() => readHubFile(home.folders)?.fingerprint !== before?.fingerprint);
    const { asker: another } = await connect(home);
    for (const port of [asker, another]) await port.ask(question(), { asker: anAsker(), maxWait: 0 });
  });

  // promise: tls-on-network
  it("rejects TLS versions before 1.2", async () => {
    const home = temporaryHome();
    await startReady(home, { tls: tlsOf("one") });
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
      /^askbox hub: TLS needs a certificate and its key; give both --tls-cert and --tls-key, .*\n$/,
    ],
    [
      "with a file that is not there",
      { cert: "/nowhere.pem", key: pem("one", "key") },
      /^askbox hub: The certificate \/nowhere\.pem cannot be read \(ENOENT\); .*\n$/,
    ],
    [
      "with another's key",
      { cert: pem("one", "cert"), key: pem("other", "key") },
      /^askbox hub: The private key .* is not that of the certificate .*\n$/,
    ],
    [
      "with the two exchanged",
      { cert: pem("one", "key"), key: pem("one", "cert") },
      /^askbox hub: .* contains no certificate; use a PEM file\.\n$/,
    ],
    [
      "with no key in the key's file",
      { cert: pem("one", "cert"), key: pem("one", "cert") },
      /^askbox hub: .* holds no private key that can be used; .*\n$/,
    ],
  ])("%s says so in one sentence", async (_, tls, sentence) => {
    const hub = startProcess(temporaryHome(), "background", { store: "memory", tls });
    expect((await hub.ended).code).toBe(1);
    expect(hub.output().stderr).toMatch(sentence);
  });

  it("accepts a certificate with its chain, and rejects a key with a passphrase", async () => {
    const home = temporaryHome();
    const [chain, locked] = [join(home.folder, "chain.pem"), join(home.folder, "locked.pem")];
    writeFileSync(chain, readFileSync(pem("one", "cert"), "utf8") + readFileSync(pem("other", "cert"), "utf8"));
    const key = createPrivateKey(readFileSync(pem("one", "key")));
    writeFileSync(locked, key.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret" }));
    const refused = startProcess(home, "background", { store: "memory", tls: { cert: chain, key: locked } });
    expect((await refused.ended).code).toBe(1);
    expect(refused.output().stderr).toMatch(
      /^askbox hub: .*locked\.pem holds no private key that can be used; .* without a passphrase\.\n$/,
    );
    await startReady(home, { tls: { cert: chain, key: pem("one", "key") } });
    const { desk } = await connect(home, { role: "desk" });
    expect((await desk.list()).items).toEqual([]);
  });

  it("takes its files from config.json, relative to that", async () => {
    const home = temporaryHome();
    copyFileSync(pem("one", "cert"), join(home.folder, "cert.pem"));
    copyFileSync(pem("one", "key"), join(home.folder, "key.pem"));
    writeFileSync(join(home.folder, "config.json"), JSON.stringify({ tls: { cert: "cert.pem", key: "key.pem" } }));
    await startReady(home);
    expect(readHubFile(home.folders)?.url).toMatch(/^https:/);
  });
});

describe("a hub beyond loopback", () => {
  const exposed =
    "The hub serves plain HTTP at 0.0.0.0, which shows tokens and answers to the network; --tls-cert and --tls-key encrypt them.";

  // promise: plain-http-warning, tls-on-network
  it("says in one sentence what plain HTTP exposes, and what to do", async () => {
    const hub = await startReady(temporaryHome(), { host: "0.0.0.0", hosts: ["box.example"] });
    await until(() => hub.output().stderr.includes(exposed));
  });

  // promise: plain-http-warning
  it("prints no such warning over TLS", async () => {
    const home = temporaryHome();
    const hub = await startReady(home, { host: "0.0.0.0", hosts: ["box.example"], tls: tlsOf("one") });
    await until(() => home.log().some(({ message }) => message === "The hub is ready"));
    expect(hub.output().stderr).not.toContain("plain HTTP");
  });
});
