import type { ClientCalls } from "./agent-client.ts";
import { agentClients, type ClientName, clientCalls, clientNames } from "./table.ts";

/** How a client calls tools. */
export interface KnownClient extends ClientCalls {
  /** Matches if `clientInfo.name` equals this, or starts with it followed by a space. */
  name: string;
}

/** The clients of which that is known. */
export const knownClients: readonly KnownClient[] = /* @__PURE__ */ clientNames.flatMap((name) => knownCalls(name) ?? []);

/** How one client calls tools; undefined if nothing is known about that. */
export function knownCalls(name: ClientName): KnownClient | undefined {
  const { reportsAs = name } = agentClients[name];
  const calls = clientCalls[name];
  return calls && { name: reportsAs, ...calls };
}

/** The entry of the MCP client with this name; undefined if there is none. */
export function knownClient(name: string): KnownClient | undefined {
  return knownClients.find((client) => name === client.name || name.startsWith(`${client.name} `));
}
