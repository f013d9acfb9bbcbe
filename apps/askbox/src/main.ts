import process from "node:process";
import { startSafely } from "./start-safely.ts";

/**
 * The command's entry point. Agents start `askbox mcp` often, editors `askbox acp`, and people `askbox` to see a question, so these have a fast
 * path that loads neither the other commands nor the library that parses their flags.
 */
async function main(args: readonly string[]): Promise<number> {
  if (args[0] === "mcp" || args[0] === "server") {
    const { runMcp } = await import("./mcp-entry.ts");
    const exitCode = await runMcp(args.slice(1), args[0]);
    if (exitCode !== undefined) return exitCode;
  }
  if (args[0] === "acp") {
    const { runAcp } = await import("./acp-entry.ts");
    const exitCode = await runAcp(args.slice(1));
    if (exitCode !== undefined) return exitCode;
  }
  if (args[0] === undefined || args[0].startsWith("--")) {
    const { runInbox } = await import("./inbox-entry.ts");
    const exitCode = await runInbox(args, process);
    if (exitCode !== undefined) return exitCode;
  }
  const [{ runProgram }, { processIo }, { hubContext }] = await Promise.all([
    import("./program.ts"),
    import("./io.ts"),
    import("./hub.ts"),
  ]);
  const io = processIo(process);
  return runProgram(args, io, (options) => hubContext(options, io, process));
}

startSafely(process);
process.exitCode = await main(process.argv.slice(2));
