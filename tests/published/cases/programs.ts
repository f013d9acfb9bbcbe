import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startRedis } from "@askbox/store-redis/testing";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import { readPinned, sourcesOf } from "../support/api.ts";
import type { Published } from "../support/published.ts";
import { firstExample } from "../support/readme.ts";
import { mustRun, startProgram } from "../support/run.ts";
import { libraries } from "../support/workspace.ts";

const specifiers = libraries.flatMap(sourcesOf).map(([specifier]) => specifier);

/** Loads a module in a separate process; resolves with its exported values and the globals it created. The process must end and print nothing else. */
async function evaluate(specifier: string, cwd: string): Promise<{ exported: string[]; globals: string[] }> {
  const script = `const before = new Set(Object.getOwnPropertyNames(globalThis));
    const exported = Object.keys(await import(${JSON.stringify(specifier)})).filter((name) => name !== "__esModule" && name !== "module.exports").sort();
    // Zod, which some of them load, keeps its settings in globals.
    const globals = Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name) && !name.startsWith("__zod_"));
    console.log(JSON.stringify({ exported, globals }));`;
  return JSON.parse(await mustRun(process.execPath, ["--input-type=module", "--eval", script], { cwd }));
}

export function describePrograms(published: () => Published): void {
  /** Runs a compiled program of the project in an empty folder, or in the given one. */
  const runThere = async (name: string, args: readonly string[] = [], { cwd, env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
    mustRun(process.execPath, [published().consumer.program(name), ...args], {
      cwd: cwd ?? (await emptyFolder()),
      env: { ...process.env, ...env },
    });
  const emptyFolder = () => mkdtemp(join(published().folder, "run-"));

  /** A client whose person fills in every form with this, of the server that an example starts. */
  const connectTo = async (example: string, filled: Record<string, string | boolean>) => {
    const client = new Client({ name: "a-client", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: filled }));
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [published().consumer.program(example)] }));
    return client;
  };

  test.each(specifiers)("%s exports the reviewed values, and has no side effects when loaded", async (specifier) => {
    const { folder } = published().consumer;
    const names = await evaluate(specifier, folder);
    const prefix = `${specifier}: value `;
    const reviewed = readPinned().flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []));
    expect(names).toEqual({ exported: reviewed, globals: [] });
  });

  test("every entry can be loaded with `require`", async () => {
    const script = `const empty = ${JSON.stringify(specifiers)}.filter((name) => Object.keys(require(name)).length === 0);
      console.log(JSON.stringify(empty));`;
    const printed = await mustRun(process.execPath, ["--input-type=commonjs", "--eval", script], { cwd: published().consumer.folder });
    expect(JSON.parse(printed)).toEqual([]);
  });

  describe("the first example in the README of", () => {
    test("@askbox/core asks, answers, and prints what the README says", async () => {
      const [core] = libraries.filter(({ name }) => name === "@askbox/core");
      expect(core && firstExample(core).prints).toBeDefined();
      expect(await runThere("@askbox/core")).toBe(core && firstExample(core).prints);
    });

    test("@askbox/hub serves at the address it prints, and @askbox/wire lists what is pending there", async () => {
      const hub = await startProgram([published().consumer.program("@askbox/hub")], { cwd: await emptyFolder() });
      onTestFinished(hub.stop);
      const [url = "", token = ""] = hub.line.split(" ");
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const body = JSON.stringify({ questions: [{ question: "Deploy?", type: "confirm" }] });
      const response = await fetch(`${url}/api/sessions`, { method: "POST", headers, body });
      expect(response.status).toBe(201);
      const { id } = (await response.json()) as { id: string };
      const env = { ASKBOX_HUB: url, ASKBOX_TOKEN: token };
      expect(await runThere("@askbox/wire", [], { env })).toBe(`${id} Deploy?\n`);
    });

    test("@askbox/store-sqlite lists what an earlier process asked", async () => {
      const cwd = await emptyFolder();
      const id = await runThere("ask-in-store", ["questions.db"], { cwd });
      expect(await runThere("@askbox/store-sqlite", [], { cwd })).toBe(`${id.trim()} Deploy?\n`);
    });

    test("@askbox/store-redis lists what another process asked", async () => {
      const redis = await startRedis();
      onTestFinished(() => redis.stop());
      const id = await runThere("ask-in-store", [redis.url]);
      expect(await runThere("@askbox/store-redis", [], { env: { REDIS_URL: redis.url } })).toBe(`${id.trim()} Deploy?\n`);
    });

    test("@askbox/react renders pending questions", async () => {
      const { consumer } = published();
      expect(await runThere("render", [consumer.program("@askbox/react")])).toBe("<p>Deploy?</p>\n");
    });

    test.each([
      [true, "Deleted."],
      [false, "Kept."],
    ])("@askbox/elicit asks the client's user, and receives %s", async (sure, said) => {
      const client = await connectTo("@askbox/elicit", { sure });
      const { content } = await client.callTool({ name: "delete", arguments: { path: "a.txt" } });
      expect(content).toEqual([{ type: "text", text: said }]);
    });

    test("@askbox/mcp asks what an agent asks, in the client's form too", async () => {
      const client = await connectTo("@askbox/mcp", { deploy: "yes" });
      const questions = [{ id: "deploy", question: "Deploy?", type: "confirm" }];
      const { structuredContent } = await client.callTool({ name: "ask_user", arguments: { questions } });
      expect(structuredContent).toMatchObject({ answered: true, answers: [{ questionId: "deploy", values: ["yes"] }] });
    });
  });

  test("the first sample on embedding asks, answers and reports who answered", async () => {
    expect(await runThere("embedding-1")).toBe("true [ 'yes' ] { surface: 'api', name: 'main window' }\n");
  });

  test("the published contract suites pass for the published stores", async () => {
    expect(Number(await runThere("contracts"))).toBeGreaterThan(50);
  });

  test("everything in the project comes from the tarballs or from npm", async () => {
    const lock = JSON.parse(await readFile(join(published().consumer.folder, "package-lock.json"), "utf8"));
    const ours = Object.entries(lock.packages as Record<string, { resolved?: string }>).filter(([path]) => path.includes("@askbox/"));
    expect(ours.map(([path]) => path).sort()).toEqual(libraries.map(({ name }) => `node_modules/${name}`).sort());
    expect(ours.filter(([, { resolved }]) => !resolved?.startsWith("file:"))).toEqual([]);
  });
}
