import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome, program } from "../command/support/home.ts";
import { until } from "../faults/support/until.ts";
import { programs, realClients } from "./support/clients.ts";
import { startModel } from "./support/model.ts";

const repository = resolve(import.meta.dirname, "../..");

/** A client's own commands for plugins, and what of its settings says that the plugin is there. */
const vehicles: Record<string, { command: string; install: string[][]; remove: string[][]; settings: string[] }> = {
  "claude-code": {
    command: "claude",
    install: [
      ["plugin", "validate", "--strict", join(repository, "plugins/askbox")],
      ["plugin", "validate", "--strict", repository],
      ["plugin", "marketplace", "add", repository],
      ["plugin", "install", "askbox@askbox"],
    ],
    remove: [
      ["plugin", "uninstall", "askbox@askbox"],
      ["plugin", "marketplace", "remove", "askbox"],
    ],
    settings: [".claude/settings.json", ".claude/plugins/installed_plugins.json"],
  },
  codex: {
    command: "codex",
    install: [
      ["plugin", "marketplace", "add", repository],
      ["plugin", "add", "askbox@askbox"],
    ],
    remove: [
      ["plugin", "remove", "askbox@askbox"],
      ["plugin", "marketplace", "remove", "askbox"],
    ],
    settings: [".codex/config.toml"],
  },
};

let home: Home;
let folder: string;
let env: { PATH: string };
beforeEach(async () => {
  home = await openHome({ path: [programs] });
  folder = join(realpathSync(home.path), "engine");
  const bin = join(home.path, "bin");
  for (const path of [folder, bin]) mkdirSync(path);
  // An installed askbox, which the plugin finds.
  writeFileSync(join(bin, "askbox"), `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(join(bin, "askbox"), 0o755);
  env = { PATH: [bin, programs, process.env["PATH"]].join(delimiter) };
});
afterEach(() => home.close());

type Vehicle = (typeof vehicles)[string];

/** Runs the client's own commands, and returns what the last one printed. */
async function manage({ command }: Vehicle, lines: readonly string[][]): Promise<string> {
  const options = { cwd: folder, env: { ...env, HOME: home.path } };
  let printed = "";
  for (const line of lines) printed = (await promisify(execFile)(join(programs, command), line, options)).stdout;
  return printed;
}

const textOf = ({ settings }: Vehicle): string =>
  settings
    .map((file) => join(home.path, file))
    .map((file) => (existsSync(file) ? readFileSync(file, "utf8") : ""))
    .join("\n");

test.each(Object.entries(vehicles))(
  "%s lists the plugin's server, and its settings have nothing of it once it is removed",
  async (name, vehicle) => {
    await manage(vehicle, vehicle.install);
    expect(textOf(vehicle)).toContain("askbox@askbox");
    expect(await manage(vehicle, [["mcp", "list"]])).toContain("launch.mjs mcp");
    expect((await home.run(["doctor", "--client", name])).stdout).toContain("askbox's plugin is enabled");
    await manage(vehicle, vehicle.remove);
    expect(textOf(vehicle)).not.toContain("askbox");
    expect(await manage(vehicle, [["mcp", "list"]])).not.toContain("launch.mjs");
  },
);

test("Claude Code asks a person with the plugin's server, after its hook has let a person allow the call", async () => {
  const client = realClients.find(({ name }) => name === "claude-code");
  const question = { question: "Which way?", type: "select", options: [{ label: "Left" }, { label: "Right" }] };
  const model = await startModel({ tool: "ask_user", arguments: { questions: [question] } });
  const vehicle = vehicles["claude-code"];
  if (client?.ask === undefined || vehicle === undefined) throw new Error("Claude Code is missing.");
  await manage(vehicle, vehicle.install);
  const { desk } = await connectDesk(home);
  const turn = client.ask(home, model, folder, env);
  const answer = async (type: string, value: string) => {
    const { id, questions } = await until(`a ${type} is asked`, async () =>
      (await desk.list({ statuses: ["pending"] })).items.find((session) => session.questions[0]?.type === type),
    );
    await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: [value] }] });
  };
  await answer("approval", "allow");
  await answer("select", "Right");
  await turn.over;
  expect(model.results.join()).toContain("Right");
});
