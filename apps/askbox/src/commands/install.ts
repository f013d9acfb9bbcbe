import type { Reach } from "@askbox/clients";
import { quote } from "@askbox/core/schemas";
import { type ClientName, clientNames } from "@askbox/home";
import { type DialectName, dialectNames } from "@askbox/mcp";
import { clientToken, tokenInFile } from "../client/client-token.ts";
import { type InstallFlags, readTools } from "../client/install-flags.ts";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { oneOf, usageError, wholeNumber } from "../usage.ts";

export const command: DefineCommand = (run) => {
  const command = commandWith("install", "Set a client up", [
    ["askbox install --list", "the clients of this machine, and where askbox is set up"],
    ["askbox install claude-code", "for you, in every project"],
    ["askbox install codex --dry-run", "what it would change, as a diff"],
    ["askbox install opencode --scope project --prefer", "in this project, and tell the agent to ask through askbox"],
    ["askbox install claude-code --with-hooks --skill", "carry its own questions over too, and teach it to ask"],
    ["askbox install claude-code --approvals", "answer its permission requests from anywhere"],
    ["askbox install claude-code --worktree ../fix --agent fix-1", "an agent that is about to be started there"],
  ])
    .argument("[client]", "the client")
    .option("--scope <user|project>", "for you everywhere (default), or for the project", oneOf("--scope", ["user", "project"]))
    .option("--project <folder>", "the project's folder (default: this one)")
    .option("--http", "reach the hub by URL instead of starting a server; the hub has to run then")
    .option("--tools <a,b>", `the tools to offer: ${dialectNames.join(", ")}`)
    .option("--agent <ID>", "the agent's id, among several of one client")
    .option("--max-wait <S>", "seconds after which a call gets a ticket", wholeNumber("--max-wait", "of seconds"))
    .option("--prefer", "tell the agent to ask through askbox")
    .option("--exclusive", "also take the client's own question tool away")
    .option("--optional", "let the client start without askbox, should its program go (codex)")
    .option("--with-hooks", "carry the client's own questions to the inbox (claude-code)")
    .option("--approvals", "bring its permission requests to the inbox too (claude-code)")
    .option("--skill", "teach the agent when and how to ask")
    .option("--worktree <folder>", "prepare a worktree for an agent that is not started yet (claude-code, with --agent)")
    .option("--list", "list the clients")
    .option("--dry-run", "show what would change, and change nothing")
    .option("--json", "print JSON");
  command.registeredArguments[0]?.choices([...clientNames]);
  return command.action(run(install));
};

async function install(context: CommandContext, client: ClientName | undefined, flags: InstallFlags): Promise<ExitCode> {
  if (flags.list) {
    const { listClients } = await import("../client/list-clients.ts");
    return listClients(context, flags);
  }
  if (client === undefined) throw usageError("Say which client: askbox install CLIENT; `askbox install --list` shows them.");
  if (flags.worktree !== undefined) {
    const { prepareWorktree } = await import("../client/prepare-worktree.ts");
    return prepareWorktree(context, client, flags);
  }
  const [{ clientNamed, openLedger, placeOf, planInstall, skillTexts }, home, { carryOut }] = await Promise.all([
    import("@askbox/clients"),
    import("@askbox/home"),
    import("../client/report-plan.ts"),
  ]);
  const { io } = context;
  const { resolve } = await import("node:path");
  const scope = flags.scope ?? "user";
  const known = clientNamed(client);
  const tools = readTools(flags.tools) ?? known.tools;
  const place = placeOf({ env: io.env, project: resolve(flags.project ?? ".") });
  const token = flags.http && !known.tokenFromEnvironment ? tokenInFile(known, place, scope) : undefined;
  const setup = {
    ...{ scope, place, tools },
    reach: await reachFor(context, client, tools, flags, token),
    prefer: flags.prefer === true || flags.exclusive === true,
    exclusive: flags.exclusive === true,
    optional: flags.optional === true,
    hookCommand: flags.withHooks ? await hookLine(context, "--with-hooks") : undefined,
    approvals: flags.approvals ? await hookLine(context, "--approvals") : undefined,
    skill: flags.skill ? skillTexts(tools) : undefined,
  };
  if (flags.approvals && known.takesApprovals !== true) {
    throw usageError(
      `${known.title} has no sound way to have its permission requests answered from outside; --approvals is for claude-code.`,
    );
  }
  if (setup.optional && known.takesOptional !== true) {
    throw usageError(`${known.title} starts without askbox anyway, should its program go; --optional is for codex. Leave it out.`);
  }
  const ledger = openLedger(home.homeFiles(home.homeFolders({ env: io.env })));
  let { steps, notes } = planInstall({ ledger, client, setup });
  if (token !== undefined && !flags.dryRun) {
    // Only now, since a plan that fails must not leave a token behind.
    const own = await clientToken(context, client, token);
    setup.reach = await reachFor(context, client, tools, flags, own.token);
    ({ steps, notes } = planInstall({ ledger, client, setup }));
    if (own.name !== undefined) notes.push(`Its token is ${own.name}; \`askbox token revoke ${own.name}\` takes it back.`);
  }
  const { reach } = setup;
  const where = scope === "user" ? "for you" : `for ${place.project}`;
  await carryOut(context, {
    client,
    steps,
    notes: [
      ...notes,
      ...(await tokenNote(context, client, reach)),
      `Start ${known.title} again, and its agent can ask with ${tools.join(", ")}.`,
    ],
    done: `${known.title} is set up ${where}.`,
    nothing: `${known.title} is set up ${where} already; nothing to change.`,
    dryRun: flags.dryRun === true,
    json: flags.json === true,
    secret: reach.kind === "stdio" ? undefined : reach.token,
    more: { scope },
  });
  return exitCodes.done;
}

