import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configSettings, type HomeFolders, homeFiles, homeFolders, loadConfig, setConfigValue } from "@askbox/home";
import { webhookTargets } from "@askbox/notify";
import fc from "fast-check";
import { fuzz } from "../engine/fuzz.ts";
import { mutated } from "../engine/mutated.ts";
import { oddText, writeOut } from "../engine/odd.ts";
import { assertSentence, fault, orRefusal } from "../engine/oracle.ts";

const samples = [
  {},
  {
    $schema: "./config.schema.json",
    timeout: 60_000,
    port: 4_321,
    host: "127.0.0.1",
    hosts: ["askbox.example"],
    retention: "90d",
    attention: "none",
    attentionCommand: "true",
    notifyText: false,
    store: "sqlite",
    space: "team",
    idleExit: 5,
    allowAnswerFromAgents: true,
    limits: { asksPerMinute: 10, pending: 5, requestBytes: 4_096 },
    tls: { cert: "cert.pem", key: "key.pem" },
    autoRegister: ["codex"],
    quietHours: "22:00-07:00",
    attentionFor: [{ client: "Codex", project: "/srv", attention: "none", after: "never", quietHours: "off" }],
    keys: { submit: ["ctrl+s"], quit: "q" },
    theme: { accent: "bold #ff8800" },
    webhooks: [
      { url: "https://ops.example/askbox", secretFile: "secret", events: ["session.opened"], text: false, project: "/srv" },
      { url: "https://ntfy.sh/topic", kind: "ntfy", token: "tk", priority: 4, inbox: "https://askbox.example" },
    ],
  },
];
const variables = [
  ...[
    "TIMEOUT",
    "PORT",
    "HOST",
    "HOSTS",
    "RETENTION",
    "ATTENTION",
    "STORE",
    "SPACE",
    "IDLE_EXIT",
    "LIMITS_PENDING",
    "TLS_CERT",
    "LOG_LEVEL",
    "DEBUG",
  ].map((name) => `ASKBOX_${name}`),
  "CN_MCP_TIMEOUT",
];
const environment = fc.dictionary(fc.constantFrom(...variables), oddText, { maxKeys: 2 });
const setting = fc.tuple(fc.oneof(oddText, fc.constantFrom(...configSettings())), fc.oneof(oddText, mutated(samples)));

/** `config.json`, the environment, `askbox config set`, and the resulting webhooks. */
fuzz({
  name: "config",
  input: fc.record({ file: mutated(samples), environment, setting }),
  open() {
    const home = mkdtempSync(join(tmpdir(), "askbox-fuzz-"));
    const folders: HomeFolders = homeFolders({ env: { ASKBOX_HOME: home } });
    const path = homeFiles(folders).config;
    mkdirSync(folders.config, { recursive: true });
    writeFileSync(join(home, "secret"), "text\n");
    return {
      async take(input) {
        writeFileSync(path, writeOut(input.file));
        const env = JSON.parse(writeOut(JSON.stringify(input.environment)));
        const loaded = await orRefusal(() => loadConfig({ folders, env }));
        for (const warning of loaded?.warnings ?? []) assertSentence(warning, "A warning");
        if (loaded !== undefined) await orRefusal(() => webhookTargets(loaded.config.webhooks, home));
        await checkSet(folders, input.setting);
        writeFileSync(path, "{}");
        if (loadConfig({ folders, env: {} }).config.timeout !== 300_000) fault("The defaults are not what they were.");
      },
      close: () => rmSync(home, { recursive: true, force: true }),
    };
  },
});

/** An accepted value can be loaded. */
async function checkSet(folders: HomeFolders, [name, text]: [string, string]): Promise<void> {
  const path = homeFiles(folders).config;
  const before = readFileSync(path, "utf8");
  const set = await orRefusal(() => setConfigValue(folders, writeOut(name), writeOut(text)));
  if (set !== undefined) loadConfig({ folders, env: {} });
  else if (readFileSync(path, "utf8") !== before) fault("A setting that was refused was written all the same.");
}
