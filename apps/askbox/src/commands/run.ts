import type { RunEvent, RunOutcome } from "@askbox/acp";
import { terminalLine } from "@askbox/terminal-text";
import { acpAgents, agentNames } from "../acp-agents.ts";
import { notStarted, serverEntry } from "../acp-entry.ts";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { hubCommand } from "../hub-command.ts";
import { usageError } from "../usage.ts";
import { version } from "../version.ts";

interface RunOptions {
  agent?: string;
  json?: boolean;
  mode?: string;
  resume?: string;
  server: boolean;
}

export const command: DefineCommand = (run) =>
  commandWith("run", "Run an agent that asks in the inbox", [
    ['askbox run --agent gemini "fix the failing test"', "one of the agents that askbox knows"],
    ['askbox run -- opencode acp "fix the failing test"', "any agent; the prompt is the last word"],
    ['askbox run --agent claude --mode default --json "update the docs"', "in a mode that asks, as one JSON event per line"],
  ])
    .argument("<words...>", "the agent's command line after --, then the prompt; - reads the prompt from standard input")
    .option("--agent <name>", `the agent: ${agentNames}`)
    .option("--mode <name>", "the agent's mode, by its own name")
    .option("--resume <id>", "continue an earlier session")
    .option("--json", "print events as JSON, one per line")
    .option("--no-server", "don't give the agent askbox's MCP server")
    .action(run(start));

const codes: Readonly<Record<RunOutcome, ExitCode>> = {
  done: exitCodes.done,
  cancelled: exitCodes.cancelled,
  timed_out: exitCodes.timed_out,
  no_hub: exitCodes.noHub,
  failed: exitCodes.failed,
};

async function start(context: CommandContext, words: string[], { agent, json = false, mode, resume, server }: RunOptions): Promise<number> {
  const { io, globals } = context;
  const named = agent === undefined ? [] : acpAgents.get(agent)?.command;
  if (named === undefined)
    throw usageError(`There is no agent ${JSON.stringify(agent)}; name one of ${agentNames}, or give its command after --.`);
  const command = [...named, ...words.slice(0, -1)];
  const last = words.at(-1) ?? "";
  if (command.length === 0) throw usageError("Give the agent's command after --, and the prompt after it; or name the agent with --agent.");
  const prompt = last === "-" ? await io.stdin.text() : last;
  if (prompt.trim() === "") throw usageError("The prompt is empty.");
  const [{ runAgent }, { openAgentLog }] = await Promise.all([import("@askbox/acp"), import("../client/agent-log.ts")]);
  const logger = openAgentLog(io.env);
  // Written one after the other, in order.
  let written: Promise<unknown> = Promise.resolve();
  let isMidLine = false;
  const onEvent = (event: RunEvent) => {
    const print = json ? () => io.stdout.write(`${JSON.stringify(event)}\n`) : wordsOf(event);
    written = written.then(print, print).catch(() => {});
  };
  const wordsOf = (event: RunEvent) => async () => {
    if (event.type === "message") {
      isMidLine = !event.text.endsWith("\n");
      return io.stdout.write(event.text);
    }
    if (event.type === "end" && isMidLine) await io.stdout.write("\n");
    const line = noteOf(event);
    if (line !== undefined) await io.stderr.write(`${isMidLine && event.type !== "end" ? "\n" : ""}askbox: ${line}\n`);
  };
  try {
    const outcome = await runAgent({
      command,
      prompt,
      env: process.env,
      hub: globals.hub,
      tokenFile: globals.tokenFile,
      hubCommand: hubCommand(),
      version,
      cwd: process.cwd(),
      resume,
      mode,
      server: server ? serverEntry({ hub: globals.hub, tokenFile: globals.tokenFile }) : undefined,
      log: logger.log,
      onInterrupt: context.onInterrupt,
      onEvent,
    });
    await written;
    return codes[outcome];
  } catch (error) {
    const sentence = notStarted(command, error);
    throw sentence === undefined ? error : usageError(sentence);
  } finally {
    await logger.flush();
  }
}

/** What people read beside the agent's text; undefined for what they need not know. */
function noteOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case "session":
      return `${terminalLine(event.agent)}, session ${terminalLine(event.sessionId)}`;
    case "notice":
      return terminalLine(event.text);
    case "asked":
      return event.kind === "form"
        ? "The agent asks a question; answer it in the inbox."
        : "The agent asks for approval; decide in the inbox.";
    case "decided":
      return `Decided in the inbox: ${event.decision}.`;
    case "prompt":
      return "Your words are the agent's next prompt.";
    case "end":
      return event.error === undefined ? undefined : terminalLine(event.error);
    default:
      return undefined;
  }
}
