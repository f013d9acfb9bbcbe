import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hubEnvironment } from "../src/connect/start-hub.ts";
import { gitBranch, gitRepository, knownAgent } from "../src/index.ts";
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

describe("the git repository", () => {
  const repository = (config: string) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".git"));
    writeFileSync(join(folder, ".git", "config"), config);
    return folder;
  };
  const origin = (url: string) =>
    `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;

  it.each([
    ["https://github.com/acme/engine.git", "github.com/acme/engine"],
    ["https://GitHub.com/acme/engine/", "github.com/acme/engine"],
    ["git@github.com:acme/engine.git", "github.com/acme/engine"],
    ["github.com:acme/engine", "github.com/acme/engine"],
    ["ssh://git@github.com:22/acme/engine.git", "github.com/acme/engine"],
    ["https://ada:ghp_secret@github.com/acme/engine.git?token=secret", "github.com/acme/engine"],
    ["ada:secret@git.example.com:acme/engine.git", undefined],
    ["/srv/git/engine.git", undefined],
    ["../engine", undefined],
    ["C:\\git\\engine", undefined],
    ["C:/git/engine", undefined],
    ["file:///srv/git/engine.git", undefined],
    [`https://github.com/${"x".repeat(500)}`, undefined],
    ["", undefined],
  ])("of %s is %s", async (url, name) => {
    expect(await gitRepository(repository(origin(url)))).toBe(name);
  });

  it("is that of origin, or else of the first remote", async () => {
    const upstream = '[remote "upstream"]\n\turl = https://a.example/up\n[branch "main"]\n\turl = https://a.example/none\n';
    expect(await gitRepository(repository(`${upstream}${origin("https://a.example/mine")}`))).toBe("a.example/mine");
    expect(await gitRepository(repository(upstream))).toBe("a.example/up");
  });

  it("of a worktree is that of its repository, and there is none without a repository or a remote", async () => {
    const folder = repository(origin("git@a.example:acme/engine.git"));
    const real = join(folder, ".git", "worktrees", "two");
    mkdirSync(real, { recursive: true });
    writeFileSync(join(real, "commondir"), "../..\n");
    const worktree = join(folder, "two");
    mkdirSync(worktree);
    writeFileSync(join(worktree, ".git"), `gitdir: ${real}\n`);
    expect(await gitRepository(worktree)).toBe("a.example/acme/engine");
    expect(await gitRepository(repository("[core]\n"))).toBeUndefined();
    expect(await gitRepository(temporaryFolder())).toBeUndefined();
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
