import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLogger } from "../src/index.ts";
import { openLogFile } from "../src/log.ts";
import { temporaryFolder } from "./temporary-folder.ts";

function lines() {
  const written: string[] = [];
  return { written, stderr: { write: (text: string) => written.push(text) } };
}

describe("the logger", () => {
  // promise: log-escaped
  it("never prints control or invisible characters, to stderr or the file, and prints each entry on one line", async () => {
    const { written, stderr } = lines();
    const { log } = createLogger({ stderr });
    log("warn", "cannot read \u001B[2J\nfake line", { client: "a\u009B2Jb\u202Ec\u007F", project: "/tmp/\u2028x" });
    const file = join(temporaryFolder(), "askbox.log");
    const toFile = createLogger({ file });
    toFile.log("warn", "cannot read \u001B[2J\nfake line", { client: "a\u009B2Jb\u202Ec\u007F" });
    await toFile.flush();
    const line = readFileSync(file, "utf8");
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(JSON.parse(line)).toMatchObject({ message: "cannot read \u001B[2J\nfake line", client: "a\u009B2Jb\u202Ec\u007F" });
    expect(written).toEqual(['cannot read \\u001b[2J\\u000afake line {"client":"a\\u009b2Jb\\u202ec\\u007f","project":"/tmp/\\u2028x"}\n']);
  });

  it("writes lines for people with a prefix, and JSON lines to the file", async () => {
    const { written, stderr } = lines();
    const file = join(temporaryFolder(), "logs", "askbox.log");
    const { log, flush } = createLogger({ stderr, prefix: "[MCP]", file, part: "mcp", now: () => 0 });
    log("info", "Session completed successfully", { sessionId: "s1", callId: "c1" });
    log("debug", "not at this level");
    log("warn", "Careful");
    await flush();
    expect(written).toEqual(['[MCP] Session completed successfully {"sessionId":"s1","callId":"c1"}\n', "[MCP] Careful\n"]);
    const entries = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries).toEqual([
      {
        sessionId: "s1",
        callId: "c1",
        time: "1970-01-01T00:00:00.000Z",
        level: "info",
        part: "mcp",
        pid: process.pid,
        message: "Session completed successfully",
      },
      { time: "1970-01-01T00:00:00.000Z", level: "warn", part: "mcp", pid: process.pid, message: "Careful" },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  // promise: secrets-constant-time-unlogged
  it("redacts secrets, by value or name, at every depth", () => {
    const { written, stderr } = lines();
    const { log } = createLogger({ stderr });
    const token = `abx_${"a".repeat(43)}`;
    log("info", `sent ${token}`, {
      askerToken: "one",
      nested: [{ deskToken: "two", header: "Authorization: Bearer three" }],
      text: `x ${token} y`,
    });
    expect(written).toEqual([
      'sent [redacted] {"askerToken":"[redacted]","nested":[{"deskToken":"[redacted]","header":"Authorization: Bearer [redacted]"}],"text":"x [redacted] y"}\n',
    ]);
  });

  // promise: secrets-constant-time-unlogged
  it("redacts a whole header that was refused, with all of its lines", () => {
    const { written, stderr } = lines();
    const { log } = createLogger({ stderr });
    const error = (() => {
      try {
        return new Headers({ authorization: `Bearer abx_${"a".repeat(43)}\nsecond "line" of it` });
      } catch (thrown) {
        return thrown;
      }
    })();
    log("error", "A message failed", { error: String(error) });
    expect(written).toEqual([expect.stringContaining("is an invalid header value")]);
    expect(written[0]).not.toMatch(/abx_|second|line/);
  });

  it("ignores a file that cannot be written, a closed stderr, and data that is not JSON", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const stderr = {
      write() {
        throw new Error("EPIPE");
      },
    };
    const { log, flush } = createLogger({ stderr, file: join(file, "askbox.log") });
    const circular: Record<string, unknown> = { big: 1n };
    circular["self"] = circular;
    expect(() => log("error", "x", circular)).not.toThrow();
    expect(() => log("error", "x")).not.toThrow();
    await flush();
    expect(readFileSync(file, "utf8")).toBe("");
  });

  it("limits the file's size, keeping the newest lines in three files", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "askbox.log");
    const file = openLogFile({ path, maxBytes: 100 });
    for (let n = 0; n < 40; n += 1) {
      file.write(`${String(n).padStart(4, "0")} ${"x".repeat(34)}`);
      await file.flush();
    }
    expect(readdirSync(folder).sort()).toEqual(["askbox.log", "askbox.log.1", "askbox.log.2"]);
    const kept = ["askbox.log.2", "askbox.log.1", "askbox.log"].flatMap((name) =>
      readFileSync(join(folder, name), "utf8").trim().split("\n"),
    );
    expect(kept.map((line) => Number(line.slice(0, 4)))).toEqual([34, 35, 36, 37, 38, 39]);
  });

  it("limits a file to 5 MB by default", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "askbox.log");
    const file = openLogFile({ path });
    const rest = 5 * 1_024 * 1_024 - 1;
    file.write("x".repeat(rest - 2));
    await file.flush();
    file.write("y");
    await file.flush();
    expect(readdirSync(folder)).toEqual(["askbox.log"]);
    file.write("z");
    await file.flush();
    expect([readdirSync(folder).sort(), readFileSync(path, "utf8")]).toEqual([["askbox.log", "askbox.log.1"], "z\n"]);
  });

  it("writes again once the folder can be written", async () => {
    const folder = temporaryFolder();
    const blocked = join(folder, "logs");
    writeFileSync(blocked, "");
    const path = join(blocked, "askbox.log");
    const file = openLogFile({ path });
    file.write("lost");
    await file.flush();
    expect(existsSync(path)).toBe(false);
    rmSync(blocked);
    mkdirSync(blocked);
    file.write("kept");
    await file.flush();
    expect(readFileSync(path, "utf8")).toBe("kept\n");
  });
});
