import { AskboxError } from "@askbox/core";
import { checkHealth, homeFiles, homeFolders, loadConfig, readHubFile, readLastHubFile } from "@askbox/home";
import type { CommandContext } from "../context.ts";

/**
 * The address at which clients reach the hub: the one passed, or else this home's. A hub keeps its port, so an earlier run is
 * enough; if there was none, a hub is started, unless `start` is false.
 */
export async function hubAddress(context: CommandContext, { start }: { start: boolean }): Promise<string> {
  const { io, globals } = context;
  const named = globals.hub ?? io.env["ASKBOX_HUB"];
  if (named) return named;
  const folders = homeFolders({ env: io.env });
  const running = readHubFile(folders);
  if (running !== undefined && (await checkHealth(running)) === "ours") return running.url;
  const { host, port } = loadConfig({ folders, env: io.env }).config;
  if (port) return `http://${host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host}:${port}`;
  const last = readLastHubFile(folders);
  if (last !== undefined) return last.url;
  if (start) {
    await context.asker();
    const started = readHubFile(folders);
    if (started !== undefined) return started.url;
  }
  throw new AskboxError(
    "HUB_UNREACHABLE",
    "No hub has run here yet, so there is no address; start one with `askbox hub`, or pass --hub URL.",
  );
}

/** Where the token for agents is stored, in words. */
export function tokenPlace(env: CommandContext["io"]["env"]): string {
  return `\`askerToken\` in ${homeFiles(homeFolders({ env })).hub}`;
}
