import type { ClientCalls } from "./agent-client.ts";
import { agentClients, type ClientName, clientCalls, clientNames } from "./table.ts";

export type { AgentClient, ClientCalls, ClientEvidence } from "./agent-client.ts";
export { agentClients, type ClientName, clientNames } from "./table.ts";

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

/** By askbox's name for a client, or the one that it reports, in lower case. */
const titles: ReadonlyMap<string, string> = new Map(
  clientNames.flatMap((name) => {
    const { title, reportsAs = name } = agentClients[name];
    return [name, reportsAs.toLowerCase()].map((each): [string, string] => [each, title]);
  }),
);

/** The title of the client that reports this `clientInfo.name`; the name itself if it is unknown. */
export function clientTitle(name: string): string {
  return titles.get(name.toLowerCase()) ?? name;
}

/** How people are shown a surface that a UI has no words of its own for, such as a chat: its name with a capital letter. */
export function surfaceTitle(surface: string): string {
  return surface.charAt(0).toUpperCase() + surface.slice(1);
}
