import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { ClientName } from "@askbox/core/clients";
import { userHome } from "@askbox/home";
import type { Client, Scope, System } from "./client.ts";
import { clients } from "./clients/index.ts";
import { readSettingsFile } from "./files/settings-file.ts";
import { isObject, valueAt } from "./json.ts";
import { formatOf, formats } from "./plan.ts";

/**
 * Which clients are on this machine, whether askbox is among their settings, and what their entry would start.
 */

export interface ClientStatus {
  client: ClientName;
  title: string;
  /** Whether it seems to be installed on this machine. */
  found: boolean;
  /** Where askbox is set up: the file of each scope, and the seconds after which its calls get a ticket, if the entry sets them. */
  setUp: { scope: Scope; file: string; maxWait?: number }[];
}

/** Every client: whether it is installed, and whether askbox is set up in it. */
export function clientStatuses(system: System): ClientStatus[] {
  return clients.map((client) => ({
    client: client.name,
    title: client.title,
    found: isFound(client, system),
    setUp: (["user", "project"] as const).flatMap((scope) => {
      const file = client.file(system, scope);
      if (file === undefined || !system.exists(file)) return [];
      const entry = valueAt(system.settings(file), client.entryAt(system, file));
      if (entry === undefined) return [];
      const maxWait = maxWaitIn(entry);
      return [{ scope, file, ...(maxWait !== undefined && { maxWait }) }];
    }),
  }));
}

/** The value that an entry sets by a flag or in a URL, for any of the clients' field names. */
function maxWaitIn(entry: unknown): number | undefined {
  const words = Object.values(Object(entry)).flatMap((value) => (typeof value === "string" || Array.isArray(value) ? value : []));
  const flag = words.indexOf("--max-wait");
  const url = words.find((word) => typeof word === "string" && URL.canParse(word) && new URL(word).searchParams.has("max-wait"));
  const text = flag === -1 ? url && new URL(url).searchParams.get("max-wait") : words[flag + 1];
  return /^\d+$/.test(String(text)) ? Number(text) : undefined;
}

/** This machine, seen from a project's folder. */
export function systemOf({ env, project }: { env: System["env"]; project: string }): System {
  const { platform } = process;
  return {
    platform,
    env,
    project,
    home: userHome({ env, platform }),
    exists: (path) => existsSync(path),
    settings(path) {
      try {
        return formats[formatOf(path)].parse(readSettingsFile(path).text);
      } catch {
        // The code that changes it reports what is wrong with it.
        return undefined;
      }
    },
  };
}

/** Whether the client seems to be installed on this machine. */
export function isFound(client: Client, system: System): boolean {
  const { programs, folders } = client.signs(system);
  const names = system.platform === "win32" ? programs.flatMap((name) => [`${name}.exe`, `${name}.cmd`]) : programs;
  const onPath = (system.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return (
    folders.some((folder) => system.exists(folder)) || onPath.some((folder) => names.some((name) => system.exists(join(folder, name))))
  );
}

/** How a client starts askbox. */
export interface EntryLaunch {
  command: readonly string[];
  /** Variables in addition to the client's own. */
  env: Readonly<Record<string, string>>;
}

/** What a client's settings start, as they are written; undefined without an entry, and for one that connects by URL. */
export function entryLaunch(client: Client, system: System, scope: Scope): EntryLaunch | undefined {
  const file = client.file(system, scope);
  const entry = file === undefined ? undefined : valueAt(system.settings(file), client.entryAt(system, file));
  if (!isObject(entry)) return undefined;
  const { command = entry["cmd"], args = [], env, environment, envs } = entry;
  // Clients have one line, or a program and its arguments.
  const words = [command, args].flat().filter((word) => typeof word === "string");
  const set = [env, environment, envs].flatMap((variables) => (isObject(variables) ? Object.entries(variables) : []));
  const texts = set.filter((one): one is [string, string] => typeof one[1] === "string");
  return words.length === 0 ? undefined : { command: words, env: Object.fromEntries(texts) };
}
