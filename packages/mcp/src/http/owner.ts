import type { AuthInfo } from "@modelcontextprotocol/server";

/** Whose calls they are. */
export interface Owner {
  owner: string;
  /** The one agent in whose name the owner's token asks, where it was made for one. */
  agentId?: string;
}

/** The owner that a request's authentication names: its `clientId`, and `extra.agentId`. */
export function ownerOf({ clientId, extra }: AuthInfo): Owner {
  const agentId = extra?.["agentId"];
  return { owner: clientId, ...(typeof agentId === "string" && { agentId }) };
}
