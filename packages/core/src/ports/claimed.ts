import type { AskerInfo } from "../session/asker-info.ts";

/** Who resumes a session by its id. */
export interface Claimed {
  /**
   * Gives access to the session only if this is the agent that asked: client, project and agent id must match. While the conversation that asked is
   * connected, only that conversation has access, and whoever names none. Default: any agent with the token.
   */
  asker?: AskerInfo | undefined;
}
