import * as z from "zod";
import { limits } from "./limits.ts";

const backgroundShape = (text: (max: number) => z.ZodString) =>
  z.object({
    /** Its last words before it asked. Markdown. */
    said: text(limits.background.said).optional(),
    /** Its last steps before it asked, oldest first. */
    steps: z.array(text(limits.background.step)).max(limits.background.steps).optional(),
    /** What has changed in the project since its last commit, as `git diff --stat` prints it. */
    changes: text(limits.background.changes).optional(),
  });

/** What an agent was doing when it asked, as a program in its place has read it. */
export const backgroundSchema = /* @__PURE__ */ (() => backgroundShape((max) => z.string().max(max)))();
/** What an agent was doing when it asked. */
export type Background = z.infer<typeof backgroundSchema>;

/** Without a slash at its end. Only the machine that it is on knows more of a folder's name. */
function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === "/" && path[end - 2] !== ":") end -= 1;
  return path.slice(0, end);
}
/** A project folder's absolute path, as it is compared. */
export const projectSchema = /* @__PURE__ */ (() => z.string().max(limits.asker.project).overwrite(withoutSlash))();

const shape = (text: (max: number) => z.ZodString, project = text(limits.asker.project)) =>
  z.object({
    /** The MCP client, script or host program. */
    client: z.object({ name: text(limits.asker.clientName), version: text(limits.asker.clientVersion).optional() }),
    /** The project folder's absolute path. */
    project: project.optional(),
    /** The git branch checked out in the project. */
    branch: text(limits.asker.branch).optional(),
    /** What the project is a copy of: its remote without protocol and login, such as `github.com/acme/engine`. */
    repository: text(limits.asker.repository).optional(),
    /** Distinguishes several agents of one client. */
    agentId: text(limits.asker.agentId).optional(),
    /** The machine that it runs on, if that is not the hub's own: the name of the token, set by the hub whatever the asker says. */
    machine: text(limits.asker.machine).optional(),
    /** The tool that it asks with, if not `ask_user`. */
    tool: text(limits.asker.tool).optional(),
    /** Whether people are offered a free-text reply directly in their list of questions. */
    inlineReply: z.boolean().optional(),
    /** The client's own id of the conversation, if it provides one: used to resume the conversation. */
    conversation: text(limits.asker.conversation).optional(),
    /** One run of the program that asks. Where it names no conversation, it counts as one while it is connected. */
    instance: text(limits.asker.instance).optional(),
    /** What it was doing when it asked; not part of who it is. */
    background: backgroundShape(text).optional(),
  });

/** Who asks, as it describes itself, without proof. */
export const askerInfoSchema = shape((max) => z.string().max(max), projectSchema);
/** The same in a stored session, which is read regardless of the limits at the time. */
export const storedAskerSchema = /* @__PURE__ */ (() => shape(() => z.string()))();
/** Who asks: the client program, its conversation, project and agent id. */
export type AskerInfo = z.infer<typeof askerInfoSchema>;
