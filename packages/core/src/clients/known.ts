import type { RegisteredAgent } from "../ports/agents.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import { shellWord } from "../texts.ts";
import { agentClients, type ClientCalls, type ClientName, clientCalls, clientNames } from "./table.ts";

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

/**
 * How to continue an agent's conversation. `how`: with the command that it was `registered` with, by the id of its `conversation`, or the
 * `latest` one in its folder, which may be another.
 */
export interface Resume {
  how: "registered" | "conversation" | "latest";
  /** A command line for a POSIX shell. */
  command: string;
}

/** These clients pass the conversation id to every process they start, so the asker may be another client. */
const byId = knownClients.find(({ resume }) => resume?.byId !== undefined)?.resume?.byId;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Undefined if no command is known. Values from the agent itself only appear in the command as a quoted folder or an id of a known form.
 */
export function resumeOf({ client, project, conversation }: AskerInfo, registered?: RegisteredAgent | undefined): Resume | undefined {
  if (registered?.resume !== undefined) return { how: "registered", command: registered.resume };
  const folder = project === undefined ? undefined : shellWord(project);
  const inFolder = (line: string) => (folder === undefined ? line : `cd ${folder} && ${line}`);
  const { resume } = knownClient(client.name) ?? {};
  const line = knownClients.find(({ hook }) => hook?.client === client.name)?.hook?.resume ?? resume?.byId ?? byId;
  if (line !== undefined && conversation !== undefined && uuid.test(conversation)) {
    return { how: "conversation", command: inFolder(`${line} ${conversation}`) };
  }
  return resume === undefined || folder === undefined ? undefined : { how: "latest", command: inFolder(resume.latest) };
}
