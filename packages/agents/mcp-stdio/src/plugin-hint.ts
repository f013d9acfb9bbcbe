import { agentClients, type ClientName, clientNames, knownClient } from "@askbox/core/clients";

/** Whether a plugin has started this server: its launcher says so. */
export const isPlugin = (env: NodeJS.ProcessEnv): boolean => env["ASKBOX_PLUGIN"] === "1";

/** Askbox's name for the client that reports this one; undefined if nothing is known of how it calls tools. */
export function nameOfClient(client: string): ClientName | undefined {
  const known = knownClient(client);
  return known && clientNames.find((each) => (agentClients[each].reportsAs ?? each) === known.name);
}

/** How a person lifts the limit of a client's calls, as their agent is to tell them: a plugin can't, but `askbox install` can. */
export function pluginHint(client: string): string | undefined {
  const known = knownClient(client);
  const name = nameOfClient(client);
  if (!known?.cap || name === undefined) return undefined;
  return `Tell the person this once: a call waits ${known.cap / 1_000} s here at most, and \`askbox install ${name}\` raises that to half an hour.`;
}
