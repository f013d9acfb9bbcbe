import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { until } from "../support/until.ts";
import { programs, type RealClient, realClients } from "./support/clients.ts";
import { startModel } from "./support/model.ts";

// Clients on a machine that has joined the hub of another by its socket, as in a container that mounts it, or at the end of `askbox ssh`.

let hub: Home;
let machine: Home;
beforeEach(async () => {
  [hub, machine] = await Promise.all([openHome(), openHome({ path: [programs] })]);
  await hub.serve();
  const { stdout } = await hub.run(["invite", "--name", "build-7", "--at", `unix:${join(hub.path, "hub.sock")}`, "--json"]);
  expect(await machine.run(["join", "-"], { stdin: `${JSON.parse(stdout).joining}\n` })).toMatchObject({ code: 0 });
});
afterEach(async () => {
  await machine.close();
  await hub.close();
});

const first = ["claude-code", "codex", "opencode", "gemini-cli"];
const asking = realClients.filter(
  (client): client is RealClient & Required<Pick<RealClient, "ask">> => first.includes(client.name) && client.ask !== undefined,
);

test.each(asking)("$name on a machine that joined asks here, and is told what a person answers", async (client) => {
  const { desk } = await connectDesk(hub);
  const folder = join(realpathSync(machine.path), "engine");
  mkdirSync(folder);
  const questions = [{ question: "Which way?", type: "select", options: [{ label: "Left" }, { label: "Right" }] }];
  const model = await startModel({ tool: "ask_user", arguments: { questions } });
  client.configure(machine, model);
  expect(await machine.spawn(["install", client.name])).toMatchObject({ code: 0 });
  const turn = client.ask(machine, model, folder, {});
  const asked = await until("it asks", async () => (await desk.list({ statuses: ["pending"] })).items[0], 120_000);
  expect(asked.asker).toMatchObject({ machine: "build-7", project: folder });
  await desk.answer(asked.id, { answers: [{ questionId: asked.questions[0]?.id ?? "", values: ["Right"] }] });
  await turn.over;
  expect(model.results.join()).toContain("Right");
});
