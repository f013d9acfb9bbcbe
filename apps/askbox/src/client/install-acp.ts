import { basename } from "node:path";
import { type EditorAgent, editorNames, editors, openLedger, planEditor, planEditorRemoval, stdioReach, systemOf } from "@askbox/clients";
import { homeFiles, homeFolders } from "@askbox/home";
import { acpAgents, agentNames } from "../acp-agents.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { usageError } from "../usage.ts";
import { clientLaunch, launchHost } from "./launch.ts";
import { carryOut } from "./report-plan.ts";

export interface AcpFlags {
  acp: string;
  dryRun?: boolean;
  json?: boolean;
}

/** `askbox install EDITOR --acp AGENT`: has the editor start the agent through `askbox acp`. */
export async function installAcp(context: CommandContext, editor: string, flags: AcpFlags): Promise<ExitCode> {
  const agent = agentIn(editor, flags.acp);
  const { env } = context.io;
  const { hub, tokenFile } = context.globals;
  const launch = clientLaunch(launchHost(process, env));
  const { command, args, env: handed } = stdioReach({ launch, tools: ["ask_user"], hub, tokenFile, env, cwd: process.cwd() });
  // As `askbox mcp` with its usual tools, but for the command's name.
  const reach = { kind: "stdio", command, args: args.with(launch.length - 1, "acp"), env: handed } as const;
  const { title } = editors[agent.editor];
  const system = systemOf({ env, project: process.cwd() });
  await carryOut(context, {
    ...reportOf(editor, flags),
    steps: planEditor({ ledger: openLedger(homeFiles(homeFolders({ env }))), system, reach }, agent),
    notes: [`In ${title}, choose the agent "${agent.title} via askbox". \`askbox doctor\` says if its settings have it ask nothing.`],
    done: `${title} starts ${agent.title} through askbox.`,
    nothing: `${title} starts ${agent.title} through askbox already; nothing changed.`,
  });
  return exitCodes.done;
}

export async function uninstallAcp(context: CommandContext, editor: string, flags: AcpFlags): Promise<ExitCode> {
  const agent = agentIn(editor, flags.acp);
  const { title } = editors[agent.editor];
  await carryOut(context, {
    ...reportOf(editor, flags),
    steps: planEditorRemoval(openLedger(homeFiles(homeFolders({ env: context.io.env }))), agent),
    notes: [],
    done: `${title} no longer starts ${agent.title} through askbox.`,
    nothing: `askbox has added no ${agent.title} to ${title}'s settings; nothing changed.`,
  });
  return exitCodes.done;
}

const reportOf = (client: string, { dryRun = false, json = false }: AcpFlags) => ({ client, dryRun, json });

function agentIn(client: string, word: string): EditorAgent {
  const editor = editorNames.find((name) => name === client);
  if (editor === undefined) throw usageError(`--acp is for editors: ${editorNames.join(", ")}.`);
  const command = word.split(/\s+/).filter((part) => part !== "");
  const [program] = command;
  if (program === undefined) throw usageError(`--acp takes an agent, ${agentNames}, or its command line.`);
  return { editor, ...(acpAgents.get(word) ?? { title: basename(program), command }) };
}
