import { ChainCheck } from "@askbox/core/audit";
import { terminalLine } from "@askbox/terminal-text";
import * as z from "zod";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { deskHub } from "../hub-command.ts";
import { writeJsonLine } from "../json-output.ts";
import { peopleOnly } from "../people-only.ts";
import { usageError } from "../usage.ts";

const pageSchema = z.object({ items: z.array(z.string()), next: z.number().optional() });

export const command: DefineCommand = (run) =>
  commandWith("audit", "Export and verify the record of approvals", [
    ["askbox audit export > decisions.jsonl", "every decision, as JSON lines"],
    ["askbox audit verify", "whether the hub's record is intact"],
    ["askbox audit verify decisions.jsonl", "whether an exported one is"],
  ])
    .addCommand(
      commandWith("export", "Print the record of approvals as JSON lines", [
        ["askbox audit export > decisions.jsonl", "all of it, oldest first"],
      ]).action(run(exportLines)),
    )
    .addCommand(
      commandWith("verify", "Check that no line of the record was changed or removed", [
        ["askbox audit verify", "the hub's record; prints the hash of its newest entry"],
        ["askbox audit verify decisions.jsonl", "an exported one"],
        ["askbox audit verify --head 9f86d0…", "and that the entry with this hash is still there"],
      ])
        .argument("[file]", "an exported record (default: the hub's)")
        .option("--head <hash>", "the hash of an entry that has to be in it, kept from an earlier check")
        .action(run(verify)),
    );

async function exportLines(context: CommandContext): Promise<ExitCode> {
  for await (const line of linesOfHub(context)) await writeJsonLine(context.io.stdout, line);
  return exitCodes.done;
}

async function verify(context: CommandContext, file: string | undefined, { head }: { head?: string }): Promise<ExitCode> {
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) throw usageError("--head takes the hash of an entry: 64 hexadecimal digits.");
  const { createHash } = await import("node:crypto");
  const { linesOfFile } = await import("../audit/lines-of-file.ts");
  const check = new ChainCheck(async (text) => createHash("sha256").update(text).digest("hex"));
  const { stdout } = context.io;
  let hasHead = false;
  for await (const line of file === undefined ? linesOfHub(context) : linesOfFile(file)) {
    const problem = await check.add(line);
    if (problem !== undefined) {
      await stdout.write(`${terminalLine(problem)}\n`);
      return exitCodes.failed;
    }
    hasHead ||= check.last?.hash === head;
  }
  const { first, last } = check;
  if (head !== undefined && !hasHead) {
    await stdout.write(`No entry has the hash ${head}: it was removed, or the record was rewritten.\n`);
    return exitCodes.failed;
  }
  if (first === undefined || last === undefined) {
    await stdout.write("The record is empty: nothing has been decided yet.\n");
    return exitCodes.done;
  }
  const before = first.number === 1 ? "" : ` Earlier entries have expired or were removed.`;
  await stdout.write(`The record is intact, from entry ${first.number} to entry ${last.number}.${before}\nhead: ${last.hash}\n`);
  return exitCodes.done;
}

/** The hub's log, page by page. An agent must not see what its user has allowed. */
async function* linesOfHub(context: CommandContext): AsyncGenerator<string> {
  await peopleOnly(context, "read the record of decisions about their");
  const [{ requestHub }, found] = await Promise.all([import("@askbox/home"), deskHub(context)]);
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: z.infer<typeof pageSchema> = pageSchema.parse(
      await requestHub(found, { method: "GET", path: `/api/audit?after=${after}` }),
    );
    yield* page.items;
    after = page.next;
  }
}
