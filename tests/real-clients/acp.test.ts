import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Desk } from "@askbox/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { problemsOf } from "../acp/support/schema.ts";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { program } from "../setup/programs.ts";
import { until } from "../support/until.ts";
import { type AcpAgent, acpAgents, programs, run } from "./support/clients.ts";
import { type ScriptedModel, startModel } from "./support/model.ts";

let home: Home;
let folder: string;
let proof: string;
let desk: Desk;
beforeEach(async () => {
  home = await openHome({ path: [programs] });
  folder = join(realpathSync(home.path), "engine");
  mkdirSync(folder);
  proof = join(folder, "proof.txt");
  desk = (await connectDesk(home)).desk;
});
afterEach(() => home.close());

/** The command that makes the proof, called by the agent's own tool. */
const startScript = ({ shell }: AcpAgent): Promise<ScriptedModel> =>
  startModel(shell === undefined ? { command: `touch ${proof}` } : { tool: shell, arguments: { command: `touch ${proof}` } });

async function pending() {
  // A client from npm starts slowly on a busy machine.
  const session = await until("it asks", async () => (await desk.list({ statuses: ["pending"] })).items[0], 120_000);
  const [question] = session.questions;
  if (question?.type !== "approval") throw new Error("It isn't an approval.");
  const decide = (value: string, customText?: string) =>
    desk.answer(session.id, { answers: [{ questionId: question.id, values: [value], ...(customText !== undefined && { customText }) }] });
  return { session, question, decide };
}

/** `askbox run` with the agent; its output and exit code. */
async function startRun(agent: AcpAgent, { model: given, server = false }: { model?: ScriptedModel; server?: boolean } = {}) {
  const model = given ?? (await startScript(agent));
  agent.configure(home, model);
  const [node = "", ...askbox] = program("askbox");
  const flags = ["run", "--json", ...(server ? [] : ["--no-server"]), ...(agent.mode === undefined ? [] : ["--mode", agent.mode])];
  const child = run(home, node, [...askbox, ...flags, "--", ...agent.command, "Make the proof file."], folder, agent.env(model));
  const output = text(child.stdout ?? process.stdin);
  const code = new Promise((resolve) => child.once("exit", resolve));
  return { model, done: Promise.all([code, output]).then(([exit, events]) => ({ exit, events })) };
}

describe.each(acpAgents)("askbox run with $name", (agent) => {
  test("runs the command that a person has allowed", async () => {
    const { done } = await startRun(agent);
    const { session, question, decide } = await pending();
    expect(session.asker).toMatchObject({ client: { name: agent.name }, project: folder });
    expect(question.action).toMatchObject({ kind: "command", command: expect.stringContaining(`touch ${proof}`) });
    expect(existsSync(proof)).toBe(false);
    await decide("allow");
    const { exit, events } = await done;
    expect({ exit, events }).toMatchObject({ exit: 0, events: expect.stringContaining("Done.") });
    expect(existsSync(proof)).toBe(true);
  });

  test("doesn't run what was denied, and tells the model why in its next prompt", async () => {
    const { model, done } = await startRun(agent);
    await (await pending()).decide("deny", "Use the staging folder.");
    const { events } = await done;
    expect(events).toContain('"type":"prompt"');
    expect(existsSync(proof)).toBe(false);
    expect(model.latest).toContain("Use the staging folder.");
  });
});

/** These can be told to ask no permission for askbox's tools. */
const unasked = acpAgents.filter(({ name }) => ["claude-code", "codex", "opencode"].includes(name));
test.each(unasked)("rule 8: with askbox's server, a question of $name's model comes once, and no request beside it", async (agent) => {
  const questions = [{ question: "Which way?", type: "select", options: [{ label: "Left" }, { label: "Right" }] }];
  const model = await startModel({ tool: "ask_user", arguments: { questions } });
  const { done } = await startRun(agent, { model, server: true });
  const { id, questions: asked } = await until("it asks", async () => (await desk.list({ statuses: ["pending"] })).items[0], 120_000);
  expect(asked[0]).toMatchObject({ question: "Which way?", type: "select" });
  await desk.answer(id, { answers: [{ questionId: asked[0]?.id ?? "", values: ["Left"] }] });
  expect((await done).exit).toBe(0);
  expect(model.latest).toContain("Left");
  expect((await desk.list({})).items.map((each) => each.id)).toEqual([id]);
});

