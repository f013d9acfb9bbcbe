import { knownClient } from "../../clients.ts";
import type { DeclaredElicitation, McpCaller } from "../../mcp-call.ts";
import { type ElicitationOptions, type ElicitationPath, elicitationPaths } from "../options.ts";

/**
 * The way in which this caller's person is asked: the first that is allowed and can be gone. What the client declares decides whether its form can be
 * used; a table may only put another way first. Undefined if there is no way.
 */
export function choosePath(
  { paths = elicitationPaths, clients = {}, asker }: Pick<ElicitationOptions, "paths" | "clients" | "asker">,
  { client, declared }: Pick<McpCaller, "client" | "declared">,
  mode: keyof DeclaredElicitation,
): ElicitationPath | undefined {
  const can: Readonly<Record<ElicitationPath, boolean>> = {
    // A page's address can be read in a form as well.
    client: declared.form || (mode === "url" && declared.url),
    inbox: asker !== undefined,
    model: true,
  };
  const better = Object.hasOwn(clients, client.name) ? clients[client.name] : knownClient(client.name)?.elicitation;
  const order = better !== undefined && paths.includes(better) ? [better, ...paths] : paths;
  return order.find((path) => can[path]);
}
