import { type ClientName, clientNames } from "@askbox/core/clients";
import { dialectNames } from "@askbox/mcp";
import { agentNames } from "../acp-agents.ts";
import type { InstallFlags } from "../client/prepare-install.ts";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { oneOf, usageError, wholeNumber } from "../usage.ts";

export const command: DefineCommand = (run) => {
  const command = commandWith("install", "Set up a client", [
    ["askbox install --list", "the clients on this machine, and where askbox is set up"],
    ["askbox install claude-code", "for you, in every project"],
    ["askbox install codex --dry-run", "what it would change, as a diff"],
    ["askbox install opencode --scope project --prefer", "in this project, and tell the agent to prefer askbox"],
    ["askbox install claude-code --with-hooks --skill", "also handle its own questions, and teach it when to ask"],
    ["askbox install claude-code --approvals", "answer its permission requests from anywhere"],
    ["askbox install zed --acp claude", "have the editor start Claude, whose requests then come to the inbox"],
    ["askbox install cursor --replace", "instead of the feedback server there, with its tools"],
    ["askbox install claude-code --worktree ../fix --agent fix-1", "prepare for an agent that will start there"],
  ])
    .argument("[client]", "the client")
    .option("--scope <user|project>", "for you everywhere (default), or for the project", oneOf("--scope", ["user", "project"]))
    .option("--project <folder>", "the project's folder (default: this one)")
    .option("--http", "connect to the hub by URL instead of starting a server; the hub must be running")
    .option("--tools <a,b>", `the tools to offer: ${dialectNames.join(", ")}`)
    .option("--agent <ID>", "the agent's id, if one client runs several agents")
    .option("--max-wait <S>", "seconds after which a call gets a ticket", wholeNumber("--max-wait", "of seconds"))
    .option("--prefer", "tell the agent to prefer askbox")
    .option("--exclusive", "also disable the client's own question tool")
    .option("--optional", "let the client start even if askbox's program is missing (codex)")
    .option("--with-hooks", "also bring the client's own questions to the inbox (claude-code)")
    .option(
      "--approvals",
      "also bring its permission requests, and for claude-code its servers' forms, to the inbox (claude-code, codex, opencode, copilot-cli)",
    )
    .option("--ran", "with --approvals, also report every call, for the list of what ran without you (claude-code)")
    .option("--ask-first", "with --approvals, also turn off the client's auto mode, in which it hardly asks (claude-code)")
    .option("--no-ask-first", "leave the client's mode as it is, and don't ask about it")
    .option("--skill", "teach the agent when and how to ask")
    .option("--replace", "take the place of a feedback server in the client's settings, with its tools; uninstall puts it back")
    .option("--worktree <folder>", "prepare a worktree for an agent that will start there (claude-code, with --agent)")
    .option("--acp <agent>", `have an editor (zed, jetbrains, vscode) start an agent through askbox: ${agentNames}, or a command line`)
    .option("--list", "list the clients")
    .option("--dry-run", "show what would change without changing anything")
    .option("--json", "print JSON");
  command.registeredArguments[0]?.choices([...clientNames, "jetbrains"]);
  return command.action(run(install));
};

async function install(
  context: CommandContext,
  client: ClientName | "jetbrains" | undefined,
  flags: InstallFlags & { acp?: string },
): Promise<ExitCode> {
  if (flags.list) {
    const { listClients } = await import("../client/list-clients.ts");
    return listClients(context, flags);
  }
  if (client === undefined) throw usageError("Specify a client: askbox install CLIENT; `askbox install --list` lists them.");
  if (flags.acp !== undefined) {
    const { installAcp } = await import("../client/install-acp.ts");
    return installAcp(context, client, { ...flags, acp: flags.acp });
  }
  if (client === "jetbrains") throw usageError("For JetBrains, name an agent: askbox install jetbrains --acp claude.");
  if (flags.worktree !== undefined) {
    const { prepareWorktree } = await import("../client/prepare-worktree.ts");
    return prepareWorktree(context, client, flags);
  }
  const [{ planInstall, tokenVariable }, { prepareInstall }, { carryOut }, { clientToken, tokenPlace }] = await Promise.all([
    import("@askbox/clients"),
    import("../client/prepare-install.ts"),
    import("../client/report-plan.ts"),
    import("../client/hub-access.ts"),
  ]);
  const { ledger, plan, setup, token, modeNotes, replaced } = await prepareInstall(context, client, flags);
  const { scope, system, tools } = setup;
  const { title } = plan.client;
  let { steps, notes } = plan;
  if (token !== undefined && !flags.dryRun) {
    // Created only now, since a plan that fails must not leave a token behind.
    const own = await clientToken(context, client, token.present);
    setup.reach = await token.reach(own.token);
    ({ steps, notes } = planInstall({ ledger, client, setup }));
    if (own.name !== undefined) notes.push(`Its token is ${own.name}; \`askbox token revoke ${own.name}\` revokes it.`);
  }
  const { reach } = setup;
  const tokenNote =
    token === undefined
      ? `The token is not in the file: set ${tokenVariable} where ${title} is started. It is ${tokenPlace(context.io.env)}.`
      : `${title} can't take a token from the environment, so its file contains one; keep that file private.`;
  const where = scope === "user" ? "for you" : `for ${system.project}`;
  await carryOut(context, {
    client,
    steps,
    notes: [
      ...notes,
      ...modeNotes,
      ...replaced.map((name) => `It takes the place of ${name}; \`askbox uninstall ${client}\` puts that back.`),
      ...(reach.kind === "stdio" ? [] : ["Connecting by URL doesn't start a hub: keep one running with `askbox hub`.", tokenNote]),
      `Restart ${title}, and its agent can ask with ${tools.join(", ")}.`,
    ],
    done: `${title} is set up ${where}.`,
    nothing: `${title} is set up ${where} already; nothing changed.`,
    dryRun: flags.dryRun === true,
    json: flags.json === true,
    secret: reach.kind === "stdio" ? undefined : reach.token,
    more: { scope, ...(flags.replace && { replaced }) },
  });
  return exitCodes.done;
}