// biome-ignore lint/suspicious/noExplicitAny: whatever they send
type Message = any;
const messagesIn = (bytes: Buffer): Message[] =>
  bytes
    .toString()
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));

test.each(acpAgents)("rule 1: what $name and an editor say passes unchanged, and is valid by the protocol's schema", async (agent) => {
  const model = await startScript(agent);
  agent.configure(home, model);
  const record = join(home.path, "record");
  const tee = [process.execPath, join(import.meta.dirname, "support", "tee.mjs"), record];
  const [node = "", ...askbox] = program("askbox");
  const env = { ...agent.env(model), PATH: `${programs}:${process.env["PATH"]}` };
  const child = run(home, node, [...askbox, "acp", "--answer", "editor", "--", ...tee, ...agent.command], folder, env);
  const received: Buffer[] = [];
  const sent: Buffer[] = [];
  child.stdout?.on("data", (bytes: Buffer) => received.push(bytes));
  const send = (message: object) => {
    const line = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    sent.push(line);
    child.stdin?.write(line);
  };
  let lastId = 0;
  const answered = new Set<string>();
  /** Sends a request, allows once whatever the agent asks meanwhile, and resolves with the result. */
  const request = async (method: string, params: object): Promise<Message> => {
    lastId += 1;
    const id = lastId;
    send({ id, method, params });
    const whole = () => messagesIn(Buffer.concat(received.slice(0, received.findLastIndex((bytes) => bytes.at(-1) === 10) + 1)));
    const response = await until(
      `${method} is answered`,
      () => {
        const all = whole();
        for (const { id: asked, method: what, params: about } of all) {
          if (asked === undefined || what === undefined || answered.has(JSON.stringify(asked))) continue;
          answered.add(JSON.stringify(asked));
          const option = about.options?.find(({ kind }: { kind: string }) => kind === "allow_once")?.optionId;
          if (option === undefined) send({ id: asked, error: { code: -32_601, message: "unknown" } });
          else send({ id: asked, result: { outcome: { outcome: "selected", optionId: option } } });
        }
        return all.find((each) => each.id === id && each.method === undefined);
      },
      120_000,
    );
    return response.result;
  };
  await request("initialize", { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: "toy", version: "1" } });
  const { sessionId, configOptions } = await request("session/new", { cwd: folder, mcpServers: [] });
  const isOption = configOptions?.some(({ id }: { id: string }) => id === "mode") === true;
  if (agent.mode !== undefined && isOption) await request("session/set_config_option", { sessionId, configId: "mode", value: agent.mode });
  else if (agent.mode !== undefined) await request("session/set_mode", { sessionId, modeId: agent.mode });
  await request("session/prompt", { sessionId, prompt: [{ type: "text", text: "Make the proof file." }] });
  expect(existsSync(proof)).toBe(true);
  child.stdin?.end();
  await new Promise((resolve) => child.once("close", resolve));
  const [theirs, ours] = [readFileSync(`${record}.out`), readFileSync(`${record}.in`)];
  expect(Buffer.concat(received).equals(theirs)).toBe(true);
  expect(Buffer.concat(sent).equals(ours)).toBe(true);
  const methods = new Map(messagesIn(ours).map(({ id, method }) => [id, method]));
  const said = messagesIn(theirs);
  expect(said.filter(({ method }) => method === "session/request_permission")).not.toEqual([]);
  const problems = said.flatMap((message) => problemsOf(message, methods.get(message.id)).map((problem) => ({ message, problem })));
  expect(problems).toEqual([]);
});

test("acpx, through askbox acp, gets what the inbox decides", async () => {
  const agent = acpAgents.find(({ name }) => name === "opencode");
  if (agent === undefined) throw new Error("There is no OpenCode.");
  const model = await startScript(agent);
  agent.configure(home, model);
  const [node = "", ...askbox] = program("askbox");
  const wrapped = [node, ...askbox, "acp", "--answer", "inbox", "--", ...agent.command].join(" ");
  const child = run(home, join(programs, "acpx"), ["--agent", wrapped, "exec", "Make the proof file."], folder, agent.env(model));
  const output = text(child.stdout ?? process.stdin);
  await (await pending()).decide("allow");
  await new Promise((resolve) => child.once("exit", resolve));
  expect(existsSync(proof)).toBe(true);
  expect(await output).toContain("Done.");
});
