import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { hubCommand, ownCommand } from "../hub-command.ts";
import { duration, oneOf, usageError } from "../usage.ts";

/** As in `answerers` of `@askbox/acp`, which is loaded only when it is used. */
const answerFlag = oneOf("--answer", ["both", "inbox", "editor"]);
const afterFlag = duration("--after", { words: "a duration such as 20s or 5m", max: 3_600_000 });

interface AcpOptions {
  answer: "both" | "inbox" | "editor";
  after?: number;
  forms?: boolean;
  addServer?: boolean;
}

export const command: DefineCommand = (run) =>
  commandWith("acp", "Stand between an editor and its agent", [
    ["askbox acp -- claude-agent-acp", "what the editor starts in place of claude-agent-acp"],
    ["askbox acp --after 20s -- gemini --acp", "in the inbox only what the editor hasn't answered in 20 seconds"],
    ["askbox acp --answer inbox --forms -- codex-acp", "in the inbox alone, with the agent's questions"],
  ])
    .argument("<command...>", "the agent's command line, after --")
    .option(
      "--answer <where>",
      "who answers permission requests: both, whoever is first; inbox, unless there is no hub; or editor",
      answerFlag,
      "both",
    )
    .option("--after <time>", "show requests in the editor alone for this long first", afterFlag)
    .option("--forms", "declare forms for an editor that has none, and show them in the inbox")
    .option("--add-server", "give each session askbox's MCP server, so that the agent can ask questions")
    .action(run(acp));

async function acp(
  context: CommandContext,
  command: string[],
  { answer, after = 0, forms = false, addServer = false }: AcpOptions,
): Promise<number> {
  const { io, globals } = context;
  const [{ runAcp }, { openAgentLog }] = await Promise.all([import("@askbox/acp"), import("../client/agent-log.ts")]);
  const logger = openAgentLog(io.env);
  try {
    return await runAcp({
      command,
      env: process.env,
      hub: globals.hub,
      tokenFile: globals.tokenFile,
      hubCommand: hubCommand(),
      answer,
      after,
      forms,
      server: addServer ? serverEntry(context) : undefined,
      log: logger.log,
    });
  } catch (error) {
    throw startError(command, error);
  } finally {
    await logger.flush();
  }
}

/** Our MCP server. Some agents start it without this environment, so all that it needs is in its arguments. */
export function serverEntry({ io: { env }, globals: { hub, tokenFile } }: CommandContext) {
  const [program = "askbox", ...args] = ownCommand();
  const flags = [...(hub === undefined ? [] : ["--hub", hub]), ...(tokenFile === undefined ? [] : ["--token-file", tokenFile])];
  const passed = ["ASKBOX_HOME", "ASKBOX_HUB", "ASKBOX_ATTENTION"].flatMap((name) => (env[name] ? [{ name, value: env[name] }] : []));
  return { name: "askbox", command: program, args: [...args, "mcp", ...flags], env: passed };
}

export function startError([program = ""]: readonly string[], error: unknown): unknown {
  const code = (error as { code?: unknown }).code;
  if (code === "ENOENT" || code === "EACCES")
    return usageError(`The agent ${JSON.stringify(program)} can't be started; install it, or give its path after --.`);
  return error;
}
