import type { ClientName } from "@askbox/home";
import type { Place, Scope } from "./client.ts";
import { clients } from "./clients/index.ts";
import { valueAt } from "./json.ts";
import { isFound } from "./place.ts";

export interface ClientStatus {
  client: ClientName;
  title: string;
  /** Whether it seems to be on this machine. */
  found: boolean;
  /** Where askbox is entered: the file of each scope. */
  setUp: { scope: Scope; file: string }[];
}

/** Every client: whether it is there, and whether askbox is set up in it. */
export function clientStatuses(place: Place): ClientStatus[] {
  return clients.map((client) => ({
    client: client.name,
    title: client.title,
    found: isFound(client, place),
    setUp: (["user", "project"] as const).flatMap((scope) => {
      const file = client.file(place, scope);
      if (file === undefined || !place.exists(file)) return [];
      return valueAt(place.settings(file), client.entryAt(place, file)) === undefined ? [] : [{ scope, file }];
    }),
  }));
}
