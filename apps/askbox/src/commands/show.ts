import type { RegisteredAgent } from "@askbox/core";
import { isAwaited } from "@askbox/inbox/describe";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { paintFor } from "../text/paint.ts";
import { hasLeft, sessionPage } from "../text/session-page.ts";

export const command: DefineCommand = (run) =>
  commandWith("show", "Show one set of questions, its answers, and how to answer it", [
    ["askbox show k3f9", "by the first 4 or more characters of its id"],
    ["askbox show k3f9 --json", "everything about it, as JSON"],
  ])
    .argument("<id>", "its id, or a unique prefix of at least 4 characters")
    .option("--json", "print a JSON object")
    .action(run(show));

async function show(context: CommandContext, id: string, options: { json?: boolean }): Promise<ExitCode> {
  const { stdout } = context.io;
  const desk = await context.desk();
  const session = await desk.get(id);
  const draft = session.status === "pending" ? await desk.getDraft(session.id) : undefined;
  if (options.json) await writeJson(stdout, draft === undefined ? session : { ...session, draft });
  else {
    const agent = hasLeft(session) ? await registered(context, session.asker.agentId) : undefined;
    // A hub that is too old doesn't say.
    const outlook = isAwaited(session) ? await desk.outlook(session.id).catch(() => undefined) : undefined;
    const page = { columns: stdout.columns, now: context.now(), paint: paintFor(stdout), draft, agent, outlook };
    await stdout.write(sessionPage(session, page));
  }
  return exitCodes.done;
}

/** The agent's registration; undefined also if the hub is too old to have one. */
async function registered(context: CommandContext, agentId: string | undefined): Promise<RegisteredAgent | undefined> {
  if (agentId === undefined) return undefined;
  try {
    return (await (await context.agents()).list()).find(({ id }) => id === agentId);
  } catch {
    return undefined;
  }
}
