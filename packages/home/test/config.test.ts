import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseDuration } from "../src/config/duration.ts";
import { strangenessOf } from "../src/files/private-file.ts";
import { configJsonSchema, getConfigValue, homeFolders, loadConfig, setConfigValue } from "../src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const day = 86_400_000;

function homeWith(config?: unknown) {
  const folder = temporaryFolder();
  const folders = homeFolders({ env: { ASKBOX_HOME: folder } });
  const file = join(folder, "config.json");
  if (config !== undefined) writeFileSync(file, typeof config === "string" ? config : JSON.stringify(config));
  return { folders, file };
}

const fileLimits = { fileBytes: 20_000_000, sessionFileBytes: 50_000_000, allFileBytes: 2_000_000_000 };

describe("the settings", () => {
  // promise: foreign-files-refused
  it("are ignored if others can write to them or to their folder, or if they belong to another user", () => {
    const { folders, file } = homeWith({ attentionCommand: "run" });
    const folder = join(file, "..");
    chmodSync(file, 0o664);
    expect(loadConfig({ folders, env: {} }).config.attentionCommand).toBe("run");
    chmodSync(file, 0o666);
    expect(() => loadConfig({ folders, env: {} })).toThrow(
      `askbox does not trust ${file}: everybody can write to it (mode 666); run chmod o-w on it.`,
    );
    chmodSync(file, 0o600);
    chmodSync(folder, 0o777);
    expect(() => loadConfig({ folders, env: {} })).toThrow(`askbox does not trust ${folder}`);
    chmodSync(folder, 0o700);
    expect(strangenessOf({ uid: 1_001, mode: 0o600 }, 1_000)).toBe("it belongs to another user; set ASKBOX_HOME to a folder of your own");
    expect(strangenessOf({ uid: 0, mode: 0o100444 }, 1_000)).toBeUndefined();
  });

  // promise: hub-idle-exit, loopback-only, sessions-owner-only, timeout-setting
  it("have a default each", () => {
    const { config, warnings } = loadConfig({ folders: homeWith().folders, env: {} });
    expect(config).toEqual({
      timeout: 300_000,
      host: "127.0.0.1",
      hosts: [],
      retention: 90 * day,
      ran: null,
      attentionFor: [],
      notifyText: true,
      store: "sqlite",
      idleExit: 300,
      limits: {
        asksPerMinute: 100,
        pending: 1_000,
        pendingBytesPerToken: 67_108_864,
        requestsPerMinute: 60_000,
        requestBytes: 262_144,
        ...fileLimits,
        browsers: 500,
      },
      webhooks: [],
      jobs: [],
      tls: {},
      allowAnswerFromAgents: false,
      allowClientForms: false,
      mcpEvents: "off",
      mcpEventHosts: [],
      holdDenials: 0,
      denialDigest: 0,
      autoRegister: [],
      wake: "open",
      wakeFor: [],
      keys: {},
      theme: {},
      undo: 5,
      logLevel: "info",
    });
    expect(warnings).toEqual([]);
  });

  it.each([
    [{ url: "ftp://x" }, "webhooks.0.url"],
    [{ url: "https://ntfy.sh/a/b", kind: "ntfy" }, "must have the topic as its URL's path"],
    [{ url: "https://ntfy.sh/a", kind: "ntfy", secret: "x" }, "an ntfy server needs a token"],
    [{ url: "https://a.example", after: 5 }, "has no after: a webhook gets every event at once"],
    [{ url: "https://a.example", secret: "whsec_not base64" }, "has a secret that is not whsec_ and the base64 of 24 to 64 bytes"],
    [{ url: "https://a.example", secret: "whsec_c2hvcnQ=" }, "has a secret that is not whsec_ and the base64 of 24 to 64 bytes"],
    [{ url: "https://a.example", token: "x" }, "a webhook needs a secret"],
    [{ url: "https://ntfy.sh/a", kind: "ntfy", token: "tk_a\nb" }, "has a token with spaces, or with letters that no header takes"],
    [{ url: "https://a.example", secret: "x", secretFile: "y" }, "a secret or a secretFile, not both"],
    [
      { url: "https://a.example", events: ["session.lost"] },
      "webhooks.0.events.0 must be one of session.opened, session.asked_back, session.replied_back, session.settled",
    ],
  ])("reject the webhook %j with a sentence", (webhook, sentence) => {
    expect(() => loadConfig({ folders: homeWith({ webhooks: [webhook] }).folders, env: {} })).toThrow(sentence);
  });

  it("allow at most 20 webhooks", () => {
    const load = (count: number) =>
      loadConfig({ folders: homeWith({ webhooks: Array(count).fill({ url: "https://a.example" }) }).folders, env: {} }).config.webhooks;
    expect(load(20)).toHaveLength(20);
    expect(() => load(21)).toThrow(/webhooks must be at most 20 items long/);
  });

  it("warn about an unknown member of a webhook, and ignore it", () => {
    const { config, warnings } = loadConfig({
      folders: homeWith({ webhooks: [{ url: "https://a.example", colour: 1 }] }).folders,
      env: {},
    });
    expect(warnings).toEqual([expect.stringContaining("webhooks.0.colour is unknown")]);
    expect(config.webhooks).toEqual([{ url: "https://a.example", kind: "webhook", text: true }]);
  });

  it("come from the ask_user design's variables if askbox's own are not set", () => {
    const { folders } = homeWith({ port: 1 });
    const env = { CN_MCP_PORT: "2", CN_MCP_TIMEOUT: "12000", CN_MCP_DEBUG: "true" };
    expect(loadConfig({ folders, env }).config).toMatchObject({ port: 2, timeout: 12_000, logLevel: "debug" });
    const both = { ...env, ASKBOX_PORT: "3", ASKBOX_TIMEOUT: "13000", ASKBOX_DEBUG: "false" };
    expect(loadConfig({ folders, env: both }).config).toMatchObject({ port: 3, timeout: 13_000, logLevel: "info" });
  });

  it.each([
    ["CN_MCP_TIMEOUT", "5", "CN_MCP_TIMEOUT: timeout must be at least 10000; it is ignored."],
    ["CN_MCP_TIMEOUT", "1e5", "CN_MCP_TIMEOUT: timeout must be of the type number; it is ignored."],
    ["CN_MCP_TIMEOUT", "+60000", "CN_MCP_TIMEOUT: timeout must be of the type number; it is ignored."],
    ["CN_MCP_TIMEOUT", "0x7530", "CN_MCP_TIMEOUT: timeout must be of the type number; it is ignored."],
    ["CN_MCP_PORT", "http", "CN_MCP_PORT: port must be of the type number; it is ignored."],
    ["CN_MCP_DEBUG", "TRUE", 'CN_MCP_DEBUG must be true or false, not "TRUE"; it is ignored.'],
    ["ASKBOX_DEBUG", "yes", 'ASKBOX_DEBUG must be true or false, not "yes"; it is ignored.'],
  ])("are not rejected for %s=%s, which is ignored with a warning", (name, text, warning) => {
    const { folders } = homeWith({ port: 1, timeout: 11_000, logLevel: "warn" });
    const { config, warnings, ignored } = loadConfig({ folders, env: { [name]: text } });
    expect(config).toMatchObject({ port: 1, timeout: 11_000, logLevel: "warn" });
    expect([warnings, ignored]).toEqual([[warning], [warning]]);
  });

  it("have the precedence flag, environment, file, default", () => {
    const { folders } = homeWith({ port: 1, timeout: 11_000, idleExit: 7, limits: { pending: 5 } });
    const env = { ASKBOX_PORT: "2", ASKBOX_TIMEOUT: "12000" };
    const { config, sources } = loadConfig({ folders, env, flags: { port: 3, host: undefined } });
    expect([config.port, config.timeout, config.idleExit, config.limits]).toEqual([
      3,
      12_000,
      7,
      {
        asksPerMinute: 100,
        pending: 5,
        pendingBytesPerToken: 67_108_864,
        requestsPerMinute: 60_000,
        requestBytes: 262_144,
        ...fileLimits,
        browsers: 500,
      },
    ]);
    expect(Object.fromEntries(sources)).toEqual({ port: "flag", timeout: "environment", idleExit: "file", "limits.pending": "file" });
  });

  // promise: idle-exit-setting
  it.each([
    ["ASKBOX_RETENTION", "12h", "retention", 12 * 3_600_000],
    ["ASKBOX_RETENTION", "off", "retention", null],
    ["ASKBOX_RETENTION", "5000000", "retention", 5_000_000],
    ["ASKBOX_ATTENTION", "notify", "attention", "notify"],
    ["ASKBOX_STORE", "memory", "store", "memory"],
    ["ASKBOX_IDLE_EXIT", "0.5", "idleExit", 0.5],
    ["ASKBOX_HOSTS", "a.example, b.example:8080", "hosts", ["a.example", "b.example:8080"]],
    ["ASKBOX_LIMITS_PENDING", "9", "limits.pending", 9],
    ["ASKBOX_LOG_LEVEL", "warn", "logLevel", "warn"],
    ["ASKBOX_DEBUG", "true", "logLevel", "debug"],
  ])("accept %s=%s", (name, text, setting, value) => {
    const { config } = loadConfig({ folders: homeWith().folders, env: { [name]: text } });
    expect(getConfigValue(config, setting)).toEqual(value);
  });

  it.each([
    ["ASKBOX_PORT", "http", /^ASKBOX_PORT: port must be/],
    ["ASKBOX_PORT", "70000", /^ASKBOX_PORT: port must be at most 65535/],
    ["ASKBOX_TIMEOUT", "5", /^ASKBOX_TIMEOUT: timeout must be at least 10000/],
    ["ASKBOX_RETENTION", "soon", /^ASKBOX_RETENTION: retention must be a duration/],
    ["ASKBOX_ATTENTION", "shout", /^ASKBOX_ATTENTION: attention must be one of browser, notify, terminal, command, none/],
    ["ASKBOX_LOG_LEVEL", "loud", /^ASKBOX_LOG_LEVEL: logLevel must be one of debug, info, warn, error/],
  ])("reject %s=%s with a sentence", (name, text, sentence) => {
    expect(() => loadConfig({ folders: homeWith().folders, env: { [name]: text } })).toThrow(sentence);
  });

  // promise: retention-setting
  it.each(["10s", "59m", 0, "0", 5_000])("do not accept %j as a retention, and keep for an hour where it stands already", (short) => {
    const { folders, file } = homeWith({ retention: short, port: 5 });
    const fromFile = loadConfig({ folders, env: {} });
    expect([fromFile.config.retention, fromFile.config.port, fromFile.warnings, fromFile.sources.get("retention")]).toEqual([
      3_600_000,
      5,
      [`${file}: retention must be at least 1h, or "off"; 1h counts.`],
      "file",
    ]);
    const fromEnvironment = loadConfig({ folders: homeWith().folders, env: { ASKBOX_RETENTION: String(short) } });
    expect([fromEnvironment.config.retention, fromEnvironment.ignored]).toEqual([
      3_600_000,
      ['ASKBOX_RETENTION: retention must be at least 1h, or "off"; 1h counts.'],
    ]);
    const before = readFileSync(file, "utf8");
    expect(() => setConfigValue(folders, "retention", String(short))).toThrow(/^retention must be at least 1h, or "off"\.$/);
    expect(readFileSync(file, "utf8")).toBe(before);
    // Another setting can still be changed.
    expect(setConfigValue(folders, "port", "6").port).toBe(6);
    expect(setConfigValue(folders, "retention", "1h").retention).toBe(3_600_000);
  });

  // promise: client-form-needs-consent
  it("do not let the environment allow agents to answer", () => {
    const env = { ASKBOX_ALLOW_ANSWER_FROM_AGENTS: "true", ASKBOX_ALLOW_CLIENT_FORMS: "true" };
    const { config } = loadConfig({ folders: homeWith().folders, env });
    expect([config.allowAnswerFromAgents, config.allowClientForms]).toEqual([false, false]);
  });

  it("warn about unknown settings, at every depth, and use the rest", () => {
    const { folders, file } = homeWith({ colour: "red", port: 5, limits: { wishes: 3, pending: 4 } });
    const { config, warnings } = loadConfig({ folders, env: {} });
    expect([config.port, config.limits.pending]).toEqual([5, 4]);
    expect(warnings.sort()).toEqual([
      `${file}: the setting colour is unknown and ignored.`,
      `${file}: the setting limits.wishes is unknown and ignored.`,
    ]);
  });

  it.each([
    ["{,}", /config\.json is not valid JSON; fix it or remove it\.$/],
    ['{\n  "port": 4141,\n  // ours\n}', /config\.json is not valid JSON in line 3, and takes no comments; fix it or remove it\.$/],
    ["[]", /config\.json must hold one JSON object/],
    ['{"port": "x"}', /config\.json: port must be of the type number\.$/],
    ['{"limits": {"pending": 0}}', /config\.json: limits\.pending must be at least 1\.$/],
    ['{"retention": "soon"}', /config\.json: retention must be a duration/],
  ])("reject a file that contains %s with a sentence", (text, sentence) => {
    expect(() => loadConfig({ folders: homeWith(text).folders, env: {} })).toThrow(sentence);
  });

  it("reject a file that cannot be read", () => {
    const { folders, file } = homeWith();
    mkdirSync(file);
    expect(() => loadConfig({ folders, env: {} })).toThrow(/config\.json cannot be read/);
  });

  it("are written one by one, without changing the rest of the file", () => {
    const { folders, file } = homeWith({ colour: "red", limits: { pending: 4 } });
    setConfigValue(folders, "limits.requestBytes", "2048");
    setConfigValue(folders, "retention", "30d");
    setConfigValue(folders, "limits.pending", undefined);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      $schema: "./config.schema.json",
      colour: "red",
      limits: { requestBytes: 2_048 },
      retention: "30d",
    });
    expect(JSON.parse(readFileSync(join(file, "..", "config.schema.json"), "utf8"))).toEqual(configJsonSchema());
    expect(loadConfig({ folders, env: {} }).config.retention).toBe(30 * day);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("are written with the file's own indentation and order, under its schema", () => {
    const before = '{\n\t"timeout": 20000,\n\t"$schema": "file:///mine.json",\n\t"colour": ["red"]\n}\n';
    const { folders, file } = homeWith(before);
    setConfigValue(folders, "hosts", "a.example, b.example:8080");
    setConfigValue(folders, "timeout", "30000");
    expect(readFileSync(file, "utf8")).toBe(
      '{\n\t"$schema": "file:///mine.json",\n\t"timeout": 30000,\n\t"colour": [\n\t\t"red"\n\t],\n\t"hosts": [\n\t\t"a.example",\n\t\t"b.example:8080"\n\t]\n}\n',
    );
    expect(loadConfig({ folders, env: {} }).warnings).toEqual([`${file}: the setting colour is unknown and ignored.`]);
  });

  it("are not written if they are not valid", () => {
    const { folders, file } = homeWith({ port: 5 });
    expect(() => setConfigValue(folders, "port", "x")).toThrow(/^port must be/);
    expect(() => setConfigValue(folders, "colour", "red")).toThrow(/^There is no setting "colour"; the settings are timeout, port/);
    expect(() => setConfigValue(folders, "$schema", "x")).toThrow(/no setting/);
    expect(() => setConfigValue(folders, "limits.wishes", "1")).toThrow(/no setting/);
    expect(readFileSync(file, "utf8")).toBe('{"port":5}');
  });

  it("accept a list of clients by name, and no other", () => {
    const { folders } = homeWith();
    expect(setConfigValue(folders, "autoRegister", "antigravity, zed").autoRegister).toEqual(["antigravity", "zed"]);
    expect(() => setConfigValue(folders, "autoRegister", "emacs")).toThrow(/autoRegister\.0 must be one of claude-code, codex/);
  });

  it("that are nested are set by flags with their whole name, and by config set", () => {
    const { folders } = homeWith();
    const { config, sources } = loadConfig({ folders, env: { ASKBOX_TLS_KEY: "/k" }, flags: { tls: { cert: "c.pem" } } });
    expect(config.tls).toEqual({ cert: "c.pem", key: "/k" });
    expect([sources.get("tls.cert"), sources.get("tls.key")]).toEqual(["flag", "environment"]);
    expect(() => loadConfig({ folders, env: {}, flags: { tls: { cert: "" } } })).toThrow(
      "--tls-cert: tls.cert must be at least 1 character long.",
    );
    expect(getConfigValue(setConfigValue(folders, "limits.pendingPerToken", "50"), "limits.pendingPerToken")).toBe(50);
    expect(() => setConfigValue(folders, "tls.chain", "x")).toThrow('There is no setting "tls.chain"');
  });

  it("have a JSON Schema that describes each", () => {
    const schema = configJsonSchema() as { properties: Record<string, { description?: string }> };
    expect(Object.keys(schema.properties)).toEqual([
      ...[
        "$schema",
        "timeout",
        "port",
        "socket",
        "host",
        "hosts",
        "retention",
        "ran",
        "attention",
        "attentionCommand",
        "attentionFor",
        "quietHours",
        "notifyText",
        "store",
        "space",
        "idleExit",
      ],
      ...["limits", "webhooks", "jobs", "tls", "allowAnswerFromAgents", "allowClientForms", "mcpEvents", "mcpEventHosts"],
      ...["holdDenials", "denialDigest"],
      ...["autoRegister", "wake", "wakeFor", "keys", "theme", "undo", "logLevel"],
    ]);
    expect(Object.entries(schema.properties).filter(([name, { description }]) => name !== "limits" && !description)).toEqual([]);
  });
});

describe("a duration", () => {
  // promise: retention-setting
  it.each([
    ["90d", 90 * day],
    ["1.5h", 5_400_000],
    ["30 m", 1_800_000],
    ["45s", 45_000],
    ["500ms", 500],
    ["12", 12],
    ["", undefined],
    ["d", undefined],
    ["-1d", undefined],
    ["1w", undefined],
    [`${"9".repeat(400)}d`, undefined],
  ])("%j is %s ms", (text, value) => {
    expect(parseDuration(text)).toBe(value);
  });
});
