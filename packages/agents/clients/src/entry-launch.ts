import type { Client, Scope, System } from "./client.ts";
import { isObject, valueAt } from "./json.ts";

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
  const { command, args = [], env, environment } = entry;
  // Clients have one line, or a program and its arguments.
  const words = [command, args].flat().filter((word) => typeof word === "string");
  const set = [env, environment].flatMap((variables) => (isObject(variables) ? Object.entries(variables) : []));
  const texts = set.filter((one): one is [string, string] => typeof one[1] === "string");
  return words.length === 0 ? undefined : { command: words, env: Object.fromEntries(texts) };
}
