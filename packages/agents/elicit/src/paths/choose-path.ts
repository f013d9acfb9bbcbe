import type { ElicitationOptions, ElicitationPath } from "../question/options.ts";
import type { DeclaredElicitation, McpCaller } from "../tool-call/tool-call.ts";

/** What is to be asked. */
interface Wanted {
  mode: keyof DeclaredElicitation;
  /** Whether the model may not pass it on. */
  person: boolean;
}

/**
 * The way to ask this caller's person: the first that is allowed and possible. If there is an inbox, the model is only used if the author
 * allows it. The client's declared capabilities decide whether its form can be used; `clients` only changes the order. Undefined if there
 * is no way.
 */
export function choosePath(
  { paths, clients = {}, asker }: Pick<ElicitationOptions<never>, "paths" | "clients" | "asker">,
  { client, declared }: Pick<McpCaller, "client" | "declared">,
  { mode, person }: Wanted,
): ElicitationPath | undefined {
  const allowed: readonly ElicitationPath[] = paths ?? ["client", asker === undefined ? "model" : "inbox"];
  const can: Readonly<Record<ElicitationPath, boolean>> = {
    // A page's address can also be shown in a form.
    client: declared.form || (mode === "url" && declared.url),
    inbox: asker !== undefined,
    model: !person,
  };
  const better = Object.hasOwn(clients, client.name) ? clients[client.name] : undefined;
  const order = better !== undefined && allowed.includes(better) ? [better, ...allowed] : allowed;
  return order.find((path) => can[path]);
}
