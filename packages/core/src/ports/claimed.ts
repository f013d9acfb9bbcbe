import type { AskerInfo } from "../session/asker-info.ts";

/** Who goes on with a session by its id. */
export interface Claimed {
  /**
   * The session is there for it only if it is the agent that asked: what both say of client, project and agent id is equal; and, while the conversation
   * that asked is connected, for that conversation alone. Default: any agent of the token.
   */
  asker?: AskerInfo | undefined;
}