async function reachFor(
  context: CommandContext,
  client: ClientName,
  tools: readonly DialectName[],
  flags: InstallFlags,
  token: string | undefined,
): Promise<Reach> {
  const [{ clientNamed, httpReach, maxWaitOf, stdioReach }, { clientLaunch, launchHost }] = await Promise.all([
    import("@askbox/clients"),
    import("../client/launch.ts"),
  ]);
  const { io, globals } = context;
  const known = clientNamed(client);
  const maxWait = flags.maxWait ?? maxWaitOf(known);
  // Its own tool is denied then.
  const fallback = flags.exclusive ? "chat" : undefined;
  if (!flags.http) {
    const launch = clientLaunch(launchHost(process, io.env));
    const { hub, tokenFile } = globals;
    return stdioReach({ launch, tools, maxWait, fallback, agent: flags.agent, hub, tokenFile, env: io.env, cwd: process.cwd() });
  }
  const { hubAddress } = await import("../client/hub-address.ts");
  const hub = await hubAddress(context, { start: !flags.dryRun });
  return httpReach({ hub, tools, maxWait, fallback, agent: flags.agent, token });
}

async function tokenNote({ io }: CommandContext, client: ClientName, reach: Reach): Promise<string[]> {
  if (reach.kind === "stdio") return [];
  const { clientNamed, tokenVariable } = await import("@askbox/clients");
  const { tokenPlace } = await import("../client/hub-address.ts");
  const { title } = clientNamed(client);
  return [
    "A URL starts nothing: keep a hub running with `askbox hub`.",
    reach.token === undefined
      ? `The token is not in the file: set ${tokenVariable} where ${title} is started. It is ${tokenPlace(io.env)}.`
      : `${title} takes no token from the environment, so that it stands in its file; keep that to yourself.`,
  ];
}

/** The line by which a client's shell runs the hook. Its own shell may have another home. */
async function hookLine({ io }: CommandContext, flag: string): Promise<string> {
  const { clientLaunch, launchHost } = await import("../client/launch.ts");
  const { shellWord } = await import("../text/shell-word.ts");
  const { resolve } = await import("node:path");
  const home = io.env["ASKBOX_HOME"];
  const quoted = (word: string): string => {
    const safe = shellWord(word);
    if (safe === undefined) throw usageError(`The path ${quote(word)} cannot stand in a shell's line; ${flag} needs another.`);
    return safe;
  };
  const line = [...clientLaunch(launchHost(process, io.env)), "hook", "claude-code"].map(quoted).join(" ");
  return home ? `ASKBOX_HOME=${quoted(resolve(home))} ${line}` : line;
}
