import { AskboxError, isAskboxError } from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import { checkHealth, homeFiles, homeFolders, loadConfig, readHubFile, readLastHubFile } from "@askbox/home";
import * as z from "zod";
import type { CommandContext } from "../context.ts";
import { hubCommand } from "../hub-command.ts";

/*
 * Where a client finds the hub, and with which token, for clients that don't start it themselves. There may be no address before a hub has run;
 * a token that is still valid is kept, since it is never shown twice.
 */

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

const madeSchema = z.object({ name: z.string(), token: z.string() });

/**
 * The token for a client that can't read one from the environment, so that it is written to the client's file: a named one that can only
 * ask. An existing token is kept while it is valid. If a remote hub's token can't create tokens, that token itself is used.
 */
export async function clientToken(
  context: CommandContext,
  client: ClientName,
  present: string | undefined,
): Promise<{ token: string; name?: string }> {
  const [{ findHub, readLastHubFile, homeFolders, requestHub }, { hostname }] = await Promise.all([
    import("@askbox/home"),
    import("node:os"),
  ]);
  const { io, globals } = context;
  const options = { env: io.env, hubUrl: globals.hub, tokenFile: globals.tokenFile, start: true, hubCommand: hubCommand() };
  const hub = await findHub({ ...options, role: "desk" });
  const isOurs = present === readLastHubFile(homeFolders({ env: io.env }))?.askerToken;
  if (
    present !== undefined &&
    !isOurs &&
    (await isGood(() => requestHub({ ...hub, token: present }, { method: "GET", path: "/api/sessions/none" })))
  ) {
    return { token: present };
  }
  const name = `${client}.${hostname().replace(/[^\w.-]/g, "-")}`.slice(0, 60);
  const make = () => requestHub(hub, { method: "POST", path: "/api/tokens", body: { name, scope: "asker" } });
  try {
    return madeSchema.parse(await make());
  } catch (error) {
    if (isAskboxError(error, "FORBIDDEN") && hub.own === undefined) return { token: hub.token };
    if (!isAskboxError(error, "CONFLICT")) throw error;
  }
  // The client's file no longer contains it, and a token is never shown twice.
  await requestHub(hub, { method: "DELETE", path: `/api/tokens/${name}` });
  return madeSchema.parse(await make());
}

/** Checks the token by requesting a session that doesn't exist; only an unknown token is rejected. */
async function isGood(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request();
    return true;
  } catch (error) {
    return !isAskboxError(error, "UNAUTHORIZED");
  }
}
