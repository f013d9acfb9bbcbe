import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, SSEClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, openHome } from "../command/support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

/** What Codex' `hooks/list` says of the hook in its home; the hash is the length of the hook's command. */
const appServer = `#!/usr/bin/env node
const file = process.env.CODEX_HOME + "/hooks.json";
const { command } = JSON.parse(require("node:fs").readFileSync(file, "utf8")).hooks.PermissionRequest[0].hooks[0];
const hook = { key: file + ":permission_request:0:0", command, sourcePath: file, currentHash: "sha256:" + command.length, trustStatus: "untrusted" };
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return console.log(JSON.stringify({ method: "configWarning", params: {} }));
  console.log(JSON.stringify({ id, result: method === "hooks/list" ? { data: [{ hooks: [hook] }] } : {} }));
});
`;

const inHome = (...parts: string[]) => join(home.path, ...parts);
const read = (...parts: string[]) => readFileSync(inHome(...parts), "utf8");

describe("askbox install", () => {
  test("writes an entry that a real client can start, from any folder and with its own environment", async () => {
    expect((await home.run(["install", "cursor"])).code).toBe(0);
    const { command, args, env } = JSON.parse(read(".cursor", "mcp.json")).mcpServers.askbox;
    // Of the installing shell's environment, the client only passes on what the entry contains.
    const transport = new StdioClientTransport({ command, args, cwd: "/", env: { ...env, PATH: "/nowhere", HOME: home.path } });
    const client = new Client({ name: "cursor-vscode", version: "1" });
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["ask_user", "get_answer", "get_files"]);
      expect(env).toEqual({ ASKBOX_HOME: home.path });
    } finally {
      await client.close();
    }
  });

  test("with --dry-run shows a diff and writes nothing, not even its own records", async () => {
    writeFileSync(inHome("config.toml"), "x");
    mkdirSync(inHome(".codex"));
    writeFileSync(inHome(".codex", "config.toml"), '# mine\nmodel = "x"\n');
    const ran = await home.run(["install", "codex", "--dry-run"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("+[mcp_servers.askbox]");
    expect(ran.stdout).toContain("Nothing was written.");
    expect(read(".codex", "config.toml")).toBe('# mine\nmodel = "x"\n');
    expect(existsSync(inHome("clients.json"))).toBe(false);
    const json = JSON.parse((await home.run(["install", "codex", "--dry-run", "--json"])).stdout);
    expect(json).toMatchObject({
      client: "codex",
      dryRun: true,
      changed: true,
      files: [{ action: "change", diff: expect.stringContaining("+args = ") }],
    });
  });

  test("says that Claude Code's auto mode asks for nothing, and turns it off and on again", async () => {
    mkdirSync(inHome(".claude"));
    const own = '{\n\t"permissions": { "allow": ["Read"] } // mine\n}';
    writeFileSync(inHome(".claude", "settings.json"), own);
    const mode = () => JSON.parse(read(".claude", "settings.json").replace("// mine", "")).permissions.defaultMode;
    const install = (...flags: string[]) => home.run(["install", "claude-code", "--approvals", ...flags]);
    expect((await install()).stdout).toContain("starts in its auto mode");
    expect(mode()).toBeUndefined();
    expect((await home.run(["doctor"])).stdout).toMatch(/warn +approvals +Claude Code: permissions.defaultMode is not set/);
    expect((await install("--ask-first")).stdout).not.toContain("auto mode");
    expect(mode()).toBe("default");
    const { stdout: found } = await home.run(["doctor"]);
    expect(found).toMatch(/ok +approvals +Claude Code: permissions.defaultMode is "default"/);
    expect(found).toMatch(/ok +approvals +Claude Code's permission requests and the forms of its MCP servers come/);
    await install();
    expect(mode()).toBe("default");
    await install("--no-ask-first");
    expect(mode()).toBeUndefined();
    await install("--ask-first");
    await home.run(["uninstall", "claude-code"]);
    expect(read(".claude", "settings.json")).toBe(own);
    writeFileSync(inHome(".claude", "settings.json"), '{"permissions":{"defaultMode":"acceptEdits"}}');
    expect((await install()).stdout).toContain('permissions.defaultMode is "acceptEdits"');
    // As an earlier version has written it.
    writeFileSync(inHome(".claude", "settings.json"), read(".claude", "settings.json").replace('"Elicitation"', '"Other"'));
    expect((await home.run(["doctor"])).stdout).toMatch(/warn +approvals +Claude Code's permission requests come to the inbox, but not/);
    expect((await home.run(["install", "cursor", "--ask-first"])).code).toBe(2);
  });

  test("keeps every settings folder of a client", async () => {
    const work = { env: { CLAUDE_CONFIG_DIR: inHome("work") } };
    await home.run(["install", "claude-code", "--approvals"]);
    const [mine, mineSettings] = [read(".claude.json"), read(".claude", "settings.json")];
    await home.run(["install", "claude-code"], work);
    expect([read(".claude.json"), read(".claude", "settings.json")]).toEqual([mine, mineSettings]);
    expect(existsSync(inHome("work", ".claude.json"))).toBe(true);
    await home.run(["uninstall", "claude-code"]);
    expect([existsSync(inHome(".claude.json")), existsSync(inHome("work", "settings.json"))]).toEqual([false, true]);
    await home.run(["uninstall", "claude-code"], work);
    expect(existsSync(inHome("work"))).toBe(false);
  });

  // promise: uninstall-to-the-byte
  test("and uninstall restore everything, and say what they did", async () => {
    mkdirSync(inHome(".claude"));
    writeFileSync(inHome(".claude.json"), '{"numStartups": 3}');
    const installed = await home.run(["install", "claude-code", "--with-hooks", "--prefer", "--skill"]);
    expect(installed.stdout).toMatch(/^Claude Code is set up for you\.\n {2}changed .*\.claude\.json\n/);
    const settings = JSON.parse(read(".claude", "settings.json"));
    expect(settings.hooks.PreToolUse[0].hooks[0].command).toMatch(/^ASKBOX_HOME=\S+ .* hook claude-code$/);
    expect((await home.run(["install", "--list"])).stdout).toMatch(/claude-code {2}set up \(user: .*\.claude\.json\)\n/);
    expect((await home.run(["install", "claude-code", "--with-hooks", "--prefer", "--skill"])).stdout).toContain("nothing changed");
    const gone = await home.run(["uninstall", "claude-code"]);
    expect(gone.stdout).toContain("askbox was removed from Claude Code's settings.");
    expect(read(".claude.json")).toBe('{"numStartups": 3}');
    expect(existsSync(inHome(".claude", "settings.json"))).toBe(false);
    expect(existsSync(inHome(".claude", "skills"))).toBe(false);
    expect((await home.run(["uninstall", "claude-code"])).stdout).toContain("nothing changed");
  });

  test("--approvals makes Codex trust its hook if Codex can be asked, and otherwise says that it will ask for a review", async () => {
    const bin = inHome("bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "codex"), appServer, { mode: 0o755 });
    const PATH = `${bin}:${process.env["PATH"]}`;
    const approvals = ["install", "codex", "--approvals"];
    const installed = await home.run(approvals, { env: { PATH } });
    expect(installed).toMatchObject({ code: 0, stderr: "" });
    expect(installed.stdout).not.toContain("review");
    const [{ hooks }] = JSON.parse(read(".codex", "hooks.json")).hooks.PermissionRequest;
    expect(hooks).toEqual([{ type: "command", command: expect.stringMatching(/ hook codex$/), timeout: 86_400 }]);
    const key = `${inHome(".codex", "hooks.json")}:permission_request:0:0`;
    expect(read(".codex", "config.toml")).toContain(`[hooks.state."${key}"]\ntrusted_hash = "sha256:${hooks[0].command.length}"\n`);
    expect((await home.run(approvals, { env: { PATH } })).stdout).toContain("nothing changed");
    writeFileSync(join(bin, "codex"), "#!/bin/sh\nexit 1\n");
    expect((await home.run(approvals, { env: { PATH } })).stdout).toContain("Codex will ask you at its next start to review");
    expect(read(".codex", "config.toml")).not.toContain("trusted_hash");
    expect((await home.run(["uninstall", "codex"])).code).toBe(0);
    expect(existsSync(inHome(".codex"))).toBe(false);
  });

  test("--project selects another folder, for install and uninstall", async () => {
    mkdirSync(inHome("engine"));
    const place = ["--scope", "project", "--project", inHome("engine")];
    expect((await home.run(["install", "cursor", ...place])).code).toBe(0);
    expect(JSON.parse(read("engine", ".cursor", "mcp.json")).mcpServers).toHaveProperty("askbox");
    expect(existsSync(inHome(".cursor"))).toBe(false);
    const here = await home.run(["uninstall", "cursor", "--project", inHome("engine")]);
    expect(here.stdout).toContain("cursor/mcp.json: add --scope project");
    expect((await home.run(["uninstall", "cursor", ...place])).code).toBe(0);
    expect(existsSync(inHome("engine", ".cursor"))).toBe(false);
  });

  test("uninstall shows what it would do, and prints what it did as JSON", async () => {
    await home.run(["install", "cursor"]);
    const written = read(".cursor", "mcp.json");
    const shown = await home.run(["uninstall", "cursor", "--dry-run"]);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing was written.") });
    expect(read(".cursor", "mcp.json")).toBe(written);
    const json = JSON.parse((await home.run(["uninstall", "cursor", "--json"])).stdout);
    expect(json).toMatchObject({ client: "cursor", dryRun: false, changed: true, files: [{ action: "remove" }] });
    expect(existsSync(inHome(".cursor", "mcp.json"))).toBe(false);
  });

  test.each([
    [["install"], "Specify a client"],
    [["install", "emacs"], 'There is no client "emacs"; there are claude-code'],
    [["install", "codex", "--tools", "nope"], 'there is no tool "nope"'],
    [["install", "windsurf", "--scope", "project"], "Windsurf has no project settings"],
    [["install", "cursor", "--with-hooks"], "--with-hooks is for claude-code"],
    [["install", "codex", "--exclusive"], "use --prefer"],
    [["install", "codex", "--worktree", "."], "supports only claude-code"],
    [["install", "claude-code", "--worktree", "."], "--worktree needs --agent ID"],
  ])("rejects %j with exit code 2 and one sentence", async (args, sentence) => {
    const ran = await home.run(args);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(sentence);
    expect(ran.stderr.trim().split("\n")).toHaveLength(1);
  });

  test("--exclusive tells the server that the agent only has the chat as a fallback", async () => {
    const { stdout } = await home.run(["install", "opencode", "--exclusive", "--dry-run"]);
    expect(stdout).toMatch(/"--fallback",\s+\+?\s*"chat"/);
  });

  test("--http writes the hub's address and says where the token is, without writing it", async () => {
    await home.serve();
    const ran = await home.run(["install", "opencode", "--http"]);
    expect(ran.code).toBe(0);
    const { url, askerToken } = JSON.parse(read("hub.json"));
    const file = read(".config", "opencode", "opencode.json");
    expect(JSON.parse(file).mcp.askbox).toMatchObject({ type: "remote", url: `${url}/mcp?max-wait=1790`, oauth: false });
    expect(file).toContain("Bearer {env:ASKBOX_TOKEN}");
    expect(file + ran.stdout).not.toContain(askerToken);
    expect(ran.stdout).toContain("`askerToken` in ");
    // A client that takes no token from the environment gets it in its own file; it is not printed.
    const zed = await home.run(["install", "zed", "--http", "--dry-run"]);
    expect(zed.stdout).toContain("Bearer •••");
    expect(zed.stdout).not.toContain(askerToken);
  });

  test("doctor finds an address at which no hub answers any more, and --fix writes the hub's", async () => {
    await home.serve();
    await home.run(["install", "opencode", "--http"]);
    const { url } = JSON.parse(read("hub.json"));
    const files = [[".config", "opencode", "opencode.json"], ["clients.json"]] as const;
    const current = files.map((file) => read(...file));
    // As if the hub had moved since.
    for (const file of files) writeFileSync(inHome(...file), read(...file).replaceAll(url, "http://127.0.0.1:9"));
    const examine = async (...flags: string[]) => {
      const ran = await home.run(["doctor", "--json", ...flags]);
      const { checks } = JSON.parse(ran.stdout) as { checks: { check: string; status: string; message: string }[] };
      return {
        code: ran.code,
        found: checks.filter(({ check }) => check === "addresses").map(({ status, message }) => `${status}: ${message}`),
      };
    };
    const path = inHome(".config", "opencode", "opencode.json");
    expect(await examine()).toEqual({
      code: 1,
      found: [`fail: ${path} names http://127.0.0.1:9, where no hub answers; this home's hub is at ${url}. Run: askbox doctor --fix`],
    });
    expect((await examine("--fix")).found).toEqual([`ok: ${path} names ${url} now, instead of http://127.0.0.1:9; restart the client.`]);
    expect(JSON.parse(read(".config", "opencode", "opencode.json"))).toEqual(JSON.parse(current[0] ?? ""));
    expect((await examine()).found).toEqual(["ok: The addresses in the clients' files lead to a hub."]);
    // It is still removed to the byte.
    await home.run(["uninstall", "opencode"]);
    expect(existsSync(path)).toBe(false);
  });

  // promise: client-file-token
  test("--http creates a token for a client that needs one in its file, which only its owner can read", async () => {
    await home.serve();
    mkdirSync(inHome(".config", "zed"), { recursive: true });
    const file = inHome(".config", "zed", "settings.json");
    writeFileSync(file, '{ "theme": "One" }\n', { mode: 0o644 });
    expect((await home.run(["install", "zed", "--http", "--scope", "project"])).code).toBe(2);
    expect((await home.run(["token", "list", "--json"])).stdout.trim()).toBe("[]");

    const ran = await home.run(["install", "zed", "--http"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const { url, askerToken, proofKey } = JSON.parse(read("hub.json"));
    const tokenIn = () => /"Bearer (abx_[\w-]+)"/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
    const token = tokenIn();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const secret of [askerToken, proofKey]) expect(readFileSync(file, "utf8")).not.toContain(secret);
    expect(ran.stdout).not.toContain(token);
    const [named] = JSON.parse((await home.run(["token", "list", "--json"])).stdout);
    expect(named).toMatchObject({ name: expect.stringMatching(/^zed\./), scope: "asker" });
    const status = async (path: string) => (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await status("/api/sessions"), await status("/api/tokens")]).toEqual([403, 403]);

    // Again: a valid token is kept, and the file is private again; a revoked one is replaced.
    chmodSync(file, 0o644);
    await home.run(["install", "zed", "--http"]);
    expect([tokenIn(), statSync(file).mode & 0o777]).toEqual([token, 0o600]);
    expect((await home.run(["install", "zed", "--http"])).stdout).toContain("nothing changed");
    await home.run(["token", "revoke", named.name]);
    await home.run(["install", "zed", "--http"]);
    expect(tokenIn()).not.toBe(token);
  });
});

test("--optional is rejected for a client that does not require askbox, and nothing is written", async () => {
  const before = readdirSync(home.path);
  const refused = await home.run(["install", "claude-code", "--optional"]);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Claude Code starts even if askbox's program is missing; --optional is for codex. Remove it."),
  });
  expect(readdirSync(home.path)).toEqual(before);
  expect((await home.run(["install", "codex", "--optional"])).code).toBe(0);
  expect(read(".codex", "config.toml")).not.toContain("required");
});

describe("askbox install claude-code --worktree", () => {
  const askOverSse = async (address: string, token: string, agent: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    const client = new Client({ name: "claude-code", version: "1" });
    await client.connect(new SSEClientTransport(new URL(address), { requestInit: { headers } }));
    try {
      return await client.callTool({ name: "ask_human", arguments: { question: "Go on?", agent_id: agent } });
    } finally {
      await client.close();
    }
  };
  const git = (folder: string, ...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { encoding: "utf8" });

  test("writes both files for an agent that is about to start, ignored by git, and without a token", async () => {
    await home.serve();
    const repository = inHome("repository");
    mkdirSync(repository);
    git(repository, "init", "-q");
    git(repository, "commit", "-q", "--allow-empty", "-m", "first");
    git(repository, "worktree", "add", "-q", "../fix", "-b", "fix");
    const before = git(inHome("repository"), "rev-parse", "--git-path", "info/exclude");
    const exclude = existsSync(join(repository, before.trim())) ? readFileSync(join(repository, before.trim()), "utf8") : undefined;

    const ran = await home.spawn(["install", "claude-code", "--worktree", "fix", "--agent", "fix-1"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const { url, askerToken } = JSON.parse(read("hub.json"));
    for (const file of [[".mcp.json"], [".claude", "settings.json"]]) {
      const { mcpServers } = JSON.parse(read("fix", ...file));
      expect(mcpServers.askbox).toMatchObject({ type: "sse", headers: { Authorization: `Bearer $\{ASKBOX_TOKEN}` } });
      expect(mcpServers.askbox.url).toBe(`${url}/sse?agent=fix-1&tools=ask_human&max-wait=1790&fallback=none`);
      expect(read("fix", ...file)).not.toContain(askerToken);
    }
    expect(JSON.parse(read("fix", ".claude", "settings.json"))).toMatchObject({ enabledMcpjsonServers: ["askbox"] });
    expect(git(inHome("fix"), "status", "--porcelain")).toBe("");
    expect(ran.stdout).toContain("AskUserQuestion");
    expect(ran.stdout).toContain('agent_id="fix-1"');
    expect(ran.stdout).toContain("The hub keeps running while an agent is registered");

    const asked = await askOverSse(`${url}/sse?agent=fix-1&tools=ask_human`, askerToken, "another-id");
    expect(asked).toMatchObject({ isError: true, structuredContent: { error: "unknown agent_id", agent_id: "another-id" } });

    await home.spawn(["uninstall", "claude-code", "--worktree", "fix"]);
    expect(existsSync(inHome("fix", ".mcp.json"))).toBe(false);
    expect(existsSync(inHome("fix", ".claude"))).toBe(false);
    expect((await home.run(["agent", "list", "--json"])).stdout.trim()).toBe("[]");
    if (exclude !== undefined) expect(readFileSync(join(repository, before.trim()), "utf8")).toBe(exclude);
  });

  test("warns if a file is already in git", async () => {
    await home.serve();
    const repository = inHome("repository");
    mkdirSync(repository);
    git(repository, "init", "-q");
    writeFileSync(join(repository, ".mcp.json"), "{}\n");
    git(repository, "add", ".");
    const ran = await home.spawn(["install", "claude-code", "--worktree", "repository", "--agent", "a"]);
    expect(ran.stdout).toContain(".mcp.json is already tracked by git");
  });
});
