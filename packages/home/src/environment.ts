import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { cut } from "@askbox/core/questions";

/**
 * What a program finds out about its environment without a hub: its folder, the project, git's branch and changes, the agent and its
 * conversation. Loads no zod, so that it hardly delays the start; git is only run for changes.
 */

export { type FolderOptions, type HomeFiles, type HomeFolders, homeFiles, homeFolders } from "./files/folders.ts";

/** In characters, as the hub takes it. */
const longestName = 500;

let isRemoved = false;

/** The folder that a process works in; undefined if that was removed, as a worktree may be while an agent runs in it. */
export function workingFolder(host: Pick<NodeJS.Process, "cwd"> = process): string | undefined {
  try {
    // It stays removed after `leaveRemovedFolder`.
    return isRemoved ? undefined : host.cwd();
  } catch {
    isRemoved = true;
    return undefined;
  }
}

/** Goes to the home folder if the working folder was removed: libraries such as Ink ask for it when they are loaded, and fail. */
export function leaveRemovedFolder(): void {
  if (workingFolder() === undefined) process.chdir(homedir());
}

/**
 * The one name of a project's folder, which filters and grants compare: absolute, without links or a slash at its end. A folder that isn't on
 * this machine keeps its name. A relative path is one in `from`, by default the folder that this process works in.
 */
export async function projectFolder(path: string, from = workingFolder()): Promise<string> {
  if (from === undefined && !isAbsolute(path))
    throw new Error(`${JSON.stringify(path)} can't be found from here, since this folder was removed; give the whole path.`);
  const whole = resolve(from ?? path, path);
  return realpath(whole).catch(() => whole);
}

/**
 * The branch checked out in the folder or the repository around it; undefined without a repository or with a detached HEAD. Reads git's
 * files directly: starting git would take longer than everything else in an ask.
 */
export async function gitBranch(project: string): Promise<string | undefined> {
  try {
    const folder = await gitFolder(resolve(project));
    if (folder === undefined) return undefined;
    const head = await readStart(join(folder, "HEAD"));
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim();
  } catch {
    return undefined;
  }
}

/**
 * The repository that the folder is a copy of, by its remote `origin` or else its first one: `github.com/acme/engine`, for any protocol, in at
 * most 500 characters. Undefined without a remote on another machine. A login in the address is left out, since it may be a secret.
 */
export async function gitRepository(project: string): Promise<string | undefined> {
  try {
    const folder = await gitFolder(resolve(project));
    if (folder === undefined) return undefined;
    // A worktree has its repository's settings.
    const shared = await readStart(join(folder, "commondir")).catch(() => "");
    const urls = new Map<string, string>();
    let remote: string | undefined;
    for (const line of (await readStart(join(resolve(folder, shared.trim()), "config"))).split("\n")) {
      const [, section] = /^\s*\[(.*)\]/.exec(line) ?? [];
      if (section !== undefined) remote = /^remote "(.+)"$/.exec(section)?.[1];
      const [, url] = /^\s*url\s*=(.*)$/.exec(line) ?? [];
      if (remote !== undefined && url !== undefined && !urls.has(remote)) urls.set(remote, url.trim());
    }
    return remoteName(urls.get("origin") ?? [...urls.values()][0] ?? "");
  } catch {
    return undefined;
  }
}

/** The branch and the repository of a folder, as `gitBranch` and `gitRepository` find them. */
export async function gitPlace(project: string | undefined): Promise<{ branch: string | undefined; repository: string | undefined }> {
  const [branch, repository] = project === undefined ? [] : await Promise.all([gitBranch(project), gitRepository(project)]);
  return { branch, repository };
}

/** Host and path of a remote's address: of `https://…`, or of `git@host:path`. A single letter is a drive of Windows. */
function remoteName(address: string): string | undefined {
  const isUrl = address.includes("://");
  if (isUrl && !URL.canParse(address)) return undefined;
  const [start = "", path = ""] = isUrl ? [] : address.split(/:(.*)/, 2);
  const { hostname, pathname } = isUrl ? new URL(address) : { hostname: start.split("@").at(-1) ?? "", pathname: path };
  const parts = pathname.split("/").filter((part) => part !== "");
  const name = `${hostname.toLowerCase()}/${parts.join("/").replace(/\.git$/, "")}`;
  const isRemote = /^[\w.-]{2,}$/.test(hostname) && parts.length > 0 && (isUrl || !path.includes("@"));
  return isRemote && name.length <= longestName ? name : undefined;
}

/** The first 8 KB of a regular file; a path and a name fit in. Anything else is not waited for: a project may contain a pipe. */
async function readStart(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) return "";
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8_192));
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function gitFolder(folder: string): Promise<string | undefined> {
  const git = join(folder, ".git");
  const found = await stat(git).catch(() => undefined);
  if (found?.isDirectory()) return git;
  if (found?.isFile()) {
    // A worktree or submodule: the file contains the real folder.
    const target = /^gitdir: (.+)$/m.exec(await readStart(git))?.[1]?.trim();
    return target === undefined ? undefined : resolve(folder, target);
  }
  const parent = dirname(folder);
  return parent === folder ? undefined : gitFolder(parent);
}

