import { homedir } from "node:os";
import { posix, win32 } from "node:path";

/** Where askbox keeps its things on a machine; all absolute paths. */
export interface HomeFolders {
  /** The store, `hub.lock`. */
  data: string;
  /** `config.json`. */
  config: string;
  /** `hub.json`, `desk.json`. The same as `data` on every platform, so that one store can never have two hubs. */
  runtime: string;
  logs: string;
}

/** The files in them that more than one part of askbox names. */
export interface HomeFiles {
  /** How askers find the hub: `{url, pid, version, instance, askerToken, proofKey}`. Only there while a hub runs. */
  hub: string;
  /** What `hub.json` said when the hub last stopped: the port, the asker token and the proof key live on in it. */
  lastHub: string;
  /** `{deskToken}`; never read for an asker. */
  desk: string;
  /** The browsers that have logged in, as hashes. */
  devices: string;
  /** The agents that are known by id. */
  agents: string;
  /** What people have allowed beforehand. */
  grants: string;
  /** The tokens that have a name, as hashes. */
  tokens: string;
  /** Which pending questions people were called to already. */
  told: string;
  /** What was written into clients' settings, and what stood there before. */
  clients: string;
  /** Copies of clients' settings as they were before askbox changed them. */
  clientBackups: string;
  /** How long clients were seen to wait for a call. */
  probes: string;
  /** Webhooks that are on their way. */
  webhooks: string;
  /** MCP sessions of older revisions, for the hub that comes next. */
  mcpSessions: string;
  /** Held by the one hub of this home. */
  lock: string;
  database: string;
  config: string;
  /** The JSON Schema that `config.json` names, for editors. */
  configSchema: string;
  log: string;
}

export interface FolderOptions {
  env?: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
}

/**
 * The folders by the platform's convention, or all of them in `$ASKBOX_HOME` when it is set (`~` and relative paths are understood).
 * Linux follows the XDG base directories, except for `$XDG_RUNTIME_DIR`: MCP clients drop it from their servers' environment, and it is
 * emptied when the person logs out, while tokens must stay the same.
 */
export function homeFolders({ env = process.env, platform = process.platform }: FolderOptions = {}): HomeFolders {
  const path = platform === "win32" ? win32 : posix;
  const home = (platform === "win32" ? env["USERPROFILE"] : env["HOME"]) || homedir();
  const chosen = env["ASKBOX_HOME"];
  if (chosen) {
    const folder = path.resolve(/^~(?=[/\\]|$)/.test(chosen) ? path.join(home, chosen.slice(1)) : chosen);
    return { data: folder, config: folder, runtime: folder, logs: path.join(folder, "logs") };
  }
  // The XDG specification: "If an implementation encounters a relative path … it should consider the path invalid and ignore it."
  const from = (name: string, ...fallback: string[]) => {
    const value = env[name];
    return value && path.isAbsolute(value) ? value : path.join(home, ...fallback);
  };
  switch (platform) {
    case "win32": {
      const local = path.join(from("LOCALAPPDATA", "AppData", "Local"), "askbox");
      const data = path.join(local, "Data");
      return {
        data,
        config: path.join(from("APPDATA", "AppData", "Roaming"), "askbox", "Config"),
        runtime: data,
        logs: path.join(local, "Log"),
      };
    }
    case "darwin": {
      const library = path.join(home, "Library");
      const data = path.join(library, "Application Support", "askbox");
      return { data, config: path.join(library, "Preferences", "askbox"), runtime: data, logs: path.join(library, "Logs", "askbox") };
    }
    default: {
      const data = path.join(from("XDG_DATA_HOME", ".local", "share"), "askbox");
      return {
        data,
        config: path.join(from("XDG_CONFIG_HOME", ".config"), "askbox"),
        runtime: data,
        logs: path.join(from("XDG_STATE_HOME", ".local", "state"), "askbox", "logs"),
      };
    }
  }
}

/** The files' absolute paths. */
export function homeFiles(folders: HomeFolders, platform: NodeJS.Platform = process.platform): HomeFiles {
  const { join } = platform === "win32" ? win32 : posix;
  return {
    hub: join(folders.runtime, "hub.json"),
    lastHub: join(folders.runtime, "last-hub.json"),
    desk: join(folders.runtime, "desk.json"),
    devices: join(folders.data, "devices.json"),
    agents: join(folders.data, "agents.json"),
    grants: join(folders.data, "grants.json"),
    tokens: join(folders.data, "tokens.json"),
    told: join(folders.data, "told.json"),
    clients: join(folders.data, "clients.json"),
    clientBackups: join(folders.data, "client-backups"),
    probes: join(folders.data, "probes.json"),
    webhooks: join(folders.data, "webhooks.json"),
    mcpSessions: join(folders.data, "mcp-sessions.db"),
    lock: join(folders.data, "hub.lock"),
    database: join(folders.data, "askbox.db"),
    config: join(folders.config, "config.json"),
    configSchema: join(folders.config, "config.schema.json"),
    log: join(folders.logs, "askbox.log"),
  };
}
