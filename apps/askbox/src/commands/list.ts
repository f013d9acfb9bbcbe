import type { Desk, SessionView, Status } from "@askbox/core";
import { statuses } from "@askbox/core/machine";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { paintFor } from "../text/paint.ts";
import { sessionTable } from "../text/session-table.ts";
import { oneOf } from "../usage.ts";

type Shown = Status | "all";

export const command: DefineCommand = (run) =>
  commandWith("list", "List questions", [
    ["askbox list", "pending questions"],
    ["askbox list --status all", "everything, newest first"],
    ["askbox list --json | jq '.[].id'", "the ids of pending questions"],
  ])
    .option("--status <status>", `${statuses.join(", ")} or all`, oneOf<Shown>("--status", [...statuses, "all"]), "pending")
    .option("--json", "print a JSON array")
    .action(run(list));

async function list(context: CommandContext, options: { status: Shown; json?: boolean }): Promise<ExitCode> {
  const { io } = context;
  const sessions = await allSessions(await context.desk(), options.status);
  if (options.json) {
    await writeJson(io.stdout, sessions);
  } else if (sessions.length === 0) {
    await io.stdout.write(options.status === "pending" ? "No questions are waiting.\n" : "No questions to show.\n");
  } else {
    const layout = {
      columns: io.stdout.tableColumns,
      now: context.now(),
      paint: paintFor(io.stdout),
      allPending: options.status === "pending",
    };
    await io.stdout.write(sessionTable(sessions, layout));
  }
  return exitCodes.done;
}

/** All sessions with a status: pending ones oldest first, since they should be answered in that order; others newest first. */
export async function allSessions(desk: Desk, status: Shown): Promise<SessionView[]> {
  const sessions: SessionView[] = [];
  let cursor: string | undefined;
  do {
    const page = await desk.list({
      ...(status === "all" ? {} : { statuses: [status] }),
      order: status === "pending" ? "oldest" : "newest",
      limit: 1_000,
      cursor,
    });
    sessions.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return sessions;
}
