import { parseArgs } from "node:util";
import type { CommandContext, GlobalOptions, InboxOptions } from "./context.ts";
import { exitCodeOfError } from "./exit-codes.ts";
import { type Io, processIo } from "./io.ts";

const flags = {
  project: { type: "string" },
  once: { type: "boolean" },
  session: { type: "string" },
  hub: { type: "string" },
  "token-file": { type: "string" },
} as const;

/**
 * Runs the terminal inbox for `askbox` without a subcommand; resolves with the exit code. Undefined if it can't run here: no terminal,
 * a coding agent's shell, or arguments that ask for something else. The caller then takes the slow path, which prints what is wrong.
 */
export async function runInbox(args: readonly string[], host: NodeJS.Process): Promise<number | undefined> {
  const options = parse(args);
  if (options === undefined || host.stdin.isTTY !== true || host.stdout.isTTY !== true) return undefined;
  const { project, once, session, hub, "token-file": tokenFile } = options;
  const { hubContext } = await import("./hub.ts");
  const globals: GlobalOptions = { hub, tokenFile };
  const io = processIo(host);
  const context = hubContext(globals, io, host);
  return opened(context, io, {
    project: project === undefined ? undefined : await (await import("@askbox/home/environment")).projectFolder(project),
    once: once === true,
    session,
  });
}

async function opened(context: CommandContext, io: Io, options: InboxOptions): Promise<number | undefined> {
  const { terminalInbox } = context;
  if (terminalInbox === undefined || (await context.agentToRefuse()) !== undefined) return undefined;
  try {
    return await terminalInbox(options);
  } catch (error) {
    const { reportError } = await import("./report-error.ts");
    return exitCodeOfError(await reportError(io, error, { json: false, now: context.now() }));
  } finally {
    await context.close();
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values;
  } catch {
    return undefined;
  }
}
