import { realpathSync } from "node:fs";
import type { Log } from "@askbox/core";
import { agentClients } from "@askbox/core/clients";
import { type Caller, conversationOf } from "@askbox/mcp";
import { nameOfClient } from "./plugin-hint.ts";

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
  if (name === undefined || thread === undefined || !agentClients[name].approvals?.followsDaemon || process.platform === "win32")
    return undefined;
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
