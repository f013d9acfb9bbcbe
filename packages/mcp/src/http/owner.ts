import type { AuthInfo } from "@modelcontextprotocol/server";

/** Whose calls they are. */
export interface Owner {
  owner: string;
  /** The one agent in whose name the owner's token asks, where it was made for one. */
  agentId?: string;
  /** Each of the token's agents may continue with what another has asked. */
  shared?: boolean;
}

/** The owner that a request's authentication names: its `clientId`, `extra.agentId` and `extra.shared`. */
export function ownerOf({ clientId, extra }: AuthInfo): Owner {
  const agentId = extra?.["agentId"];
  return { owner: clientId, ...(typeof agentId === "string" && { agentId }), ...(extra?.["shared"] === true && { shared: true }) };
}
