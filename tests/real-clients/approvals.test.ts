import { appendFileSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Denials } from "@askbox/approvals";
import { approvalSources } from "@askbox/clients";
import { createBroker, type Desk, memoryStore, silentLog } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { homeFolders, readHubFile } from "@askbox/home";
import { createHub, hashToken, tokenVerifier } from "@askbox/hub";
import { mountApprovals } from "@askbox/hub-process";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { killProcess } from "../faults/support/processes.ts";
import { program } from "../setup/programs.ts";
import { until } from "../support/until.ts";
import { askersOf, claudeCode, codex, programs, type RealClient, realClients, startTerminal } from "./support/clients.ts";
import { type ScriptedCall, type ScriptedModel, startModel } from "./support/model.ts";

let home: Home;
let model: ScriptedModel;
let folder: string;
let proof: string;
beforeEach(async () => {
  home = await openHome({ path: [programs] });
  folder = join(realpathSync(home.path), "engine");
  mkdirSync(folder);
  proof = join(folder, "proof.txt");
  model = await startModel({ command: `touch ${proof}` });
});
afterEach(() => home.close());

/** The machine's hub, as it runs for everybody. */
async function openDesk(): Promise<Desk> {
  return (await connectDesk(home)).desk;
}

/** A hub in this process, whose clock the test moves. */
async function openHubHere({ isWatched = true } = {}) {
  const platform = testPlatform();
  const store = memoryStore();
  const broker = await createBroker({ store, ...platform });
  const denials = new Denials({ store, broker, platform, log: silentLog });
  const hub = createHub({
    broker,
    platform,
    version: "1.0.0",
    instance: "one",
    tokens: tokenVerifier([{ hash: hashToken("abx_asker"), access: { owner: "one", scopes: ["asker"] } }]),
    control: { status: async () => ({}), stop: async () => {} },
    mounts: [mountApprovals({ sources: approvalSources, denials, hold: 0, isWatched: () => isWatched, log: silentLog })],
  });
  const url = await hub.listen();
  onTestFinished(async () => {
    await hub.close();
    await broker.close();
  });
  const tokenFile = join(home.path, "asker-token");
  writeFileSync(tokenFile, "abx_asker", { mode: 0o600 });
  // A client that passes on none of its environment has both in its settings.
  const env = { ASKBOX_HUB: url, ASKBOX_TOKEN: "abx_asker" };
  return { env, flags: ["--token-file", tokenFile], clock: platform.clock, desk: broker.desk({ surface: "web", name: "ada" }) };
}

interface Asked {
  desk: Desk;
  env?: Record<string, string>;
  flags?: readonly string[];
}

/** Sets the client up, and starts a turn in which it asks for permission to make the proof file. */
async function askForProof(client: Approving, { desk, env = {}, flags = [] }: Asked) {
  client.configure(home, model);
  expect(await home.spawn([...flags, "install", client.name, "--approvals"], { env })).toMatchObject({ code: 0 });
  const turn = await client.start(home, model, folder, env);
  const asked = async () => {
    const { items } = await desk.list({ statuses: ["pending"] });
    // If Codex' hook was faster than the server that follows the daemon, it is withdrawn and asked again in the other way.
    const isForGood = client.asks === "hook" || askersOf(home.path, "hook").length === 0;
    return isForGood && items[0];
  };
  // Without a registry, OpenCode takes up to 100 seconds to start with a plugin.
  const session = await until("it asks", asked, 250_000);
  const [question] = session.questions;
  if (question?.type !== "approval") throw new Error("It isn't an approval.");
  expect(question.action).toMatchObject({ kind: "command", command: expect.stringContaining(`touch ${proof}`), cwd: folder });
  const decide = (value: "allow" | "deny", note?: string) =>
    desk.answer(session.id, { answers: [{ questionId: question.id, values: [value], ...(note !== undefined && { note }) }] });
  return { turn, id: session.id, decide };
}

type Approving = Pick<RealClient, "name" | "configure"> & NonNullable<RealClient["approvals"]>;
const approving = realClients.flatMap(({ approvals, ...client }): Approving[] =>
  approvals === undefined ? [] : [{ ...client, ...approvals }],
);

