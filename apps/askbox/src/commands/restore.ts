import { terminalLine } from "@askbox/terminal-text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { peopleOnly } from "../people-only.ts";
import { usageError } from "../usage.ts";

export const command: DefineCommand = (run) =>
  commandWith("restore", "Bring the inbox, tokens and settings back from a backup", [
    ["askbox hub stop && askbox restore askbox-backup-20261124T090000Z", "what is there now is moved aside, not deleted"],
  ])
    .argument("<folder>", "a folder that `askbox backup` made")
    .option("--store <store>", "the store, if the hub is started with --store (default: the configured one)")
    .action(run(bringBack));

async function bringBack(context: CommandContext, folder: string, { store }: { store?: string }): Promise<ExitCode> {
  const { io, globals } = context;
  if (globals.hub !== undefined)
    throw usageError("askbox restore changes this machine's home; run it on the hub's machine, without --hub.");
  await peopleOnly(context, "replace the inbox that holds their");
  const { restore } = await import("@askbox/hub-process");
  const { homeFolders } = await import("@askbox/home");
  const {
    files,
    createdAt,
    version,
    store: kind,
    aside,
  } = await restore({ folders: homeFolders({ env: io.env }), env: io.env, store, source: folder });
  const names = files.map(({ name }) => terminalLine(name)).join(", ");
  const lines = [
    `Restored ${names || "nothing"}, from askbox ${terminalLine(version)} at ${new Date(createdAt).toISOString()}.`,
    ...aside.map((place) => `What was there before is in ${terminalLine(place)}.`),
    ...(kind === "redis" ? ["The inbox itself is in Redis, and is restored there."] : []),
  ];
  await io.stdout.write(`${lines.join("\n")}\n`);
  return exitCodes.done;
}
