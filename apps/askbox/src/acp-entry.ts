import { parseArgs } from "node:util";
import type { Answerers, ServerEntry } from "@askbox/acp";
import { parseDuration } from "@askbox/home/duration";
import { openAgentLog } from "./client/agent-log.ts";
import { hubCommand, ownCommand } from "./hub-command.ts";

/** How `askbox acp` runs. */
export interface AcpFlags {
  answer: Answerers;
  /** Milliseconds. */
  after: number;
  forms: boolean;
  addServer: boolean;
  hub: string | undefined;
  tokenFile: string | undefined;
}

/** The longest `--after`, in ms. */
export const longestAfter = 3_600_000;

/**
 * Runs an agent behind an editor, which starts this often and keeps it as long as it is open. Undefined if the arguments ask for help or are
 * invalid: the caller then takes the slow path, which prints what is wrong.
 */
export async function runAcp(args: readonly string[]): Promise<number | undefined> {
  const end = args.indexOf("--");
  const command = args.slice(end + 1);
  const flags = end === -1 || command.length === 0 ? undefined : parse(args.slice(0, end));
  return flags && serveAcp(command, flags);
}

function parse(args: readonly string[]): AcpFlags | undefined {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const options = { answer: text, after: text, forms: flag, "add-server": flag, hub: text, "token-file": text };
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    const { answer = "both", forms = false, hub } = values;
    const after = values.after === undefined ? 0 : parseDuration(values.after);
    if (after === undefined || after > longestAfter || (answer !== "both" && answer !== "inbox" && answer !== "editor")) return undefined;
    return { answer, after, forms, addServer: values["add-server"] ?? false, hub, tokenFile: values["token-file"] };
  } catch {
    return undefined;
  }
}

export async function serveAcp(command: readonly string[], { addServer, ...flags }: AcpFlags): Promise<number> {
  const { env } = process;
  const { runAcp } = await import("@askbox/acp");
  const { log, flush } = openAgentLog(env);
  const server = addServer ? serverEntry(flags) : undefined;
  try {
    return await runAcp({ ...flags, command, env, hubCommand: hubCommand(), server, log });
  } catch (error) {
    const sentence = notStarted(command, error);
    if (sentence === undefined) throw error;
    const { cleaned, processIo } = await import("./io.ts");
    await cleaned(processIo(process)).stderr.write(`${sentence}\n`);
    return 2;
  } finally {
    await flush();
  }
}

/**
 * Our MCP server. Some agents start it without their environment, so its entry contains all that it needs. That includes a token, which the
 * agent can read there; a token that may only ask can decide nothing.
 */
export function serverEntry({ hub, tokenFile }: Pick<AcpFlags, "hub" | "tokenFile">): ServerEntry {
  const [program = "askbox", ...args] = ownCommand();
  const flags = [...(hub === undefined ? [] : ["--hub", hub]), ...(tokenFile === undefined ? [] : ["--token-file", tokenFile])];
  const passed = ["ASKBOX_HOME", "ASKBOX_HUB", "ASKBOX_TOKEN", "ASKBOX_ATTENTION"].flatMap((name) => {
    const value = process.env[name];
    return value ? [{ name, value }] : [];
  });
  return { name: "askbox", command: program, args: [...args, "mcp", ...flags], env: passed };
}

/** What to say about an agent that can't be started; undefined for any other error. */
export function notStarted([program = ""]: readonly string[], error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  if (code !== "ENOENT" && code !== "EACCES") return undefined;
  return `The agent ${JSON.stringify(program)} can't be started; install it, or give its path after --.`;
}
