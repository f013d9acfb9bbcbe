import type { SessionView } from "@askbox/core";
import { statuses } from "@askbox/core/machine";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { type Shown, sessionsOf } from "../sessions-of.ts";
import { paintFor } from "../text/paint.ts";
import { byDeadline, sessionTable } from "../text/session-table.ts";
import { atLeastOne, oneOf } from "../usage.ts";

interface ListFlags {
  status: Shown;
  search?: string;
  project?: string;
  agent?: string;
  client?: string;
  machine?: string;
  limit?: number;
  json?: boolean;
}

export const command: DefineCommand = (run) =>
  commandWith("list", "List questions", [
    ["askbox list", "pending questions, by deadline"],
    ["askbox list --status all", "everything, newest first"],
    ["askbox list --status all --search deploy --limit 20", "the newest 20 about deploying"],
    ["askbox list --status denied", "the actions that were denied"],
    ["askbox list --json | jq '.[].id'", "the ids of pending questions"],
  ])
    .option(
      "--status <status>",
      `${statuses.join(", ")}, denied (answered, too) or all`,
      oneOf<Shown>("--status", [...statuses, "denied", "all"]),
      "pending",
    )
    .option(
      "--search <text>",
      "only those with each of these words in questions, options, answers, project, branch, machine, agent or client",
    )
    .option("--project <folder>", "only those from this project folder")
    .option("--agent <id>", "only those of this agent id")
    .option("--client <name>", "only those from this client")
    .option("--machine <name>", "only those from this machine")
    .option("--limit <n>", "at most this many (default: all)", atLeastOne)
    .option("--json", "print a JSON array")
    .action(run(list));

async function list(context: CommandContext, flags: ListFlags): Promise<ExitCode> {
  const { io } = context;
  const { status, search, project, agent, client, machine, limit, json } = flags;
  const filter = {
    text: search || undefined,
    project: project === undefined ? undefined : await (await import("@askbox/home/environment")).projectFolder(project),
    agentId: agent,
    clientName: client,
    machine,
  };
  // A person reads pending questions by deadline, so all of them are needed to know the first.
  const inOrder = status === "pending" && !json;
  const { sessions: found, areMore } = await sessionsOf(await context.desk(), status, filter, inOrder ? undefined : limit);
  const sorted = inOrder ? found.toSorted(byDeadline) : found;
  const isSnoozed = (session: SessionView) => session.status === "pending" && (session.snoozedUntil ?? 0) > context.now();
  const sessions = [...sorted.filter((session) => !isSnoozed(session)), ...sorted.filter(isSnoozed)].slice(0, limit);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (json) {
    await writeJson(io.stdout, sessions);
  } else if (sessions.length === 0) {
    await io.stdout.write(status === "pending" && !isFiltered ? "No questions are waiting.\n" : "No questions to show.\n");
  } else {
    const layout = {
      columns: io.stdout.tableColumns,
      now: context.now(),
      paint: paintFor(io.stdout),
      allPending: status === "pending",
    };
    await io.stdout.write(sessionTable(sessions, layout));
  }
  if (areMore || found.length > sessions.length)
    await io.stderr.write(`There are more than ${sessions.length}; raise --limit to see them.\n`);
  return exitCodes.done;
}
