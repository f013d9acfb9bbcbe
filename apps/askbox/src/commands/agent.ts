import type { RegisteredAgent } from "@askbox/core";
import { terminalLine } from "@askbox/terminal-text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";

interface AddOptions {
  name?: string;
  resume?: string;
  json?: boolean;
}

export const command: DefineCommand = (run) =>
  commandWith("agent", "Register agents by id", [
    ["askbox agent add builder", "from now on, ask_human accepts only registered ids"],
    ["askbox agent list", "who is registered"],
    ["askbox agent remove builder", "after the last one, any id is accepted again"],
  ])
    .addCommand(addCommand(run))
    .addCommand(listCommand(run))
    .addCommand(removeCommand(run));

const addCommand: DefineCommand = (run) =>
  commandWith("add", "Register an agent, or update it", [
    ["askbox agent add builder --name 'Builder of the engine'", "with a display name"],
    ["askbox agent add builder --resume 'claude --resume 5f0c…'", "shown by askbox show after the agent has left"],
  ])
    .argument("<agent>", "the id that the agent uses to ask")
    .option("--name <text>", "its display name")
    .option("--resume <command>", "a command that resumes its conversation; shown, never run")
    .option("--json", "print a JSON object")
    .action(run(add));

const listCommand: DefineCommand = (run) =>
  commandWith("list", "List the registered agents", [["askbox agent list --json", "as a JSON array"]])
    .option("--json", "print a JSON array")
    .action(run(list));

const removeCommand: DefineCommand = (run) =>
  commandWith("remove", "Remove an agent", [["askbox agent remove builder", "its questions stay"]])
    .argument("<agent>", "its id")
    .action(run(remove));

async function add(context: CommandContext, id: string, { name, resume, json }: AddOptions): Promise<ExitCode> {
  const agents = await context.agents();
  const agent = await agents.add({ id, name, resume });
  if (json) await writeJson(context.io.stdout, agent);
  else await context.io.stdout.write(`Registered ${terminalLine(agent.id)}. ask_human now accepts only registered ids.\n`);
  return exitCodes.done;
}

async function list(context: CommandContext, { json }: { json?: boolean }): Promise<ExitCode> {
  const { stdout } = context.io;
  const agents = await (await context.agents()).list();
  if (json) await writeJson(stdout, agents);
  else if (agents.length === 0) await stdout.write("No agents are registered; ask_human accepts any id.\n");
  else await stdout.write(agents.map(lineOf).join(""));
  return exitCodes.done;
}

async function remove(context: CommandContext, id: string): Promise<ExitCode> {
  const { stdout, stderr } = context.io;
  const agents = await context.agents();
  if (!(await agents.remove(id))) {
    await stderr.write(`No agent is registered as ${terminalLine(JSON.stringify(id))}.\n`);
    return exitCodes.failed;
  }
  const isLast = (await agents.list()).length === 0;
  await stdout.write(`Removed ${terminalLine(id)}.${isLast ? " No agents are registered now: ask_human accepts any id." : ""}\n`);
  return exitCodes.done;
}

function lineOf({ id, name, resume }: RegisteredAgent): string {
  return `${[id, name, resume].flatMap((text) => (text === undefined ? [] : [terminalLine(text)])).join("  ")}\n`;
}
