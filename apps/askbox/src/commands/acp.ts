import { type AcpFlags, longestAfter, serveAcp } from "../acp-entry.ts";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { duration, oneOf } from "../usage.ts";

const answerFlag = oneOf("--answer", ["both", "inbox", "editor"]);
const afterFlag = duration("--after", { words: "a duration of up to 1h, such as 20s or 5m", max: longestAfter });

/** Used for help and errors only; a valid command line takes the fast path in `acp-entry.ts`. */
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
    .action(
      run(({ globals: { hub, tokenFile } }: CommandContext, command: string[], options: Partial<AcpFlags>) =>
        serveAcp(command, { answer: "both", after: 0, forms: false, addServer: false, ...options, hub, tokenFile }),
      ),
    );
