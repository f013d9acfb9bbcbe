import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fetchWords } from "@askbox/mcp";
import { describe, expect, onTestFinished, test } from "vitest";
import { version } from "../src/version.ts";

const launcher = resolve(import.meta.dirname, "../../../plugins/askbox/launch.mjs");

interface Machine {
  /** By the folder that has them. */
  settings?: Record<string, object>;
  /** Claude Code's list of servers. */
  servers?: object;
  /** What its stdin gets. */
  input?: string;
  /** Whether the plugin comes from a release's archive. */
  isBundled?: boolean;
  /** Folders of the PATH before that of the programs. */
  path?: readonly string[];
  cwd?: string;
  /** A line of the shell for each program. */
  says?: string;
  /** Variables besides. */
  env?: Record<string, string>;
}

/** Runs the launcher on a machine with these programs, each of which prints its name and arguments. */
function launch(
  programs: readonly string[],
  words: readonly string[],
  { settings = {}, servers = {}, input = "", isBundled = false, path = [], cwd, says = "", env: more = {} }: Machine = {},
): string {
  const root = mkdtempSync(join(tmpdir(), "askbox-plugin-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const bin = join(root, "bin");
  mkdirSync(bin);
  for (const name of programs) {
    writeFileSync(join(bin, name), `#!/bin/sh\n[ "$ASKBOX_PLUGIN" = 1 ] && echo ${name} "$@"\n${says}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  for (const [path, value] of Object.entries(settings)) {
    mkdirSync(join(root, path, ".claude"), { recursive: true });
    writeFileSync(join(root, path, ".claude", "settings.json"), JSON.stringify(value));
  }
  mkdirSync(join(root, "home"), { recursive: true });
  writeFileSync(join(root, "home", ".claude.json"), JSON.stringify(servers));
  const own = join(root, "plugin", "launch.mjs");
  mkdirSync(join(root, "plugin", "server", "bin"), { recursive: true });
  copyFileSync(launcher, own);
  if (isBundled) writeFileSync(join(root, "plugin", "server", "bin", "askbox.js"), 'console.log("bundled", ...process.argv.slice(2));');
  const env = { PATH: [...path, bin].join(":"), HOME: join(root, "home"), CLAUDE_PROJECT_DIR: join(root, "project"), ...more };
  return execFileSync(process.execPath, [own, ...words], { env, input, cwd, encoding: "utf8" }).trim();
}

const asking = { hooks: { PermissionRequest: [{ hooks: [{ type: "command", command: "/bin/askbox hook claude-code" }] }] } };

describe.skipIf(process.platform === "win32")("what a plugin starts", () => {
  test("is the askbox on the PATH, else the server of the plugin, else the published one of the plugin's version", () => {
    expect(launch(["askbox", "npx"], ["mcp"], { isBundled: true })).toBe("askbox mcp");
    expect(launch(["npx"], ["mcp"], { isBundled: true })).toBe("bundled mcp");
    expect(launch(["npx"], ["mcp"])).toBe(`npx --yes askbox@${version} mcp`);
    expect(() => launch([], ["mcp"])).toThrow("npm install --global askbox");
  });

  // promise: project-starts-nothing
  test("is never what the project has: not by a relative PATH, not by its packages, and not by npx in it", () => {
    const root = mkdtempSync(join(tmpdir(), "askbox-project-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    for (const folder of [".", "node_modules/.bin"]) {
      mkdirSync(join(root, folder), { recursive: true });
      for (const name of ["askbox", "npx"]) writeFileSync(join(root, folder, name), "#!/bin/sh\necho of the project\n", { mode: 0o755 });
    }
    const packages = join(root, "node_modules/.bin");
    const path = ["", ".", "node_modules/.bin", packages, `${packages}/`, `${packages}//`, `${packages}/.`];
    const inProject = { path, cwd: root, says: 'echo "$PWD" "$ASKBOX_STARTED_IN" "$PATH"' };
    const [said, where = ""] = launch(["npx"], ["mcp"], inProject).split("\n");
    expect(said).toBe(`npx --yes askbox@${version} mcp`);
    const [folder, startedIn, searched = ""] = where.split(" ");
    expect(folder).toMatch(/\/home\/\.cache\/askbox\/npx$/);
    expect(startedIn).toBe(realpathSync(root));
    expect(searched.split(":").every((each) => each.startsWith("/"))).toBe(true);
    // What askbox starts by name, such as git, is not the project's either.
    expect(searched).not.toContain("node_modules/.bin");
    expect(launch(["askbox"], ["mcp"], inProject)).toMatch(/^askbox mcp\n/);
  });

  test("is never what the project has, even if the PATH names nothing else", () => {
    const root = mkdtempSync(join(tmpdir(), "askbox-project-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(join(root, "plugin", "server", "bin"), { recursive: true });
    copyFileSync(launcher, join(root, "plugin", "launch.mjs"));
    writeFileSync(join(root, "plugin", "server", "bin", "askbox.js"), 'console.log("bundled");');
    writeFileSync(join(root, "askbox"), "#!/bin/sh\necho of the project\n", { mode: 0o755 });
    for (const PATH of ["", ".", "node_modules/.bin"]) {
      const options = { cwd: root, env: { PATH, HOME: root }, encoding: "utf8" } as const;
      expect(execFileSync(process.execPath, ["plugin/launch.mjs", "mcp"], options)).toBe("bundled\n");
    }
  });

  test("is nothing for a hook that the person's or the project's own settings have", () => {
    const hook = ["--unless-set", "PermissionRequest", "hook", "claude-code"];
    expect(launch(["askbox"], hook)).toBe("askbox hook claude-code");
    expect(launch(["askbox"], hook, { settings: { home: asking } })).toBe("");
    expect(launch(["askbox"], hook, { settings: { project: asking } })).toBe("");
    expect(launch(["askbox"], ["--unless-set", "PreToolUse", "hook", "claude-code"], { settings: { home: asking } })).toBe(
      "askbox hook claude-code",
    );
  });

  test("wakes Claude Code with askbox's news alone, where somebody sits at it and its settings don't", () => {
    const wake = ["--unless-set", "Stop", "hook", "claude-code", "--wake"];
    const env = { CLAUDE_CODE_SESSION_ATTENDED: "1" };
    const ended = (machine: Machine) => {
      try {
        return [0, launch(["askbox"], wake, machine)];
      } catch (error) {
        const { status, stderr } = error as { status: number; stderr: string };
        return [status, stderr.trim()];
      }
    };
    const news = fetchWords(["s1"]);
    const says = (words: string) => `echo '${words}' >&2; exit 2`;
    expect(ended({ env, says: says(`npm notice\n${news}`) })).toEqual([2, news]);
    // An older one, which doesn't know the flag.
    expect(ended({ env, says: says("error: unknown option --wake") })).toEqual([0, "askbox hook claude-code --wake"]);
    expect(ended({ env, says: "exit 1" })).toEqual([0, "askbox hook claude-code --wake"]);
    expect(ended({ says: says(news) })).toEqual([0, ""]);
    const hooks = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
    expect(ended({ env, says: says(news), settings: { home: hooks("/bin/askbox hook claude-code --wake") } })).toEqual([0, ""]);
    expect(ended({ env, says: says(news), settings: { home: hooks("/bin/askbox hook claude-code") } })).toEqual([2, news]);
  });

  test("is a server without tools where Claude Code has an entry for askbox too", () => {
    const server = ["--unless-set", "mcp", "mcp", "--approvals", "claude-code"];
    const input = `${[
      { id: 0, method: "server/discover" },
      { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18" } },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/list" },
    ]
      .map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }))
      .join("\n")}\n`;
    expect(launch(["askbox"], server, { input, servers: { mcpServers: { other: {} } } })).toBe("askbox mcp --approvals claude-code");
    const replies = launch(["askbox"], server, { input, servers: { mcpServers: { askbox: {} } } }).split("\n");
    expect(replies.map((line) => JSON.parse(line))).toMatchObject([
      { id: 0, error: { code: -32601 } },
      { id: 1, result: { protocolVersion: "2025-06-18", capabilities: {} } },
      { id: 2, error: { code: -32601 } },
    ]);
  });

  test("is told where the plugin is, since Codex starts it there", () => {
    const root = mkdtempSync(join(tmpdir(), "askbox-plugin-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(join(root, "server", "bin"), { recursive: true });
    copyFileSync(launcher, join(root, "launch.mjs"));
    writeFileSync(join(root, "server", "bin", "askbox.js"), "console.log(process.env.ASKBOX_PLUGIN_FOLDER === process.cwd());");
    const started = execFileSync(process.execPath, ["launch.mjs", "mcp"], { cwd: root, env: { PATH: "", HOME: root }, encoding: "utf8" });
    expect(started).toBe("true\n");
  });
});
