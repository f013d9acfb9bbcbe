import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homeFiles, homeFolders } from "@askbox/home";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { openLog } from "../src/environment.ts";

afterEach(() => void vi.restoreAllMocks());

/** What a server with these settings writes to stderr. */
async function written(env: Record<string, string>, config: object = {}): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), "askbox-log-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const all = { ...env, ASKBOX_HOME: home };
  writeFileSync(homeFiles(homeFolders({ env: all })).config, JSON.stringify(config));
  const lines: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  const { log, flush } = openLog(all);
  for (const level of ["debug", "info", "warn"] as const) log(level, `a line of ${level}`);
  await flush();
  // Node may warn about something else in between.
  return lines.filter((line) => line.startsWith("[MCP]")).map((line) => line.trim());
}

const [debug, info, warn] = ["[MCP] a line of debug", "[MCP] a line of info", "[MCP] a line of warn"];

test.each<[Record<string, string>, object, (string | undefined)[]]>([
  [{}, {}, [info, warn]],
  [{ CN_MCP_DEBUG: "1" }, {}, [debug, info, warn]],
  [{ ASKBOX_DEBUG: "true" }, {}, [debug, info, warn]],
  [{ ASKBOX_DEBUG: "false", CN_MCP_DEBUG: "true" }, {}, [info, warn]],
  [{ ASKBOX_LOG_LEVEL: "debug" }, {}, [debug, info, warn]],
  [{}, { logLevel: "debug" }, [debug, info, warn]],
  [{ ASKBOX_LOG_LEVEL: "warn" }, { logLevel: "debug" }, [warn]],
  [{}, { logLevel: "loud" }, [info, warn]],
])("the server's log follows the settings: %j and %j", async (env, config, lines) => {
  expect(await written(env, config)).toEqual(lines);
});

test("a variable that is neither true nor false gets a line, and changes nothing", async () => {
  expect(await written({ CN_MCP_DEBUG: "TRUE" })).toEqual(["[MCP] CN_MCP_DEBUG is not true or false; it is ignored", info, warn]);
});
