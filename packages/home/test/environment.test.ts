import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hubEnvironment } from "../src/connect/start-hub.ts";
import { gitBranch, knownAgent } from "../src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

describe("the git branch", () => {
  const repository = (head: string) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".git"));
    writeFileSync(join(folder, ".git", "HEAD"), head);
    return folder;
  };

  it("is read from the repository and from folders within it", async () => {
    const folder = repository("ref: refs/heads/feature/one\n");
    mkdirSync(join(folder, "a", "b"), { recursive: true });
    expect(await gitBranch(folder)).toBe("feature/one");
    expect(await gitBranch(join(folder, "a", "b"))).toBe("feature/one");
  });

  it.skipIf(process.platform === "win32")("is not waited for where git's file is a device without an end", async () => {
    const folder = repository("");
    const head = join(folder, ".git", "HEAD");
    rmSync(head);
    symlinkSync("/dev/zero", head);
    expect(await gitBranch(folder)).toBeUndefined();
  });

  it("is read through the file of a worktree, relative or absolute", async () => {
    const folder = repository("ref: refs/heads/main\n");
    const real = join(folder, ".git", "worktrees", "two");
    mkdirSync(real, { recursive: true });
    writeFileSync(join(real, "HEAD"), "ref: refs/heads/two\n");
    for (const target of [real, "../.git/worktrees/two"]) {
      const worktree = join(folder, "two");
      mkdirSync(worktree, { recursive: true });
      writeFileSync(join(worktree, ".git"), `gitdir: ${target}\n`);
      expect(await gitBranch(worktree)).toBe("two");
    }
  });

  it("is undefined with a detached HEAD, without a repository, and if nothing can be read", async () => {
    expect(await gitBranch(repository("d1d6d3ddc5f1d0e56ee2ad0b06ae4e94d96a2d4b\n"))).toBeUndefined();
    expect(await gitBranch(join(temporaryFolder(), "missing"))).toBeUndefined();
    const broken = temporaryFolder();
    mkdirSync(join(broken, ".git"));
    expect(await gitBranch(broken)).toBeUndefined();
  });
});

describe("a known agent", () => {
  // promise: agent-shell-refused
  it.each([
    [{ CLAUDECODE: "1" }, "Claude Code"],
    [{ CODEX_SANDBOX: "seatbelt" }, "Codex"],
    [{ OPENCODE: "1" }, "OpenCode"],
    [{ GEMINI_CLI: "1" }, "Gemini CLI"],
    [{ CURSOR_AGENT: "1" }, "Cursor"],
    [{ PATH: "/bin", CLAUDECODE: "" }, undefined],
    [{ CODEX_HOME: "/home/ada/.codex", CURSOR_TRACE_ID: "x" }, undefined],
  ])("by %j is %s", (env, agent) => {
    expect(knownAgent(env)).toBe(agent);
  });
});

describe("the environment of a background hub", () => {
  it("contains what it needs and nothing else of the agent's", () => {
    const env = {
      HOME: "/home/ada",
      PATH: "/bin",
      Path: "C:\\bin",
      LC_ALL: "C",
      XDG_DATA_HOME: "/data",
      ASKBOX_HOME: "/box",
      DISPLAY: ":0",
      ASKBOX_TOKEN: "secret",
      ASKBOX_HUB: "http://127.0.0.1:1",
      OPENAI_API_KEY: "secret",
      NODE_OPTIONS: "--inspect",
      CLAUDECODE: "1",
    };
    expect(hubEnvironment({ ...env, TZ: undefined })).toEqual({
      HOME: "/home/ada",
      PATH: "/bin",
      Path: "C:\\bin",
      LC_ALL: "C",
      XDG_DATA_HOME: "/data",
      ASKBOX_HOME: "/box",
      DISPLAY: ":0",
    });
  });
});
