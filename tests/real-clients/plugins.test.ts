import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome, program } from "../command/support/home.ts";
import { until } from "../support/until.ts";
import { programs, realClients } from "./support/clients.ts";
import { type ScriptedModel, startModel } from "./support/model.ts";

const repository = resolve(import.meta.dirname, "../..");

const tree = join(repository, "plugins/askbox");

/** A client's own commands for plugins. */
interface Vehicle {
  command: string;
  install: string[][];
  /** Absent if a person edits a file. */
  remove?: string[][];
  /** The file that says that the plugin is there, and the text which does. */
  settings: [file: string, says: string];
  /** The command that lists it as a connected server, and its start there. */
  lists: [command: string[], start: string];
  /** With which it calls a server's tool although nobody sits at it. */
  args?: string[];
}

const vehicles: Record<string, Vehicle> = {
  "claude-code": {
    command: "claude",
    install: [
      ["plugin", "validate", "--strict", tree],
      ["plugin", "validate", "--strict", repository],
      ["plugin", "marketplace", "add", repository],
      ["plugin", "install", "askbox@askbox"],
    ],
    remove: [
      ["plugin", "uninstall", "askbox@askbox"],
      ["plugin", "marketplace", "remove", "askbox"],
    ],
    settings: [".claude/settings.json", "askbox@askbox"],
    lists: [["mcp", "list"], "launch.mjs --unless-set mcp mcp"],
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
    settings: [".codex/config.toml", "askbox@askbox"],
    lists: [["mcp", "list"], "launch.mjs mcp"],
  },
  "gemini-cli": {
    command: "gemini",
    install: [["extensions", "install", tree, "--consent", "--skip-settings"]],
    remove: [["extensions", "uninstall", "askbox"]],
    settings: [".gemini/extensions/extension-enablement.json", '"askbox"'],
    lists: [["mcp", "list"], "launch.mjs mcp"],
    args: ["--approval-mode", "yolo"],
  },
  opencode: {
    command: "opencode",
    install: [["plugin", pathToFileURL(join(repository, "apps/askbox")).href, "--global"]],
    settings: [".config/opencode/opencode.json", "apps/askbox"],
    lists: [["mcp", "list"], "askbox.js mcp"],
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
  // An installed askbox, which the plugin finds. Codex passes no other home on.
  writeFileSync(
    join(bin, "askbox"),
    `#!/bin/sh\nexport ASKBOX_HOME='${home.path}'\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`,
  );
  chmodSync(join(bin, "askbox"), 0o755);
  env = { PATH: [bin, programs, process.env["PATH"]].join(delimiter) };
});
afterEach(() => home.close());

/** Runs the client's own commands, agreeing to what it asks, and returns what the last one printed. */
async function manage({ command }: Vehicle, lines: readonly string[][]): Promise<string> {
  const options = { cwd: folder, env: { ...env, HOME: home.path, GEMINI_API_KEY: "scripted" } };
  let printed = "";
  for (const line of lines) {
    const running = promisify(execFile)(join(programs, command), line, options);
    running.child.stdin?.end("y\n");
    const { stdout, stderr } = await running;
    printed = stdout + stderr;
  }
  return printed;
}

const says = ({ settings: [file, text] }: Vehicle): boolean =>
  existsSync(join(home.path, file)) && readFileSync(join(home.path, file), "utf8").includes(text);

/** Has the client set up for the model, with the plugin. */
async function installPlugin(name: string, model: ScriptedModel = { url: "http://127.0.0.1:9", tools: [], results: [], latest: "" }) {
  const [vehicle, client] = [vehicles[name], realClients.find((each) => each.name === name)];
  if (vehicle === undefined || client?.ask === undefined) throw new Error(`${name} is missing.`);
  client.configure(home, model);
  await manage(vehicle, vehicle.install);
  return { vehicle, ask: client.ask };
}

/** OpenCode may install a package of its own first, which takes more than a minute on a slow machine. */
const turnTimeout = 240_000;

describe.each(Object.keys(vehicles))("%s", (name) => {
  test("lists the plugin's server, and its settings have nothing of it once it is removed", async () => {
    const { vehicle } = await installPlugin(name);
    const [list, start] = vehicle.lists;
    expect(says(vehicle)).toBe(true);
    expect(await manage(vehicle, [list])).toContain(start);
    expect((await home.run(["doctor", "--client", name])).stdout).toContain("askbox's plugin is enabled");
    if (vehicle.remove === undefined) return;
    await manage(vehicle, vehicle.remove);
    expect(says(vehicle)).toBe(false);
    expect(await manage(vehicle, [list])).not.toContain(start);
  });

  test("asks a person once, with the plugin alone and with `askbox install`'s entry beside it", async () => {
    const question = { question: "Which way?", type: "select", options: [{ label: "Left" }, { label: "Right" }] };
    const model = await startModel({ tool: "ask_user", arguments: { questions: [question] } });
    const { vehicle, ask } = await installPlugin(name, model);
    const { desk } = await connectDesk(home);
    const asked = new Set<string>();
    const turn = async () => {
      let isOver = false;
      const over = ask(home, model, folder, env, vehicle.args).over.then(() => {
        isOver = true;
      });
      await until(
        "the turn is over",
        async () => {
          for (const { id, questions } of (await desk.list({ statuses: ["pending"] })).items) {
            const isApproval = questions[0]?.type === "approval";
            if (!isApproval) asked.add(id);
            await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: [isApproval ? "allow" : "Right"] }] });
          }
          return isOver;
        },
        turnTimeout,
      );
      await over;
      return model.tools.filter((tool) => (tool.name ?? tool.function?.name)?.endsWith("ask_user")).length;
    };
    const alone = await turn();
    await home.run(["install", name]);
    expect(await turn()).toBe(alone);
    expect(model.results.filter((result) => result.includes("Right"))).toHaveLength(2);
    expect(asked.size).toBe(2);
  }, 600_000);
});
