import { type ClientName, clientNames } from "@askbox/core/clients";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import type { ExitCode } from "../exit-codes.ts";
import { peopleOnly } from "../people-only.ts";
import type { SetupFlags } from "../setup/candidates.ts";
import { usageError } from "../usage.ts";

export const command: DefineCommand = (run) => {
  const command = commandWith("setup", "Set up this machine's clients, and try one", [
    ["askbox setup", "choose clients, and answer a question"],
    ["askbox setup --approvals", "also their permission requests"],
    ["askbox setup --yes", "all of them; the question is withdrawn"],
    ["askbox setup claude-code codex --yes --json", "these two"],
  ])
    .argument("[client...]", "the clients (default: all on this machine)")
    .option("-y, --yes", "set them all up without asking")
    .option("--approvals", "also bring permission requests to the inbox (claude-code, codex, opencode, copilot-cli)")
    .option("--no-prefer", "don't tell the agents to prefer askbox")
    .option("--json", "with --yes: print JSON");
  command.registeredArguments[0]?.choices([...clientNames]);
  return command.action(run(setup));
};

async function setup(context: CommandContext, names: ClientName[], flags: SetupFlags): Promise<ExitCode> {
  const { env } = context.io;
  if (context.globals.hub !== undefined || env["ASKBOX_HUB"])
    throw usageError("askbox setup starts this machine's own hub; for a hub elsewhere, use askbox install with --hub.");
  if (flags.json && !flags.yes) throw usageError("--json needs --yes, since nobody can choose in JSON.");
  // Somebody answers the first question here.
  if (!flags.yes && context.checklist !== undefined) await peopleOnly(context, "answer");
  const { runSetup } = await import("../setup/run-setup.ts");
  return runSetup(context, names, flags);
}
