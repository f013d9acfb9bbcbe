import { homedir, userInfo } from "node:os";
import { posix, win32 } from "node:path";

/** askbox's folders; all absolute paths. */
export interface HomeFolders {
  /** The store, `hub.lock`. */
  data: string;
  /** `config.json`. */
  config: string;
  /** `hub.json`, `desk.json`. The same as `data` on every platform, so that one store can never have two hubs. */
  runtime: string;
  logs: string;
}

/** Files that more than one part of askbox uses. */
export interface HomeFiles {
  /** How askers find the hub: `{url, pid, version, instance, askerToken, proofKey}`. Exists only while a hub is running. */
  hub: string;
  /** The last `hub.json`, kept for its port, asker token and proof key. */
  lastHub: string;
  /** `{deskToken}`; never read for an asker. */
  desk: string;
  /** The hub of another machine, which this one has joined: `{url, token, name, scope}`. */
  joined: string;
  /** Logged-in browsers, as hashes. */
  devices: string;
  /** Registered agents. */
  agents: string;
  /** What people have allowed in advance. */
  grants: string;
  /** Named tokens, as hashes. */
  tokens: string;
  /** The pending questions that were announced. */
  told: string;
  /** The key with which push services know the hub. */
  pushKey: string;
  /** The buttons that were pushed to people elsewhere, with the key that signs them. */
  buttonPresses: string;
  /** The bots that ask people in chats, with their tokens, and who may answer. */
  chat: string;
  /** What was written into clients' settings, and the previous values. */
  clients: string;
  /** Copies of clients' settings from before askbox changed them. */
  clientBackups: string;
  /** How long clients waited for a call, as measured. */
  probes: string;
  /** Pending webhooks. */
  webhooks: string;
  /** MCP sessions of older revisions, for the next hub. */
  mcpSessions: string;
  /** Exists once it was said that the joined hub can't be reached, until it can be. */
  unreached: string;
  /** The hub's socket, for tunnels and containers. */
  socket: string;
  /** What ran without a person, for days. */
  ran: string;
  /** Locked by the only hub of this home. */
  lock: string;
  /** The folder with the sessions that a client's conversation is expected to replace. */
  askedBack: string;
  /** Exists while a denied call may be let through: otherwise a client's hook need not start a program. */
  overruled: string;
  /** The folder with the answers that are being written in an editor. */
  edits: string;
  /** The folder of the locks that make one MCP server follow the approvals of a client's daemon. */
  follows: string;
  database: string;
  /** The folder with the files of its sessions. */
  attachments: string;
  config: string;
  /** The JSON Schema that `config.json` names, for editors. */
  configSchema: string;
  log: string;
  /** The folder with what agents printed that were resumed in the background, by session. */
  wakes: string;
}

export interface FolderOptions {
  env?: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
}

/** The user's home folder. With an empty HOME, `homedir` is empty, too, and everything would go into the working folder. */
export const userHome = ({ env = process.env, platform = process.platform }: FolderOptions = {}): string =>
  (platform === "win32" ? env["USERPROFILE"] : env["HOME"]) || homedir() || userInfo().homedir;

/**
 * The folders by the platform's convention, or all of them in `$ASKBOX_HOME` if it is set (`~` and relative paths are supported). Linux
 * follows the XDG base directories, except for `$XDG_RUNTIME_DIR`: MCP clients drop it from their servers' environment, and it is emptied
 * when the person logs out, while tokens must stay the same.
 */
export function homeFolders({ env = process.env, platform = process.platform }: FolderOptions = {}): HomeFolders {
  const path = platform === "win32" ? win32 : posix;
  const home = userHome({ env, platform });
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
    joined: join(folders.runtime, "joined.json"),
    devices: join(folders.data, "devices.json"),
    agents: join(folders.data, "agents.json"),
    grants: join(folders.data, "grants.json"),
    tokens: join(folders.data, "tokens.json"),
    told: join(folders.data, "told.json"),
    pushKey: join(folders.data, "push-key.json"),
    buttonPresses: join(folders.data, "presses.json"),
    chat: join(folders.data, "chat.json"),
    clients: join(folders.data, "clients.json"),
    clientBackups: join(folders.data, "client-backups"),
    probes: join(folders.data, "probes.json"),
    webhooks: join(folders.data, "webhooks.json"),
    mcpSessions: join(folders.data, "mcp-sessions.db"),
    unreached: join(folders.runtime, "unreached"),
    socket: join(folders.runtime, "hub.sock"),
    ran: join(folders.data, "ran.db"),
    lock: join(folders.data, "hub.lock"),
    askedBack: join(folders.data, "asked-back"),
    overruled: join(folders.data, "overruled"),
    edits: join(folders.data, "edits"),
    follows: join(folders.data, "follows"),
    database: join(folders.data, "askbox.db"),
    attachments: join(folders.data, "files"),
    config: join(folders.config, "config.json"),
    configSchema: join(folders.config, "config.schema.json"),
    log: join(folders.logs, "askbox.log"),
    wakes: join(folders.logs, "wakes"),
  };
}
