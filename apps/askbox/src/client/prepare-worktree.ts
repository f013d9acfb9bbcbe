import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { clientNamed, clients, httpReach, maxWaitOf, openLedger, planWorktree, promptBlocks, systemOf } from "@askbox/clients";
import type { ClientName } from "@askbox/core/clients";
import { homeFiles, homeFolders, readOnlyGit, readOnlyGitEnv } from "@askbox/home";
import { defaultTool, dialectNames, dialectTraits } from "@askbox/mcp";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { usageError } from "../usage.ts";
import { hubAddress, tokenPlace } from "./hub-access.ts";
import { type InstallFlags, readTools } from "./prepare-install.ts";
import { carryOut } from "./report-plan.ts";

/**
 * Writes the settings of a worktree before its agent starts, keeps them out of git, registers the agent, and prints the text for its
 * system prompt. A URL starts no hub, but a hub keeps running while an agent is registered.
 * None of it contains the token: the process that starts the agent passes it in the environment.
 */
export async function prepareWorktree(context: CommandContext, client: ClientName, flags: InstallFlags): Promise<ExitCode> {
  const { worktree = ".", agent } = flags;
  const prepared = clientNamed(client);
  if (prepared.worktree === undefined) {
    const able = clients.filter((each) => each.worktree !== undefined).map(({ name }) => name);
    throw usageError(`--worktree supports only ${able.join(" or ")}; use --scope project for other clients.`);
  }
  if (agent === undefined) throw usageError("--worktree needs --agent ID, the id that the agent will use.");
  const folder = resolve(worktree);
  if (!existsSync(folder)) throw usageError(`There is no folder ${folder}; create the worktree first.`);
  const { io } = context;
  const tools = readTools(flags.tools) ?? [dialectNames.find((name) => dialectTraits(name).agentId) ?? defaultTool];
  const [tool = defaultTool] = tools;
  if (!flags.dryRun) await register(context, agent);
  const hub = await hubAddress(context, { start: !flags.dryRun });
  const maxWait = flags.maxWait ?? maxWaitOf(prepared);
  // The prompt forbids the client's own tool, since nobody reads the chat.
  const reach = httpReach({ hub, kind: "sse", tools, agent, maxWait, fallback: "none" });
  const system = systemOf({ env: io.env, project: folder });
  const exclude = gitExclude(folder);
  const files = prepared.worktree({ system, reach, tools, exclude });
  const steps = planWorktree(openLedger(homeFiles(homeFolders({ env: io.env }))), folder, files, exclude);
  const blocks = promptBlocks(tool, agent);
  const tracked = trackedIn(folder, [".mcp.json", ".claude/settings.json"]);
  await carryOut(context, {
    client,
    steps,
    notes: [
      ...tracked.map((path) => `${path} is already tracked by git, so git shows the change; don't commit it.`),
      `${agent} is registered, and ask_human accepts only registered ids. The hub keeps running while an agent is registered; after a reboot, start it with \`askbox hub\`.`,
      `Start the agent with ASKBOX_TOKEN in its environment: it is ${tokenPlace(io.env)}.`,
    ],
    done: `${folder} is prepared for ${agent}.`,
    nothing: `${folder} is prepared for ${agent} already; nothing changed.`,
    dryRun: flags.dryRun === true,
    json: flags.json === true,
    more: { worktree: folder, agent, prompt: blocks },
  });
  if (!flags.json) await io.stdout.write(`\nFor its system prompt:\n\n${blocks.join("\n\n")}\n`);
  return exitCodes.done;
}

/** Registers the id; an existing registration is kept. */
async function register(context: CommandContext, id: string): Promise<void> {
  const agents = await context.agents();
  if (!(await agents.list()).some((agent) => agent.id === id)) await agents.add({ id });
}

/** The clone's own list of ignored files, which its worktrees share. */
function gitExclude(folder: string): string | undefined {
  const path = git(folder, ["rev-parse", "--git-path", "info/exclude"]);
  return path === undefined ? undefined : isAbsolute(path) ? path : join(folder, path);
}

function trackedIn(folder: string, paths: readonly string[]): string[] {
  return (git(folder, ["ls-files", "--", ...paths]) ?? "").split("\n").filter((path) => path !== "");
}

function git(folder: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", ["-C", folder, ...readOnlyGit, ...args], {
      encoding: "utf8",
      env: readOnlyGitEnv(),
      timeout: 10_000,
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
