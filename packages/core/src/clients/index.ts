import { agentClients, clientNames } from "./table.ts";

export type { Conversation, Outlook } from "../ports/desk.ts";
export type { Background } from "../session/asker-info.ts";
export { shellWord } from "../texts.ts";
export { type KnownClient, knownCalls, knownClient, knownClients, type Resume, resumeOf } from "./known.ts";
export type { AgentClient, ClientCalls, ClientEvidence } from "./table.ts";
export { agentClients, type ClientName, clientApprovals, clientNames } from "./table.ts";

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
