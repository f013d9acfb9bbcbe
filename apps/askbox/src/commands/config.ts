import { AskboxError } from "@askbox/core";
import type { Config } from "@askbox/home";
import { terminalLine } from "@askbox/terminal-text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { pad, widthOf } from "../text/layout.ts";
import { paintFor } from "../text/paint.ts";

export const command: DefineCommand = (run) =>
  commandWith("config", "Show and change settings", [
    ["askbox config get", "all settings, and where each value comes from"],
    ["askbox config get timeout", "one value, for scripts"],
    ["askbox config set retention 30d", "write it to config.json"],
    ["askbox config set limits.pending 50", "a nested setting"],
    ["askbox config unset retention", "go back to the default"],
  ])
    .usage("get [key] | set <key> <value> | unset <key> | path | schema")
    .addCommand(
      commandWith("get", "Print one or all settings", [
        ["askbox config get", "all settings, and where each value comes from"],
        ["askbox config get port", "one value; an empty line if it is not set"],
      ])
        .argument("[key]", "the setting, such as timeout or limits.pending")
        .option("--json", "print JSON")
        .action(run(get)),
    )
    .addCommand(
      commandWith("set", "Write one setting to config.json", [
        ["askbox config set attention notify", "how you are notified of questions"],
        ["askbox config set hosts box.example,192.168.1.7", "host names under which the hub can be reached"],
      ])
        .argument("<key>", "the setting")
        .argument("<value>", "its value: a word, a number, or JSON")
        .action(run((context: CommandContext, key: string, value: string) => set(context, key, value))),
    )
    .addCommand(
      commandWith("unset", "Remove one setting from config.json", [["askbox config unset port", "back to the default"]])
        .argument("<key>", "the setting")
        .action(run((context: CommandContext, key: string) => set(context, key, undefined))),
    )
    .addCommand(
      commandWith("path", "Print where config.json is", [['$EDITOR "$(askbox config path)"', "edit it by hand"]]).action(run(path)),
    )
    .addCommand(
      commandWith("schema", "Print the JSON Schema of config.json", [
        ["askbox config schema > config.schema.json", "for an editor"],
      ]).action(run(schema)),
    );

async function get({ io }: CommandContext, key: string | undefined, options: { json?: boolean }): Promise<ExitCode> {
  const { configSettings, getConfigValue, homeFolders, loadConfig } = await import("@askbox/home");
  const { config, sources, warnings } = loadConfig({ folders: homeFolders({ env: io.env }), env: io.env });
  for (const warning of warnings) await io.stderr.write(`${terminalLine(warning)}\n`);
  if (key !== undefined) {
    const value = getConfigValue(config, key);
    if (options.json) await writeJson(io.stdout, value ?? null);
    else await io.stdout.write(`${textOf(key, value)}\n`);
    return exitCodes.done;
  }
  if (options.json) {
    await writeJson(io.stdout, config);
    return exitCodes.done;
  }
  const paint = paintFor(io.stdout);
  const keys = configSettings();
  const width = Math.max(...keys.map(widthOf));
  for (const name of keys) {
    const source = sources.get(name) ?? "default";
    const value = textOf(name, getConfigValue(config, name)) || "(not set)";
    await io.stdout.write(`${pad(name, width)}  ${value}  ${paint("dim", `(${source})`)}\n`);
  }
  return exitCodes.done;
}

async function set(context: CommandContext, key: string, value: string | undefined): Promise<ExitCode> {
  const { io } = context;
  await refuseFromAgent(context, key);
  const { changeConfigAlone, getConfigValue, homeFiles, homeFolders, readHubFile, setConfigValue } = await import("@askbox/home");
  const folders = homeFolders({ env: io.env });
  const config: Config = await changeConfigAlone(folders, () => setConfigValue(folders, key, value));
  const now = textOf(key, getConfigValue(config, key)) || "not set";
  const hub =
    readHubFile(folders) === undefined
      ? ""
      : " The running hub keeps the old value; run `askbox hub stop`, and the next one uses the new value.";
  await io.stdout.write(`${key} is now ${now}, in ${homeFiles(folders).config}.${hub}\n`);
  return exitCodes.done;
}

/** An agent must not be able to let itself answer. */
async function refuseFromAgent(context: CommandContext, key: string): Promise<void> {
  const agent = key === "allowAnswerFromAgents" ? await context.agent() : undefined;
  if (agent === undefined) return;
  throw new AskboxError("FORBIDDEN", `This shell belongs to ${terminalLine(agent)}; set whether agents may answer in your own terminal.`);
}

async function path({ io }: CommandContext): Promise<ExitCode> {
  const { homeFiles, homeFolders } = await import("@askbox/home");
  await io.stdout.write(`${homeFiles(homeFolders({ env: io.env })).config}\n`);
  return exitCodes.done;
}

async function schema({ io }: CommandContext): Promise<ExitCode> {
  const { configJsonSchema } = await import("@askbox/home");
  await writeJson(io.stdout, configJsonSchema());
  return exitCodes.done;
}

const day = 86_400_000;

/** A value in the form `config set` accepts. */
function textOf(key: string, value: unknown): string {
  if (key === "retention" || key === "ran")
    return value === null ? "off" : typeof value === "number" && value % day === 0 && value > 0 ? `${value / day}d` : String(value);
  if (value === undefined || value === null) return "";
  const isPlainList = Array.isArray(value) && value.every((item) => typeof item !== "object");
  if (isPlainList) return value.map((item) => terminalLine(String(item))).join(",");
  return terminalLine(typeof value === "object" ? JSON.stringify(value) : String(value));
}
