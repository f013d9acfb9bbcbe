import type { ClientName } from "@askbox/core/clients";
import type { Scope, System } from "./client.ts";
import { clients } from "./clients/index.ts";
import { valueAt } from "./json.ts";
import { isFound } from "./system.ts";

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
