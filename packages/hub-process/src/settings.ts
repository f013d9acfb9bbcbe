import { resolve } from "node:path";
import { AskboxError } from "@askbox/core";
import { type Config, type HomeFolders, type LoadedConfig, loadConfig } from "@askbox/home";
import type { TlsPaths } from "./tls.ts";

/** The options of `askbox hub`; the rest comes from environment, file or defaults. */
export interface HubFlags {
  host?: string | undefined;
  port?: number | undefined;
  /** The path of a socket at which it also listens; relative to the working directory. */
  socket?: string | undefined;
  /** `memory`, `sqlite`, `sqlite:PATH` or a Redis URL. */
  store?: string | undefined;
  /** The team that owns the inbox, if a Redis has several. */
  space?: string | undefined;
  /** Seconds; 0 for never. */
  idleExit?: number | undefined;
  /** Host names besides loopback under which the hub can be reached. */
  hosts?: string[] | undefined;
  /** PEM files; relative to the working directory. */
  tls?: { cert?: string | undefined; key?: string | undefined } | undefined;
  /** Print only one JSON document when the hub is ready. */
  json?: boolean | undefined;
}

export interface HubSettings {
  config: Config;
  /** Seconds. A hub in the foreground keeps running unless this is set. */
  idleExit: number;
  /** The TLS files; undefined for a hub without TLS. */
  tls: TlsPaths | undefined;
  warnings: readonly string[];
}

/** The hub's settings, validated. Throws `VALIDATION` with one sentence. */
export function readSettings({ flags, env, folders, foreground }: ReadSettings): HubSettings {
  const { json: _, ...settings } = flags;
  const { config, warnings, sources }: LoadedConfig = loadConfig({ folders, env, flags: settings });
  if (!isLoopback(config.host) && config.hosts.length === 0) {
    throw new AskboxError(
      "VALIDATION",
      `To listen on ${config.host}, the hub needs the host names under which it can be reached; set hosts in config.json or ASKBOX_HOSTS.`,
    );
  }
  const tls = tlsPaths(config, (setting) => (sources.get(setting) === "file" ? folders.config : process.cwd()));
  const exposed =
    isLoopback(config.host) || tls !== undefined
      ? []
      : [
          `The hub serves plain HTTP at ${config.host}, which shows tokens and answers to the network; --tls-cert and --tls-key encrypt them.`,
        ];
  return { config, tls, warnings: [...warnings, ...exposed], idleExit: foreground && !sources.has("idleExit") ? 0 : config.idleExit };
}

function tlsPaths({ tls: { cert, key } }: Config, folderOf: (setting: string) => string): TlsPaths | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) {
    return { cert: resolve(folderOf("tls.cert"), cert), key: resolve(folderOf("tls.key"), key) };
  }
  throw new AskboxError("VALIDATION", "TLS needs a certificate and its key; give both --tls-cert and --tls-key, or tls.cert and tls.key.");
}

interface ReadSettings {
  flags: HubFlags;
  env: Readonly<Record<string, string | undefined>>;
  folders: HomeFolders;
  foreground: boolean;
}

export const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
