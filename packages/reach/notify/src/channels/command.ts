import type { SessionView } from "@askbox/core";
import { actionLine, denialOf } from "@askbox/core/questions";
import { plainLine, plainText, shorten } from "@askbox/terminal-text";
import { agentName } from "../notice.ts";
import type { Environment } from "../run.ts";
import type { LocalChannel, LocalContext, LocalSender, ProblemsOptions } from "./channel.ts";

/** Milliseconds. */
const timeLimit = 30_000;
const maxTextLength = 1_000;

/**
 * The person's own command, run by the shell. Details of the first session are in its environment (`ASKBOX_SESSION_ID`, `ASKBOX_COUNT`,
 * `ASKBOX_DENIED`, `ASKBOX_AGENT`, `ASKBOX_PROJECT`, `ASKBOX_MACHINE`, and with `showText` `ASKBOX_TITLE` and `ASKBOX_QUESTION`), all sessions as JSON on its stdin. It gets
 * no link, since that would give a login to any service that the command uses; `askbox open --print` creates one.
 */
function open({ run, env, log, warnOnce, settings: { command, showText = true } }: LocalContext): LocalSender {
  return async (sessions, signal) => {
    const [first] = sessions;
    if (first === undefined) return;
    if (command === undefined || command.trim() === "") {
      warnOnce("Attention is set to `command`, but no command is set; `askbox doctor` says how to fix it.");
      return;
    }
    const input = `${JSON.stringify({ count: sessions.length, sessions: sessions.map((session) => factsOf(session, showText)) })}\n`;
    const request = {
      program: command,
      args: [],
      shell: true,
      input,
      timeLimit,
      signal,
      env: { ...env, ...variables(first, sessions.length, showText) },
    };
    const { ending } = await run(request).ended;
    if (ending.kind === "overtime") log("warn", `The attention command did not end within ${timeLimit / 1_000} seconds and was stopped.`);
    if (ending.kind === "killed") log("warn", "The attention command was killed.", { signal: ending.signal });
    if (ending.kind === "exited" && ending.code !== 0) log("warn", "The attention command failed.", { exitCode: ending.code });
    if (ending.kind === "unstartable")
      warnOnce("The attention command cannot be run, since the shell cannot be started.", { reason: ending.reason });
  };
}

/** Every name is set or removed, so that none comes from the hub's own environment. */
function variables(session: SessionView, count: number, showText: boolean): Environment {
  const { agent, project, machine, title, question, denied } = factsOf(session, showText);
  return {
    ASKBOX_SESSION_ID: session.id,
    ASKBOX_COUNT: String(count),
    ASKBOX_DENIED: denied ? "1" : undefined,
    ASKBOX_AGENT: agent,
    ASKBOX_PROJECT: project,
    ASKBOX_MACHINE: machine,
    ASKBOX_TITLE: title,
    ASKBOX_QUESTION: question,
  };
}

/** One session in the command's input. Times are wall time in milliseconds since the epoch. */
function factsOf({ id, title, questions, asker, createdAt, deadlineAt }: SessionView, showText: boolean) {
  const [first] = questions;
  const denied = denialOf({ questions }) && { action: actionLine(questions) ?? "" };
  const asked = denied?.action ?? first?.question;
  return {
    id,
    denied: denied === undefined ? undefined : true,
    agent: agentName({ asker }),
    agentId: asker.agentId === undefined ? undefined : plainLine(asker.agentId),
    project: asker.project === undefined ? undefined : plainText(asker.project),
    machine: asker.machine === undefined ? undefined : plainLine(asker.machine),
    branch: asker.branch === undefined ? undefined : plainLine(asker.branch),
    title: showText && title !== undefined && !denied ? plainLine(title) : undefined,
    question: showText && asked !== undefined ? shorten(plainLine(asked), maxTextLength) : undefined,
    questions: questions.length,
    createdAt,
    deadlineAt,
  };
}

function problems({ settings }: ProblemsOptions): string[] {
  return settings.command?.trim() ? [] : ["Attention is set to `command`, but there is no command: set one in the config."];
}

export const command: LocalChannel = { isMessage: true, open, problems };
