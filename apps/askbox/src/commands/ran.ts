import type { RanQuery } from "@askbox/core/grants";
import { letByKinds, reaches } from "@askbox/core/questions";
import { folderName } from "@askbox/inbox";
import { listRan, type RanItem } from "@askbox/inbox/list";
import { ago, letByText, projectText } from "@askbox/inbox/text";
import { exactText, terminalLine, truncateLine } from "@askbox/terminal-text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { peopleOnly } from "../people-only.ts";
import { type Paint, paintFor } from "../text/paint.ts";
import { atLeastOne, oneOf } from "../usage.ts";

interface RanFlags extends Pick<RanQuery, "reach" | "by"> {
  search?: string;
  limit: number;
  json?: boolean;
}

export const command: DefineCommand = (run) =>
  commandWith("ran", "List what ran without you, and who let it", [
    ["askbox config set ran 7d", "turns it on at the next hub, for 7 days"],
    ["askbox install claude-code --approvals --ran", "makes Claude Code report every call"],
    ["askbox ran", "the newest 50"],
    ["askbox ran --reach network --by model", "what a model let reach the network"],
    ["askbox ran --search 'npm publish' --json", "those with these words, as a JSON array"],
  ])
    .option("--reach <reach>", `only actions of this reach: ${reaches.join(", ")}`, oneOf("--reach", [...reaches]))
    .option("--by <who>", `only actions that this let run: ${letByKinds.join(", ")}`, oneOf("--by", [...letByKinds]))
    .option("--search <text>", "only those with each of these words in the action, project, machine, client or who let it")
    .option("--limit <n>", "at most this many", atLeastOne, 50)
    .option("--json", "print a JSON array")
    .action(run(ran));

async function ran(context: CommandContext, { reach, by, search, limit, json }: RanFlags): Promise<ExitCode> {
  const { stdout, stderr } = context.io;
  // As with grants: an agent must not find out what runs without being asked about.
  await peopleOnly(context, "list what ran without their");
  const { isOn, items, areMore } = await listRan(await context.ran(), { reach, by, text: search }, limit);
  if (json) await writeJson(stdout, items);
  else if (items.length > 0) {
    const how = { now: context.now(), columns: stdout.tableColumns, paint: paintFor(stdout) };
    await stdout.write(items.map((item) => linesOf(item, how)).join(""));
  } else if (isOn) await stdout.write("Nothing to show.\n");
  if (!isOn) {
    await stderr.write(
      "The hub doesn't keep what ran without you. `askbox config set ran 7d` turns that on, and `askbox install claude-code --approvals --ran` makes Claude Code report every call.\n",
    );
  }
  if (areMore) await stderr.write(`There are more than ${limit}; raise --limit to see them.\n`);
  return exitCodes.done;
}

/** What ran, and below it what it reaches, where, and who let it. */
function linesOf(item: RanItem, { now, columns, paint }: { now: number; columns: number; paint: Paint }): string {
  const { at, tool, what, reach, project, machine, failed } = item;
  const time = ago(at, now).padEnd(11);
  const named = tool === undefined ? exactText(what) : `${exactText(tool)}: ${exactText(what)}`;
  const about = [
    ...reach,
    ...(failed ? ["failed"] : []),
    ...(project === undefined ? [] : [projectText({ folder: folderName(project), machine }, terminalLine)]),
    `let by ${letByText(item, terminalLine)}`,
  ];
  const first = truncateLine(`${time} ${named.replace(/\s+/g, " ")}`, columns);
  return `${first}\n${paint("dim", truncateLine(`${" ".repeat(12)}${about.join(" · ")}`, columns))}\n`;
}
