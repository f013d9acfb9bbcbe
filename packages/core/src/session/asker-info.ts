import { z } from "zod";

/** Who asks, as it names itself: nothing here is proof of anything. */
export const askerInfoSchema = z.object({
  /** The MCP client, script or host program. */
  client: z.object({ name: z.string(), version: z.string().optional() }),
  /** The project folder's absolute path. */
  project: z.string().optional(),
  /** The git branch checked out in the project. */
  branch: z.string().optional(),
  /** The agent among several of one client. */
  agentId: z.string().optional(),
  /** The tool that it asks with, where that is not `ask_user`. */
  tool: z.string().optional(),
  /** Whether people are offered a reply in plain words right in their list of questions. */
  inlineReply: z.boolean().optional(),
  /** The client's own id of the conversation, where the client tells it: what the conversation can be resumed by. */
  conversation: z.string().optional(),
});
export type AskerInfo = z.infer<typeof askerInfoSchema>;
