import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Ajv2020 } from "ajv/dist/2020.js";
import { unzipSync } from "fflate";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { until } from "../../../tests/support/until.ts";
import { bundleManifest, packBundle, packPlugin } from "../distribution/archives.ts";
import { formula } from "../distribution/catalogues.ts";
import { serverJson, serverJsonText } from "../distribution/server-json.ts";
import manifest from "../package.json" with { type: "json" };
import mcpbSchema from "./schemas/mcpb-manifest-v0.4.schema.json" with { type: "json" };
import registrySchema from "./schemas/server.schema.json" with { type: "json" };

const root = resolve(import.meta.dirname, "../../..");

/** The errors of a value according to a published schema. */
function faults(schema: object, value: unknown): unknown[] {
  const { $schema: _, ...rules } = { $schema: "", ...schema };
  const validate = new Ajv2020({ strict: false, allErrors: true, formats: { uri: URL.canParse, email: true } }).compile(rules);
  return validate(value) ? [] : (validate.errors ?? []);
}

function unpack(archive: Uint8Array, folder: string): void {
  for (const [path, bytes] of Object.entries(unzipSync(archive))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

describe("server.json", () => {
  test("matches the registry's schema and the package", () => {
    expect(faults(registrySchema, serverJson)).toEqual([]);
    expect(readFileSync(join(root, "server.json"), "utf8")).toBe(serverJsonText());
    expect(serverJson).toMatchObject({ name: manifest.mcpName, version: manifest.version });
  });

  test("would be rejected with a long description, a version range or a name without a namespace", () => {
    expect(faults(registrySchema, { ...serverJson, description: "x".repeat(101) })).not.toEqual([]);
    expect(faults(registrySchema, { ...serverJson, name: "askbox" })).not.toEqual([]);
    expect(faults(registrySchema, { ...serverJson, packages: [{ ...serverJson.packages[0], version: "latest" }] })).not.toEqual([]);
  });
});

test("Homebrew's formula has the checksum of the release's packed command, and a description that Homebrew accepts", () => {
  const text = formula("a".repeat(64));
  const field = (name: string) => new RegExp(`^  ${name} "(.+)"$`, "m").exec(text)?.[1] ?? "";
  expect(field("sha256")).toBe("a".repeat(64));
  expect(field("url")).toBe(`https://github.com/askbox/askbox/releases/download/askbox@${manifest.version}/askbox-${manifest.version}.tgz`);
  expect(field("desc")).toMatch(/^(?!An? |The |askbox).{1,79}[^.]$/);
});

describe("the MCP bundle", () => {
  test("has a manifest that matches its schema", () => {
    expect(faults(mcpbSchema, bundleManifest())).toEqual([]);
    expect(faults(mcpbSchema, { ...bundleManifest(), server: { type: "node" } })).not.toEqual([]);
  });

  test("has the same bytes whenever it is packed", () => {
    const app = join(root, "apps/askbox");
    const sources = { app, dist: join(app, "distribution"), licence: join(root, "LICENSE"), icon: join(app, "package.json") };
    onTestFinished(() => void vi.useRealTimers());
    const [one, other] = ["2026-01-01", "2027-02-03"].map((day) => {
      vi.setSystemTime(day);
      return packBundle(sources);
    });
    expect(one).toEqual(other);
  });

  test("runs its server for a real client, and its hub, from any folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "askbox-mcpb-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    const sources = {
      app: join(root, "apps/askbox"),
      dist: join(root, "apps/askbox/dist"),
      licence: join(root, "LICENSE"),
      icon: join(root, "apps/web/public/icons/512.png"),
    };
    const bytes = packBundle(sources);
    const place = join(folder, "unpacked here");
    unpack(bytes, place);
    const { server, tools, icon } = JSON.parse(readFileSync(join(place, "manifest.json"), "utf8")) as ReturnType<typeof bundleManifest>;
    expect(readFileSync(join(place, icon)).subarray(1, 4).toString()).toBe("PNG");

    const home = join(folder, "home");
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, ASKBOX_HOME: home, ASKBOX_ATTENTION: "none" };
    const args = server.mcp_config.args.map((arg) => arg.replace(/\$\{__dirname\}/, place));
    const transport = new StdioClientTransport({ command: process.execPath, args, env, cwd: folder, stderr: "ignore" });
    const client = new Client({ name: "opencode", version: "1" });
    await client.connect(transport);
    try {
      const listed = (await client.listTools()).tools.map(({ name }) => name);
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(listed));
      const asked = client.callTool({ name: "ask_user", arguments: { questions: [{ id: "q", question: "Go?", type: "confirm" }] } });
      const askbox = async (...words: string[]) => (await promisify(execFile)(process.execPath, [args[0] ?? "", ...words], { env })).stdout;
      const pending = async () => JSON.parse(await askbox("list", "--json")) as { id: string }[];
      await askbox("answer", await until("the question waits", async () => (await pending())[0]?.id), "yes");
      expect((await asked).structuredContent).toMatchObject({ answered: true, answers: [{ questionId: "q", values: ["yes"] }] });
      await askbox("hub", "stop");
      // Modules loaded only for these commands are in the bundle too.
      expect(await askbox("install", "cursor", "--dry-run")).toContain('+    "askbox": {');
      expect(await askbox("install", "codex", "--dry-run")).toContain("+[mcp_servers.askbox]");
      // The plugin's archive has the same server, which its launcher starts on a machine with nothing but Node.
      unpack(packPlugin(sources), join(folder, "plugin"));
      const launcher = join(folder, "plugin/plugins/askbox/launch.mjs");
      expect(execFileSync(process.execPath, [launcher, "--version"], { env: { PATH: "" }, encoding: "utf8" }).trim()).toBe(
        manifest.version,
      );
    } finally {
      await client.close();
    }
  });
});
