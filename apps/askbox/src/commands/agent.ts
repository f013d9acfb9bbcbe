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
  commandWith("agent", "Register the agents that may ask under an id", [
    ["askbox agent add builder", "from now on ask_human takes registered ids alone"],
    ["askbox agent list", "who is registered"],
    ["askbox agent remove builder", "once the last is removed, any id is taken again"],
  ])
    .addCommand(addCommand(run))
    .addCommand(listCommand(run))
    .addCommand(removeCommand(run));

const addCommand: DefineCommand = (run) =>
  commandWith("add", "Register an agent, or replace what is known of it", [
    ["askbox agent add builder --name 'Builder of the engine'", "with a name for people"],
    ["askbox agent add builder --resume 'claude --resume 5f0c…'", "askbox show tells it when the agent has left"],
  ])
    .argument("<agent>", "the id that the agent is given and asks under")
    .option("--name <text>", "what people call it")
    .option("--resume <command>", "a command line that takes its conversation up again; shown, never run")
    .option("--json", "print a JSON object")
    .action(run(add));

const listCommand: DefineCommand = (run) =>
  commandWith("list", "List the registered agents", [["askbox agent list --json", "as a JSON array"]])
    .option("--json", "print a JSON array")
    .action(run(list));

const removeCommand: DefineCommand = (run) =>
  commandWith("remove", "Forget an agent", [["askbox agent remove builder", "its questions stay"]])
    .argument("<agent>", "its id")
    .action(run(remove));

async function add(context: CommandContext, id: string, { name, resume, json }: AddOptions): Promise<ExitCode> {
  const agents = await context.agents();
  const agent = await agents.add({ id, name, resume });
  if (json) await writeJson(context.io.stdout, agent);
  else await context.io.stdout.write(`Registered ${terminalLine(agent.id)}. ask_human takes the ids of registered agents alone.\n`);
  return exitCodes.done;
}

async function list(context: CommandContext, { json }: { json?: boolean }): Promise<ExitCode> {
  const { stdout } = context.io;
  const agents = await (await context.agents()).list();
  if (json) await writeJson(stdout, agents);
  else if (agents.length === 0) await stdout.write("No agent is registered; ask_human takes any id.\n");
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
  await stdout.write(`Forgot ${terminalLine(id)}.${isLast ? " Nobody is registered any more: ask_human takes any id." : ""}\n`);
  return exitCodes.done;
}

function lineOf({ id, name, resume }: RegisteredAgent): string {
  return `${[id, name, resume].flatMap((text) => (text === undefined ? [] : [terminalLine(text)])).join("  ")}\n`;
}
