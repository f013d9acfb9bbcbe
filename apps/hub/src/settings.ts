import { resolve } from "node:path";
import { AskboxError } from "@askbox/core";
import { type Config, type HomeFolders, type LoadedConfig, loadConfig } from "@askbox/home";
import type { TlsPaths } from "./tls.ts";

/** What `askbox hub` takes; what is left out comes from environment, file or default. */
export interface HubFlags {
  host?: string | undefined;
  port?: number | undefined;
  /** `memory`, `sqlite`, `sqlite:PATH` or a Redis URL. */
  store?: string | undefined;
  /** The team whose inbox it is, where a Redis has several. */
  space?: string | undefined;
  /** Seconds; 0 for never. */
  idleExit?: number | undefined;
  /** Names under which the hub may be reached besides loopback. */
  hosts?: string[] | undefined;
  /** PEM files; relative to the working directory. */
  tls?: { cert?: string | undefined; key?: string | undefined } | undefined;
  /** Print one JSON document when the hub is ready, and nothing else. */
  json?: boolean | undefined;
}

export interface HubSettings {
  config: Config;
  /** Seconds. A hub in the foreground keeps running unless this is set. */
  idleExit: number;
  /** Where the files for TLS are; nothing for a hub without it. */
  tls: TlsPaths | undefined;
  warnings: readonly string[];
}

/** The hub's settings, checked. Throws `VALIDATION` with one sentence. */
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
  return {
    ...{ config, tls, warnings: [...warnings, ...exposed] },
    idleExit: foreground && !sources.has("idleExit") ? 0 : config.idleExit,
  };
}

function tlsPaths({ tls: { cert, key } }: Config, folderOf: (setting: string) => string): TlsPaths | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) {
    return { cert: resolve(folderOf("tls.cert"), cert), key: resolve(folderOf("tls.key"), key) };
  }
  throw new AskboxError("VALIDATION", "TLS takes a certificate and its key; give both --tls-cert and --tls-key, or tls.cert and tls.key.");
}

interface ReadSettings {
  flags: HubFlags;
  env: Readonly<Record<string, string | undefined>>;
  folders: HomeFolders;
  foreground: boolean;
}

const isLoopback = (host: string) => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
