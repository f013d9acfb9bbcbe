import type { AuthInfo } from "@modelcontextprotocol/server";

/** The owner of calls. */
export interface Owner {
  owner: string;
  /** The only agent id of the owner's token, if it is bound to one. */
  agentId?: string;
  /** All agents with this token may resume each other's sessions. */
  shared?: boolean;
}

/** The owner in a request's authentication: its `clientId`, `extra.agentId` and `extra.shared`. */
export function ownerOf({ clientId, extra }: AuthInfo): Owner {
  const agentId = extra?.["agentId"];
  return { owner: clientId, ...(typeof agentId === "string" && { agentId }), ...(extra?.["shared"] === true && { shared: true }) };
}
