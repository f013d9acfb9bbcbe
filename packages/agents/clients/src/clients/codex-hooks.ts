import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { System } from "../client.ts";

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
export interface CodexHook {
  suffix: string;
  hash: string;
}

/**
 * Asks the `codex` on the PATH for its hash of a command's hook in a `hooks.json`. It uses a temporary home, so that the person's own
 * settings are not touched. Undefined if there is no Codex, or if it doesn't report the hash.
 */
export async function codexHook(env: System["env"], hooks: string, command: string): Promise<CodexHook | undefined> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "askbox-codex-")));
  try {
    await writeFile(join(home, "hooks.json"), hooks, { mode: 0o600 });
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
