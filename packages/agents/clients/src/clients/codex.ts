import { spawn } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as nativeJoin } from "node:path";
import { defaultTool } from "@askbox/mcp";
import * as z from "zod";
import { hookTimeout } from "../approvals/tool-event.ts";
import { type ClientSettings, entryName, pluginId, type Scope, type Setup, type System, tokenVariable } from "../client.ts";
import { type JsonObject, valueAt } from "../json.ts";
import {
  attending,
  block,
  chosen,
  entry,
  include,
  inHome,
  inProject,
  join,
  refuseExclusive,
  refuseHooks,
  spoken,
  stdio,
  unsupported,
  whole,
} from "./parts.ts";

/**
 * Codex: an entry in its TOML, its rules in AGENTS.md, and hooks that it must trust before they run, which is why installing asks its own
 * app server for a hook's hash.
 */

const longest = 1_800;
const folder = (system: System) => chosen(system, "CODEX_HOME", ".codex");

/**
 * Codex passes only HOME, LANG, PATH and TERM to its servers. These let a hub that the server starts find the person's screen, and the
 * server the token; their values stay in the environment.
 */
const forwarded = [
  ...[tokenVariable, "ASKBOX_TIMEOUT", "ASKBOX_ATTENTION", "ASKBOX_DEBUG"],
  ...["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "TMUX", "SSH_CONNECTION"],
];

function server({ reach, optional, approvals }: Setup): JsonObject {
  const shared = { tool_timeout_sec: longest, default_tools_approval_mode: "approve" };
  if (reach.kind !== "stdio") return { url: reach.url, bearer_token_env_var: tokenVariable, ...shared };
  const isFollowing = approvals !== undefined;
  const { env, ...start } = stdio(attending(reach, { approvals }, "codex"));
  // Without `required`, the first turn does not wait for the server. A hub that may be down is not required.
  return {
    ...start,
    env_vars: isFollowing ? [...forwarded, "CODEX_HOME"] : forwarded,
    ...(!optional && { required: true }),
    ...shared,
    ...(env !== undefined && { env }),
  };
}

const hooksFile = (system: System) => join(system, folder(system), "hooks.json");

/** The path as Codex writes it: it resolves links only for a home from CODEX_HOME. */
function resolved(system: System, file: string): string {
  const home = system.env["CODEX_HOME"];
  return home && system.exists(home) ? join(system, realpathSync(home), "hooks.json") : file;
}

const words = (scope: Scope, system: System) =>
  scope === "project" ? inProject(system, "AGENTS.md") : join(system, folder(system), "AGENTS.md");

export const codex: ClientSettings = {
  signs: (system) => ({ programs: ["codex"], folders: [folder(system)] }),
  tools: [defaultTool],
  raisedTo: longest,
  takesOptional: true,
  tokenFromEnvironment: true,
  file: (system, scope) => (scope === "project" ? inProject(system, ".codex", "config.toml") : join(system, folder(system), "config.toml")),
  entryAt: () => ["mcp_servers", entryName],
  hooked(system) {
    const isHooked = /hook codex/.test(JSON.stringify(valueAt(system.settings(hooksFile(system)), ["hooks", "PermissionRequest"])) ?? "");
    const args = valueAt(system.settings(join(system, folder(system), "config.toml")), ["mcp_servers", entryName, "args"]);
    return { approvals: isHooked, denials: Array.isArray(args) && args.includes("--approvals") };
  },
  decides(system) {
    const file = join(system, folder(system), "config.toml");
    const value = valueAt(system.settings(file), ["approvals_reviewer"]);
    const asks = value === undefined || value === "user";
    const words = asks
      ? "what Codex asks for comes to the inbox"
      : "a model decides; what it denies comes to the inbox if Codex runs with its daemon, and the rest runs";
    return { file, at: "approvals_reviewer", value, asks, words };
  },
  plugin: (system) => {
    const file = join(system, folder(system), "config.toml");
    const isEnabled = valueAt(system.settings(file), ["plugins", pluginId, "enabled"]) === true;
    return isEnabled ? { file, brings: "a server and a skill", remove: `codex plugin remove ${pluginId}` } : undefined;
  },
  changes(setup, file) {
    refuseExclusive(setup, "Codex");
    refuseHooks(setup, "Codex");
    const { scope, system, skill, approvals, trusted = {} } = setup;
    if (approvals !== undefined && scope === "project") {
      throw unsupported("Codex' permission requests are set up for you, not for a project; use --approvals with --scope user.");
    }
    const said = spoken({ ...setup, skill: undefined }, "request_user_input");
    const skills = scope === "project" ? inProject(system, ".agents", "skills") : inHome(system, ".agents", "skills");
    return [
      {
        path: file,
        format: "toml",
        changes: [
          entry(["mcp_servers", entryName], server(setup)),
          ...Object.entries(trusted).map(([key, hash]) => entry(["hooks", "state", key], { trusted_hash: hash })),
        ],
      },
      ...(approvals === undefined
        ? []
        : [
            {
              path: hooksFile(system),
              format: "jsonc",
              changes: [
                include(["hooks", "PermissionRequest"], { hooks: [{ type: "command", command: approvals, timeout: hookTimeout }] }),
              ],
            } as const,
          ]),
      ...(said === undefined ? [] : [block(words(scope, system), said)]),
      ...(skill === undefined ? [] : [whole(join(system, skills, "askbox", "SKILL.md"), skill.skill)]),
    ];
  },
  async trust({ system, approvals = "" }, texts) {
    const file = hooksFile(system);
    const hook = await codexHook(system.env, texts.get(file) ?? "", approvals);
    return hook && { [`${resolved(system, file)}${hook.suffix}`]: hook.hash };
  },
  notes: ({ scope, reach, optional, approvals, trusted }) => [
    ...(approvals !== undefined && trusted === undefined
      ? ["Codex will ask you at its next start to review askbox's hook, which is for sessions without a daemon, such as `codex exec`."]
      : []),
    ...(scope === "project" ? ["Codex reads a project's settings only where you have trusted the project."] : []),
    ...(reach.kind === "stdio" && !optional
      ? [
          `The entry says \`required = true\`: if ${reach.command} is moved or removed, no session of Codex starts until you uninstall askbox there. --optional leaves it out; the first turn may begin without askbox then.`,
        ]
      : []),
  ],
};

/** Codex's timeout, in milliseconds; version 0.169 takes half a second. */
const timeout = 10_000;
const maxBytes = 1_048_576;

const hookSchema = z.object({
  key: z.string().max(5_000),
  command: z.string().nullish(),
  currentHash: z.string().regex(/^[\w:+/=-]{1,200}$/),
  sourcePath: z.string(),
});
const listSchema = z.object({ id: z.literal(1), result: z.object({ data: z.array(z.object({ hooks: z.array(hookSchema) })) }) });

/** A hook as Codex identifies it: its key after the file's path, and its hash. */
interface CodexHook {
  suffix: string;
  hash: string;
}

/**
 * Asks the `codex` on the PATH for its hash of a command's hook in a `hooks.json`. It uses a temporary home, so that the person's own
 * settings are not touched. Undefined if there is no Codex, or if it doesn't report the hash.
 */
async function codexHook(env: System["env"], hooks: string, command: string): Promise<CodexHook | undefined> {
  const home = await realpath(await mkdtemp(nativeJoin(tmpdir(), "askbox-codex-")));
  try {
    await writeFile(nativeJoin(home, "hooks.json"), hooks, { mode: 0o600 });
    const listed = await listHooks({ ...env, CODEX_HOME: home }, home);
    const hook = listed.find((each) => each.command === command && each.key.startsWith(`${each.sourcePath}:`));
    return hook === undefined ? undefined : { suffix: hook.key.slice(hook.sourcePath.length), hash: hook.currentHash };
  } catch {
    return undefined;
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

async function listHooks(env: System["env"], cwd: string): Promise<z.output<typeof hookSchema>[]> {
  // Unlike the option `timeout`, the signal keeps no program running if there is no Codex.
  const options = { cwd, env: { ...env }, windowsHide: true, signal: AbortSignal.timeout(timeout), killSignal: "SIGKILL" } as const;
  const child = spawn("codex", ["app-server"], { ...options, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.on("error", () => {});
  await once(child, "spawn");
  const closed = once(child, "close");
  closed.catch(() => {});
  try {
    const clientInfo = { name: "askbox", title: "askbox", version: "0" };
    const messages = [
      { id: 0, method: "initialize", params: { clientInfo, capabilities: { experimentalApi: true } } },
      { method: "initialized" },
      { id: 1, method: "hooks/list", params: { cwds: [cwd] } },
    ];
    child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    let text = "";
    for await (const piece of child.stdout.setEncoding("utf8")) {
      text += piece;
      if (text.length > maxBytes) return [];
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        const { success, data } = listSchema.safeParse(JSON.parse(line));
        if (success) return data.result.data.flatMap((each) => each.hooks);
      }
    }
    return [];
  } finally {
    // It exits at the end of its input; otherwise it is killed at the timeout.
    child.stdin.end();
    await closed;
  }
}
