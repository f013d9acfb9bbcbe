import type { Scope } from "@askbox/clients";
import { type ClientName, clientNames } from "@askbox/core/clients";
import { terminalLine } from "@askbox/terminal-text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { oneOf, usageError } from "../usage.ts";

export const command: DefineCommand = (run) => {
  const command = commandWith("uninstall", "Remove askbox from a client", [
    ["askbox uninstall codex", "restores its settings"],
    ["askbox uninstall claude-code --scope project --dry-run", "what it would remove"],
    ["askbox uninstall zed --acp claude", "the agent that the editor starts through askbox"],
    ["askbox uninstall claude-code --worktree ../fix", "what was written for an agent there"],
  ])
    .argument("[client]", "the client")
    .option("--scope <user|project>", "for you everywhere (default), or for the project", oneOf("--scope", ["user", "project"]))
    .option("--project <folder>", "the project's folder (default: this one)")
    .option("--worktree <folder>", "the worktree that was prepared")
    .option("--acp <agent>", "no longer have the editor start this agent through askbox")
    .option("--dry-run", "show what would change without changing anything")
    .option("--json", "print JSON");
  command.registeredArguments[0]?.choices([...clientNames, "jetbrains"]);
  return command.action(run(uninstall));
};

interface UninstallFlags {
  scope?: Scope;
  project?: string;
  worktree?: string;
  acp?: string;
  dryRun?: boolean;
  json?: boolean;
}

async function uninstall(context: CommandContext, client: ClientName | "jetbrains" | undefined, flags: UninstallFlags): Promise<ExitCode> {
  if (client === undefined) throw usageError("Specify a client: askbox uninstall CLIENT; `askbox install --list` lists them.");
  if (flags.acp !== undefined) {
    const { uninstallAcp } = await import("../client/install-acp.ts");
    return uninstallAcp(context, client, { ...flags, acp: flags.acp });
  }
  if (client === "jetbrains") throw usageError("For JetBrains, name an agent: askbox uninstall jetbrains --acp claude.");
  const [
    { clientNamed, clientStatuses, openLedger, planUninstall, planWorktree, systemOf, worktreeAgent },
    home,
    { carryOut },
    { resolve },
  ] = await Promise.all([import("@askbox/clients"), import("@askbox/home"), import("../client/report-plan.ts"), import("node:path")]);
  const { io } = context;
  const scope = flags.scope ?? "user";
  const folders = home.homeFolders({ env: io.env });
  const ledger = openLedger(home.homeFiles(folders));
  const system = systemOf({ env: io.env, project: resolve(flags.project ?? ".") });
  const { title } = clientNamed(client);
  const agent = flags.worktree === undefined ? undefined : worktreeAgent(systemOf({ env: io.env, project: resolve(flags.worktree) }));
  if (agent !== undefined && !flags.dryRun) await (await context.agents()).remove(agent);
  const isForUser = scope === "user" && flags.worktree === undefined;
  // Also removes what askbox registered automatically, so that it does not come back.
  const own = isForUser ? planUninstall({ ledger, client, system, scope, by: "hub" }).steps : [];
  const named = own.length === 0 ? [] : home.loadConfig({ folders, env: io.env }).config.autoRegister;
  const isNamed = named.includes(client);
  if (!flags.dryRun) {
    // Done before planning the rest, since both may be in the same file.
    for (const step of own) step.carryOut();
    if (isNamed) {
      await home.changeConfigAlone(folders, () => {
        const others = home.loadConfig({ folders, env: io.env }).config.autoRegister.filter((name) => name !== client);
        home.setConfigValue(folders, "autoRegister", others.length === 0 ? undefined : others.join(","));
      });
    }
  }
  const planned = flags.worktree === undefined ? planUninstall({ ledger, client, system, scope }) : undefined;
  const steps = [
    ...own.map((step) => (flags.dryRun ? step : { ...step, carryOut: () => {} })),
    ...(planned?.steps ?? planWorktree(ledger, resolve(flags.worktree ?? "."), [])),
  ];
  const inProject = clientStatuses(system)
    .find((status) => status.client === client)
    ?.setUp.find(({ scope }) => scope === "project");
  const elsewhere =
    isForUser && inProject !== undefined
      ? `; it is in the project's ${terminalLine(inProject.file)}: add --scope project`
      : "; nothing changed";
  await carryOut(context, {
    client,
    steps,
    notes: [
      ...(agent === undefined ? [] : [`${agent} is no longer registered.`]),
      ...(planned?.notes ?? []),
      ...(isNamed ? ["The setting autoRegister no longer names it."] : []),
    ],
    done: `askbox was removed from ${title}'s settings.`,
    nothing: `askbox is not in ${title}'s settings${elsewhere}.`,
    dryRun: flags.dryRun === true,
    json: flags.json === true,
    more: { scope },
  });
  return exitCodes.done;
}
