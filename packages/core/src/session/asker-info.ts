import * as z from "zod";
import { limits } from "./limits.ts";

const shape = (text: (max: number) => z.ZodString) =>
  z.object({
    /** The MCP client, script or host program. */
    client: z.object({ name: text(limits.asker.clientName), version: text(limits.asker.clientVersion).optional() }),
    /** The project folder's absolute path. */
    project: text(limits.asker.project).optional(),
    /** The git branch checked out in the project. */
    branch: text(limits.asker.branch).optional(),
    /** The agent among several of one client. */
    agentId: text(limits.asker.agentId).optional(),
    /** The tool that it asks with, where that is not `ask_user`. */
    tool: text(limits.asker.tool).optional(),
    /** Whether people are offered a reply in plain words right in their list of questions. */
    inlineReply: z.boolean().optional(),
    /** The client's own id of the conversation, where the client tells it: what the conversation can be resumed by. */
    conversation: text(limits.asker.conversation).optional(),
  });

/** Who asks, as it names itself: nothing here is proof of anything. */
export const askerInfoSchema = shape((max) => z.string().max(max));
/** The same in a stored session, which is read whatever the limits were when it was asked. */
export const storedAskerSchema = /* @__PURE__ */ (() => shape(() => z.string()))();
/** Who asks: the client program, its conversation, project and agent id. */
export type AskerInfo = z.infer<typeof askerInfoSchema>;
