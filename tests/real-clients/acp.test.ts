import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Desk } from "@askbox/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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
async function startRun(agent: AcpAgent) {
  const model = await startScript(agent);
  agent.configure(home, model);
  const [node = "", ...askbox] = program("askbox");
  const flags = ["run", "--json", "--no-server", ...(agent.mode === undefined ? [] : ["--mode", agent.mode])];
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
