import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AskerInfo, Log } from "@askbox/core";
import { clientApprovals } from "@askbox/core/clients";
import { gitChanges, gitPlace, knownConversation, projectFolder } from "@askbox/home";
import { type Caller, conversationOf } from "@askbox/mcp";
import { nameOfClient } from "./options.ts";

export interface IdentityOptions {
  project?: string | undefined;
  agent?: string | undefined;
  /** Names this run of the server. */
  instance?: string | undefined;
  /** The folder the server was started in; undefined if that was removed, or is no project. */
  cwd: string | undefined;
  /** The folder of the caller's conversation, as far as its client can say. */
  conversationFolder?: ((caller: Caller) => Promise<string | undefined>) | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Who asks: the project is the configured one, else the client's first root that is a folder, else the folder where the server was started, or
 * that of the conversation.
 */
export async function identify(
  caller: Caller,
  { project, agent, instance, cwd, conversationFolder, env }: IdentityOptions,
): Promise<Omit<AskerInfo, "client">> {
  const named = project ?? firstFolder(await caller.roots()) ?? cwd ?? (await conversationFolder?.(caller));
  const folder = named === undefined ? undefined : await projectFolder(named, cwd);
  const [git, changes] = await Promise.all([gitPlace(folder), folder === undefined ? undefined : gitChanges(folder)]);
  return {
    project: folder,
    ...git,
    agentId: agent,
    conversation: conversationOf(caller, (variable) => knownConversation(env, variable)),
    instance,
    ...(changes !== undefined && { background: { changes } }),
  };
}

function firstFolder(roots: readonly string[]): string | undefined {
  for (const uri of roots) {
    try {
      if (new URL(uri).protocol === "file:") return fileURLToPath(uri);
    } catch {
      // Not a URI, or a file URI of another operating system; the next root may be better.
    }
  }
  return undefined;
}

/** Milliseconds. An ask doesn't wait longer for each answer of a daemon. */
const timeout = 500;

/** The folder the server was started in, if it is still there, unless it is the plugin's own. */
export function projectHere(cwd: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  const own = env["ASKBOX_PLUGIN_FOLDER"];
  return cwd !== undefined && own !== undefined && real(own) === real(cwd) ? undefined : cwd;
}

/** The folder of a call's conversation, from the daemon of its client; undefined if there is none or it doesn't know. */
export async function daemonFolder(
  caller: Pick<Caller, "client" | "meta">,
  { env, version, log }: { env: NodeJS.ProcessEnv; version: string; log: Log },
): Promise<string | undefined> {
  const name = nameOfClient(caller.client.name);
  const thread = conversationOf(caller);
  // Who owns a socket can't be told on Windows.
  if (name === undefined || thread === undefined || !clientApprovals[name]?.followsDaemon || process.platform === "win32") return undefined;
  try {
    const { codexSocket, threadFolder } = await import("@askbox/clients/codex-socket");
    return await threadFolder({ path: codexSocket(env), thread, version, timeout });
  } catch (error) {
    log("debug", "The daemon doesn't say in which folder the conversation is", { error: String(error) });
    return undefined;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