describe.each(approving)("$name, asked for by $asks", (client) => {
  test("runs the command that a person has allowed", async () => {
    const { turn, decide } = await askForProof(client, { desk: await openDesk() });
    expect(existsSync(proof)).toBe(false);
    await decide("allow");
    await turn.over;
    expect(existsSync(proof)).toBe(true);
  });

  test("doesn't run a denied command, and tells the model the reason", async () => {
    const desk = await openDesk();
    const { turn, id, decide } = await askForProof(client, { desk });
    await decide("deny", "Use the staging folder.");
    await turn.over;
    expect(existsSync(proof)).toBe(false);
    expect(model.results.join("\n")).toContain("Use the staging folder.");
    // Nothing else is said of it: it did not run.
    expect((await desk.get(id)).thread).toBeUndefined();
  });

  test("reaches a person although no hub was running, and keeps it while the session is open and idle", async () => {
    expect((await home.run(["config", "set", "idleExit", "1"])).code).toBe(0);
    const release = Promise.withResolvers<void>();
    const held = await startModel({ command: `touch ${proof}` }, { hold: () => release.promise });
    client.configure(home, held);
    expect(await home.spawn(["install", client.name, "--approvals"])).toMatchObject({ code: 0 });
    const turn = await client.start(home, held, folder, {});
    await until("the hub has been idle for three times as long as it would stay", async () => {
      const { code, stdout } = await home.run(["hub", "status", "--json"]);
      return code === 0 && JSON.parse(stdout).uptime > 3_000;
    });
    release.resolve();
    const desk = await openDesk();
    const { id, questions } = await until("it asks", async () => (await desk.list({ statuses: ["pending"] })).items[0]);
    await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["allow"] }] });
    await turn.over;
    expect(existsSync(proof)).toBe(true);
  });

  test("decides by itself when nobody answers in time", async () => {
    const { clock, ...hub } = await openHubHere();
    const { turn, id, decide } = await askForProof(client, hub);
    await clock.advance(1_800_000);
    expect((await hub.desk.get(id)).status).toBe("timed_out");
    await expect(decide("allow")).rejects.toThrow();
    await turn.refuseItself();
    await turn.over;
    expect(existsSync(proof)).toBe(false);
  });

  test("decides by itself when the hub is killed, whatever a person answers afterwards", async () => {
    const { turn, id } = await askForProof(client, { desk: await openDesk() });
    const pid = readHubFile(homeFolders({ env: { ASKBOX_HOME: home.path } }))?.pid ?? 0;
    expect(pid).toBeGreaterThan(0);
    killProcess(pid);
    await turn.refuseItself();
    await turn.over;
    const desk = await openDesk();
    expect((await desk.get(id)).status).toBe("cancelled");
    // Codex' first request may have come by the hook before the socket's card replaced it.
    expect((await desk.list({ statuses: ["pending"] })).items).toEqual([]);
    expect(existsSync(proof)).toBe(false);
  });

  test("decides by itself when the command that asks is killed, and the request is withdrawn", async () => {
    const desk = await openDesk();
    const { turn, id, decide } = await askForProof(client, { desk });
    for (const pid of askersOf(home.path, client.asks)) killProcess(pid);
    await expect.poll(async () => (await desk.get(id)).status).toBe("cancelled");
    await expect(decide("allow")).rejects.toThrow();
    await turn.refuseItself();
    await turn.over;
    expect(existsSync(proof)).toBe(false);
  });
});

interface Setup {
  /** Of `askbox install`. */
  flags?: readonly string[];
  /** Runs before it. */
  prepare?: () => void;
}

describe("without a person at the client, no prompt of its own follows, so a request waits although no inbox is open:", () => {
  const waits = async (client: typeof codex, call: ScriptedCall, { flags = [], prepare = () => {} }: Setup = {}) => {
    const { desk, clock, env } = await openHubHere({ isWatched: false });
    const held = await startModel(call);
    client.configure(home, held);
    prepare();
    expect(await home.spawn(["install", client.name, "--approvals", ...flags], { env })).toMatchObject({ code: 0 });
    const turn = client.ask(home, held, folder, env);
    const pending = async () => (await desk.list({ statuses: ["pending"] })).items;
    const [session] = await until("it asks", async () => ((await pending()).length > 0 ? pending() : undefined));
    await clock.advance(60_000);
    expect(await pending()).toMatchObject([{ id: session?.id }]);
    const answers = [{ questionId: session?.questions[0]?.id ?? "", values: ["allow"] }];
    await desk.answer(session?.id ?? "", { answers });
    await turn.over;
    return { session, results: held.results };
  };

  test.each([
    ["hooks that are commands", []],
    ["http hooks", ["--http"]],
  ])("a subagent's in Claude Code, with %s", async (_which, flags) => {
    const { session } = await waits(claudeCode, { subagent: { command: `touch ${proof}` } }, { flags });
    expect(session?.asker.agentId).toBeDefined();
    expect(existsSync(proof)).toBe(true);
  });

  test("one for an MCP server's tool in Codex", async () => {
    const [command, script] = program("own-mcp-server");
    const server = `\n[mcp_servers.files]\ncommand = ${JSON.stringify(command)}\nargs = [${JSON.stringify(script)}]\nrequired = true\n`;
    const prepare = () => appendFileSync(join(home.path, ".codex", "config.toml"), server);
    const { results } = await waits(codex, { tool: "delete_file", arguments: { path: proof } }, { prepare });
    expect(results.join()).toContain("Nothing was deleted.");
  });
});

test("claude-code's plan that a person allows in its terminal is no longer in the inbox", async () => {
  const desk = await openDesk();
  const planner = await startModel({ tool: "ExitPlanMode", arguments: { plan: "# Make the proof" } });
  expect(await home.spawn(["install", "claude-code", "--approvals"])).toMatchObject({ code: 0 });
  const terminal = startTerminal(home, planner, folder, ["--permission-mode", "plan", "Plan the proof."]);
  const plan = await until("the plan is in the inbox", async () => (await desk.list({ statuses: ["pending"] })).items[0]);
  await until("its own prompt is open", () => /1\. Yes/.test(terminal.screen()));
  terminal.press("Enter");
  await until("the model is told", () => planner.results.length > 0);
  await until("it is withdrawn", async () => (await desk.get(plan.id)).status === "cancelled");
  const questionId = plan.questions[0]?.id ?? "";
  await expect(desk.answer(plan.id, { answers: [{ questionId, values: ["deny"] }] })).rejects.toThrow();
});
