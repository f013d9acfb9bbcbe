import { terminalLine } from "@askbox/terminal-text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { peopleOnly } from "../people-only.ts";
import { usageError } from "../usage.ts";
import { version } from "../version.ts";

interface BackupFlags {
  store?: string;
  json?: boolean;
}

export const command: DefineCommand = (run) =>
  commandWith("backup", "Copy the inbox, tokens and settings into a folder", [
    ["askbox backup", "into a new folder here, named by the time; the hub may keep running"],
    ["askbox backup /mnt/backups/askbox-monday", "into this one, which must not exist yet"],
  ])
    .argument("[folder]", "the folder to create (default: askbox-backup-TIME)")
    .option("--store <store>", "the store, if the hub was started with --store (default: the configured one)")
    .option("--json", "print a JSON object: folder and files")
    .action(run(backup));

async function backup(context: CommandContext, folder: string | undefined, { store, json }: BackupFlags): Promise<ExitCode> {
  const { io, globals } = context;
  if (globals.hub !== undefined) throw usageError("askbox backup copies this machine's home; run it on the hub's machine, without --hub.");
  await peopleOnly(context, "copy the tokens that answer their");
  const { backUp } = await import("@askbox/hub-process");
  const { homeFolders } = await import("@askbox/home");
  const stamp = new Date(context.now()).toISOString().replace(/[-:]|\.\d+/g, "");
  const target = folder ?? `askbox-backup-${stamp}`;
  const manifest = await backUp({ folders: homeFolders({ env: io.env }), env: io.env, store, target, version });
  const names = manifest.files.map(({ name }) => name);
  if (json) await writeJson(io.stdout, { folder: target, store: manifest.store, files: manifest.files });
  else {
    const what = names.length === 0 ? "There was nothing to copy yet" : `Copied ${names.map(terminalLine).join(", ")}`;
    await io.stdout.write(`${what} to ${terminalLine(target)}.\n${elsewhere[manifest.store]}`);
  }
  return exitCodes.done;
}

/** What is not in the folder. */
const elsewhere = {
  sqlite: "",
  memory: "The inbox itself is only in the hub's memory, and ends with it.\n",
  redis:
    "The inbox itself is in Redis: copy Redis' append-only files or a snapshot too (redis-cli --rdb FILE), from a replica if there is one.\n",
};
