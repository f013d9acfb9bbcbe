import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createBroker, memoryStore, silentLog } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { ensureTokens, findHub, homeFiles, homeFolders, readDeskFile, readHubFile, readLastHubFile } from "@askbox/home";
import { createHub, hashToken, tokenList, tokenVerifier } from "@askbox/hub";
import { startNotify, type Target } from "@askbox/notify";
import fc from "fast-check";
import { agentsFile, deviceFile, tokenFile } from "../../../packages/hub-process/src/list-files.ts";
import { fuzz } from "../engine/fuzz.ts";
import { mutated } from "../engine/mutated.ts";
import { writeOut } from "../engine/odd.ts";
import { fault, orRefusal } from "../engine/oracle.ts";

const hash = hashToken("known");
const token = { id: "0123456789abcdef", name: "ci", scope: "desk", createdAt: 1, expiresAt: null, lastUsedAt: null, hash };
const device = { id: "d", name: "Firefox", createdAt: 1, lastSeenAt: 1, cookieHash: hash, secretHash: hash, guarantor: { owner: "x" } };
const delivery = {
  to: "http://127.0.0.1:9/hook",
  attempts: 1,
  dueAt: 0,
  event: { id: "s.opened", type: "session.opened", at: 1, session: { id: "s", asker: { client: { name: "x" } }, questions: [] } },
};
const phone: Target = { kind: "ntfy", url: "http://127.0.0.1:9/topic", events: [], text: true, after: 0, replyTopic: "replies" };
const samples = {
  hub: { url: "http://127.0.0.1:9", pid: 123, version: "1.0.0", instance: "one", askerToken: "abx_asker", fingerprint: "AA:BB" },
  desk: { deskToken: "abx_desk" },
  tokens: { tokens: [token, { ...token, id: "x", name: "y", expiresAt: 5, agentId: "a" }] },
  agents: { agents: [{ id: "builder", name: "The builder", resume: "claude --resume x" }] },
  devices: { devices: [device] },
  webhooks: { told: ["s"], waiting: [delivery] },
  told: { local: ["s"], [phone.url]: ["s", "s.half"] },
  buttonPresses: {
    key: "k".repeat(43),
    read: { [phone.url]: "m1" },
    handed: { r: { place: phone.url, sessionId: "s", at: 1, answers: [{ answers: [{ questionId: "q", values: ["a"] }] }] } },
  },
};

/** A home's files written by programs, after somebody or something else has changed them. */
fuzz({
  name: "home-files",
  input: fc.record({
    hub: mutated([samples.hub]),
    desk: mutated([samples.desk]),
    tokens: mutated([samples.tokens]),
    agents: mutated([samples.agents]),
    devices: mutated([samples.devices]),
    webhooks: mutated([samples.webhooks]),
    told: mutated([samples.told]),
    buttonPresses: mutated([samples.buttonPresses]),
  }),
  runs: 12,
  open() {
    const home = mkdtempSync(join(tmpdir(), "askbox-fuzz-"));
    const folders = homeFolders({ env: { ASKBOX_HOME: home } });
    const files = homeFiles(folders);
    const outbox = join(home, "webhooks.json");
    const paths = {
      hub: files.hub,
      desk: files.desk,
      tokens: files.tokens,
      agents: files.agents,
      devices: files.devices,
      webhooks: outbox,
      told: files.told,
      buttonPresses: files.buttonPresses,
    };
    return {
      async take(input) {
        for (const [name, path] of Object.entries(paths)) {
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, writeOut(input[name as keyof typeof paths] ?? ""));
          chmodSync(path, 0o600);
        }
        readHubFile(folders);
        readLastHubFile(folders);
        readDeskFile(folders);
        const { askerToken, deskToken } = ensureTokens(folders, () => "abx_new");
        if (typeof askerToken !== "string" || askerToken === "" || deskToken === "") fault("There is a token that is none.");
        const platform = testPlatform();
        const agents = agentsFile(files.agents);
        const broker = await createBroker({ store: memoryStore(), ...platform, agents });
        const hub = createHub({
          broker,
          platform,
          version: "1.0.0",
          instance: "one",
          tokens: tokenVerifier([{ hash: hashToken("abx_here"), access: { owner: "one", scopes: ["desk"] } }]),
          devices: deviceFile(files.devices),
          tokenStore: tokenList(tokenFile(files.tokens, silentLog)),
          control: { status: async () => ({}), stop: async () => {} },
        });
        const url = await hub.listen();
        const notify = await startNotify({
          desk: broker.desk({ surface: "api" }),
          clock: platform.clock,
          log: silentLog,
          announced: files.told,
          remote: {
            targets: [phone, { kind: "webhook", url: delivery.to, events: ["session.opened", "session.settled"], text: true, after: 20 }],
            file: outbox,
            buttonPresses: files.buttonPresses,
            answerAs: (name) => broker.desk({ surface: "api", name }),
            fetch: async () => new Response(null, { status: 204 }),
          },
        });
        try {
          await agents.add({ id: "one-more" });
          if (!(await agents.list()).some(({ id }) => id === "one-more")) fault("An agent that was added is not there.");
          for (const path of ["/api/tokens", "/api/agents", "/api/sessions", "/auth/devices"]) {
            const answer = await fetch(`${url}${path}`, { headers: { authorization: "Bearer abx_here" } });
            if (answer.status >= 500) fault(`GET ${path} is answered ${answer.status}: ${await answer.text()}`);
            await answer.text();
          }
          await platform.clock.advance(1_000);
        } finally {
          await notify.close();
          await hub.close();
          await broker.close();
        }
        await findIt(home, readHubFile(folders)?.url);
      },
      close: () => rmSync(home, { recursive: true, force: true }),
    };
  },
});

/** On the client side, the address in hub.json is checked for being a hub, but only on this machine. */
async function findIt(home: string, url: string | undefined): Promise<void> {
  if (url !== undefined && URL.canParse(url) && new URL(url).hostname !== "127.0.0.1") return;
  const env = { ASKBOX_HOME: home };
  for (const address of [{}, { hubUrl: "http://127.0.0.1:9", token: "abx_one" }]) {
    if ((await orRefusal(() => findHub({ role: "desk", env, ...address }))) !== undefined) fault("A hub was found where none is.");
  }
}
