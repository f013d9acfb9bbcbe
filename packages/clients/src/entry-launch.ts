import type { Client, Place, Scope } from "./client.ts";
import { isObject, valueAt } from "./json.ts";

/** How a client starts askbox. */
export interface EntryLaunch {
  command: readonly string[];
  /** Variables in addition to the client's own. */
  env: Readonly<Record<string, string>>;
}

/** What a client's settings start, as they are written; undefined without an entry, and for one that connects by URL. */
export function entryLaunch(client: Client, place: Place, scope: Scope): EntryLaunch | undefined {
  const file = client.file(place, scope);
  const entry = file === undefined ? undefined : valueAt(place.settings(file), client.entryAt(place, file));
  if (!isObject(entry)) return undefined;
  const { command, args = [], env, environment } = entry;
  // Clients have one line, or a program and its arguments.
  const words = [command, args].flat().filter((word) => typeof word === "string");
  const set = [env, environment].flatMap((variables) => (isObject(variables) ? Object.entries(variables) : []));
  const texts = set.filter((one): one is [string, string] => typeof one[1] === "string");
  return words.length === 0 ? undefined : { command: words, env: Object.fromEntries(texts) };
}
