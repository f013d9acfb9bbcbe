import { AskboxError } from "@askbox/core";
import { type Config, type HomeFolders, type LoadedConfig, loadConfig } from "@askbox/home";

/** What `askbox hub` takes; what is left out comes from environment, file or default. */
export interface HubFlags {
  host?: string | undefined;
  port?: number | undefined;
  /** `memory`, `sqlite` or `sqlite:PATH`. */
  store?: string | undefined;
  /** Seconds; 0 for never. */
  idleExit?: number | undefined;
  /** Names under which the hub may be reached besides loopback. */
  hosts?: string[] | undefined;
  /** Print one JSON document when the hub is ready, and nothing else. */
  json?: boolean | undefined;
}

export interface HubSettings {
  config: Config;
  /** Seconds; a hub in the foreground stays unless it was told otherwise. */
  idleExit: number;
  warnings: readonly string[];
}

/** The hub's settings, checked. Throws `VALIDATION` with one sentence. */
export function readSettings({ flags, env, folders, foreground }: ReadSettings): HubSettings {
  const { json: _, ...settings } = flags;
  const { config, warnings, sources }: LoadedConfig = loadConfig({ folders, env, flags: settings });
  if (!isLoopback(config.host) && config.hosts.length === 0) {
    throw new AskboxError(
      "VALIDATION",
      `The hub listens at ${config.host} only with the names under which it may be reached; give them as hosts in config.json or in ASKBOX_HOSTS.`,
    );
  }
  return { config, warnings, idleExit: foreground && !sources.has("idleExit") ? 0 : config.idleExit };
}

interface ReadSettings {
  flags: HubFlags;
  env: Readonly<Record<string, string | undefined>>;
  folders: HomeFolders;
  foreground: boolean;
}

const isLoopback = (host: string) => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
