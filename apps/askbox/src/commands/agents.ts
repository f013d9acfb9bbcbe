import { AskboxError } from "@askbox/core";
import type { Conversation } from "@askbox/core/clients";
import { questionLine } from "@askbox/inbox";
import { ago, shortDuration } from "@askbox/inbox/text";
import { terminalLine, truncateLine } from "@askbox/terminal-text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { peopleOnly } from "../people-only.ts";
import { type Paint, paintFor } from "../text/paint.ts";
import { askerName, projectName, shortId } from "../text/session-names.ts";

export const command: DefineCommand = (run) =>
  commandWith("agents", "See who waits, works or has gone, and write to them", [
    ["askbox agents", "those that wait for you first, with their last question"],
    ["askbox agents message a_5f0c 'Use the new API instead.'", "it gets this at once if it waits, or else with its next call"],
    ["askbox agents --json | jq '.[] | select(.state == \"gone\") | .resume.command'", "how to resume those that have gone"],
  ])
    .option("--json", "print a JSON array")
    .action(run(list))
    .addCommand(
      commandWith("message", "Write to an agent without being asked", [
        ["askbox agents message a_5f0c 'Use the new API instead.'", "by the id in askbox agents"],
        ["askbox agents message k3f9 'Thanks, and update the docs.'", "to the agent that asked these questions"],
      ])
        .argument("<id>", "the id of the agent or of its questions, or a unique prefix of at least 4 characters")
        .argument("<text>", "your message; basic markdown, at most 4,000 characters")
        .action(run(message)),
    );

async function list(context: CommandContext, { json }: { json?: boolean }): Promise<ExitCode> {
  const { stdout } = context.io;
  const conversations = await (await context.desk()).conversations();
  if (json) await writeJson(stdout, conversations);
  else if (conversations.length === 0) await stdout.write("No agent has asked yet.\n");
  else {
    const shown = { now: context.now(), columns: stdout.tableColumns, paint: paintFor(stdout) };
    await stdout.write(conversations.map((each) => linesOf(each, shown)).join(""));
  }
  return exitCodes.done;
}

async function message(context: CommandContext, id: string, text: string): Promise<ExitCode> {
  await peopleOnly(context, "write to agents about their");
  const desk = await context.desk();
  const session = await desk.message(id, text).catch((error: unknown) => {
    if (!(error instanceof AskboxError) || error.code !== "SESSION_NOT_FOUND") throw error;
    throw new AskboxError(error.code, `${error.message} \`askbox agents\` lists them.`, { cause: error });
  });
  const next = session.status === "pending" ? "It gets this now, and its question stays open." : "It gets this with its next call.";
  await context.io.stdout.write(`Wrote to ${askerName(session.asker)}. ${next}\n`);
  return exitCodes.done;
}

/** A line on the agent, and below it its last question or, once it has gone, how to resume it. */
function linesOf(agent: Conversation, { now, columns, paint }: { now: number; columns: number; paint: Paint }): string {
  const { id, asker, name, state, since, sessions, resume, undelivered } = agent;
  const [last] = sessions;
  const time = state === "waiting" ? `for ${shortDuration(now - since)}` : `active ${ago(since, now)}`;
  const who = [name === undefined ? askerName(asker) : terminalLine(name), projectName(asker)].filter((part) => part !== "");
  const mail = undelivered === 0 ? [] : [`${undelivered} ${undelivered === 1 ? "message" : "messages"} not delivered`];
  const below = [
    ...(last === undefined
      ? []
      : [`${shortId(last.id)} ${last.status.replace("_", " ")}: ${terminalLine(last.title ?? questionLine(last))}`]),
    ...(state === "gone" && resume !== undefined ? [`resume: ${terminalLine(resume.command)}`] : []),
  ];
  const head = `${paint(state === "waiting" ? "bold" : "dim", state.padEnd(7))}  ${id}  ${[...who, time, ...mail].join(" · ")}`;
  return `${[head, ...below.map((line) => truncateLine(`         ${line}`, columns))].join("\n")}\n`;
}