/** Milliseconds. An ask isn't delayed by more than this, and git is not started again for the same folder within `keptFor`. */
const [maxTime, keptFor] = [200, 10_000];
const maxLength = 2_000;

const known = new Map<string, { at: number; changes: Promise<string | undefined> }>();

/**
 * What has changed in the folder since the last commit, as `git diff --stat` prints it, shortened; undefined without a branch, if nothing has
 * changed, or if git takes longer than `timeout` ms. Runs nothing that the repository configures, and writes nothing.
 */
export function gitChanges(project: string, timeout = maxTime): Promise<string | undefined> {
  const before = known.get(project);
  const now = performance.now();
  if (before !== undefined && now - before.at < keptFor) return before.changes;
  known.clear();
  // An ask never fails for lack of it.
  const changes = readChanges(project, timeout).catch(() => undefined);
  known.set(project, { at: now, changes });
  return changes;
}

/**
 * Options for every git that we start in somebody's repository: it takes no lock, not even to refresh the index, and runs no monitor that the
 * repository configures.
 */
export const readOnlyGit: readonly string[] = ["-c", "core.fsmonitor=false", "-c", "diff.autoRefreshIndex=false", "--no-optional-locks"];

/**
 * The environment for every git that we start in somebody's repository. Git otherwise fetches objects that a partial clone lacks: it would
 * write them there, by a program that the repository may name.
 */
export const readOnlyGitEnv = (): NodeJS.ProcessEnv => ({ ...process.env, GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" });

async function readChanges(project: string, timeout: number): Promise<string | undefined> {
  if ((await gitBranch(project)) === undefined) return undefined;
  const late = AbortSignal.timeout(timeout);
  const filters = await git(project, ["config", "--null", "--name-only", "--get-regexp", filterNames], late).catch(noneFound);
  const stat = ["diff", "--stat=80", "--stat-count=20", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "HEAD"];
  const text = (await git(project, [...withoutFilters(filters), ...stat], late)).trimEnd();
  return text === "" ? undefined : cut(text, maxLength, "");
}

const filterNames = "^filter[.].*[.](clean|process|required)$";

/** Git's exit code 1: no such setting. Any other failure doesn't say which filters there are. */
function noneFound(error: unknown): string {
  if ((error as { code?: unknown }).code === 1) return "";
  throw error;
}

/** Without the programs that read a file for git: they write, such as Git LFS into the repository. */
function withoutFilters(names: string): string[] {
  const all = names.split("\0").filter((name) => name !== "");
  if (all.some((name) => name.includes("="))) throw new Error("Git can't be told to leave out a filter with = in its name.");
  return all.flatMap((name) => ["-c", `${name}=${name.endsWith(".required") ? "false" : ""}`]);
}

/** What git prints. Rejects if it fails, or at the signal, when git is asked to end and removes what it has begun. */
function git(project: string, args: readonly string[], late: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    late.addEventListener("abort", reject, { once: true });
    const options = { signal: late, env: readOnlyGitEnv(), maxBuffer: 65_536, windowsHide: true, encoding: "utf8" } as const;
    const child = execFile("git", ["-C", project, ...readOnlyGit, ...args], options, (error, stdout) => {
      late.removeEventListener("abort", reject);
      if (error === null) resolve(stdout);
      else reject(error);
    });
    child.unref();
  });
}

/** By agent, the variables that it sets for its commands, but that its editor's terminal does not set for people. */
const marks: readonly (readonly [agent: string, variables: readonly string[]])[] = [
  ["Claude Code", ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"]],
  ["Codex", ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"]],
  ["OpenCode", ["OPENCODE"]],
  ["Gemini CLI", ["GEMINI_CLI"]],
  ["Qwen Code", ["QWEN_CODE"]],
  ["Cursor", ["CURSOR_AGENT"]],
  ["GitHub Copilot CLI", ["COPILOT_CLI"]],
  ["Amp", ["AMP_CURRENT_THREAD_ID"]],
  ["Goose", ["GOOSE_TERMINAL"]],
  ["Cline", ["CLINE_ACTIVE"]],
  ["Augment", ["AUGMENT_AGENT"]],
  ["an agent", ["AI_AGENT"]],
];

/**
 * The coding agent whose shell this is; undefined in a person's own. An agent can ask but never answer, so `askbox answer` and `askbox
 * cancel` refuse to run there. This prevents an honest agent's mistake; it cannot stop a hostile one.
 */
export function knownAgent(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  return marks.find(([, variables]) => variables.some((name) => isSet(env[name])))?.[0];
}

const isSet = (value: string | undefined) => value !== undefined && value !== "" && value !== "0" && value !== "false";

const claudeConversation = "CLAUDE_CODE_SESSION_ID";
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The conversation of the client that started this process, by the client's own id, as that client's `variable` has it. Claude Code has
 * it for its shells since 2.1.132 and for stdio servers since 2.1.154. After `/clear`, a server still has the id that it was started with.
 */
export function knownConversation(
  env: Readonly<Record<string, string | undefined>> = process.env,
  variable = claudeConversation,
): string | undefined {
  const id = variable !== claudeConversation || env["CLAUDECODE"] === "1" ? env[variable]?.trim() : undefined;
  return id !== undefined && uuid.test(id) ? id.toLowerCase() : undefined;
}
