import { fileURLToPath } from "node:url";
import type { AskerInfo } from "@askbox/core";
import { gitBranch, gitChanges, knownConversation, projectFolder } from "@askbox/home";
import { type Caller, conversationOf } from "@askbox/mcp";

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
  const [branch, changes] = folder === undefined ? [] : await Promise.all([gitBranch(folder), gitChanges(folder)]);
  return {
    project: folder,
    branch,
    agentId: agent,
    conversation: conversationOf(caller, () => knownConversation(env)),
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
