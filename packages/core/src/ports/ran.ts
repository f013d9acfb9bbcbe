import * as z from "zod";
import { limits } from "../session/limits.ts";
import { actionKinds, letByKinds, reaches } from "../session/questions/constants.ts";

/** Checks an action that ran without a person. Times are wall time in ms since the epoch. */
export const ranSchema = /* @__PURE__ */ (() =>
  z.object({
    at: z.number(),
    /** `name`: what judges at the client, its mode, or the grant's id. */
    by: z.object({ kind: z.enum(letByKinds), name: z.string().max(200).optional() }),
    /** The client's name. */
    client: z.string().max(limits.asker.clientName),
    /** The project folder's absolute path. */
    project: z.string().max(limits.asker.project).optional(),
    /** The machine that it ran on, by the name it had; absent for the hub's own. */
    machine: z.string().max(limits.asker.machine).optional(),
    /** The client's own id of the conversation. */
    conversation: z.string().max(limits.asker.conversation).optional(),
    /** The agent within the conversation, if it is not the main one. */
    agentId: z.string().max(limits.asker.agentId).optional(),
    kind: z.enum(actionKinds),
    tool: z.string().max(200).optional(),
    /** The command, path or arguments: shortened to 1,000 characters, then it ends with `…`. */
    what: z.string().max(1_000),
    cwd: z.string().max(1_000).optional(),
    /** What it reaches, as far as it says so. */
    reach: z.array(z.enum(reaches)),
    /** Whether the client reported that it failed. */
    failed: z.literal(true).optional(),
  }))();
/** An action that ran without a person. */
export type Ran = z.infer<typeof ranSchema>;

/** Checks which of them to list; every given filter must match. */
export const ranQuerySchema = z.object({
  reach: z.enum(reaches).optional(),
  kind: z.enum(actionKinds).optional(),
  by: z.enum(letByKinds).optional(),
  /** Words that must all be found, ignoring case, in the action, its tool, project, machine, client or who let it. */
  text: z.string().max(1_000).optional(),
  /** Default 100. */
  limit: z.int().min(1).max(1_000).optional(),
  /** `nextCursor` of the page before. */
  cursor: z.string().max(100).optional(),
});
/** Which of them to list; every given filter must match. */
export type RanQuery = z.infer<typeof ranQuerySchema>;

/** Checks a page, newest first. */
export const ranPageSchema = /* @__PURE__ */ (() =>
  z.object({
    /** Whether actions are kept at all: a person has to turn that on. */
    isOn: z.boolean(),
    items: z.array(ranSchema.extend({ id: z.string() })),
    /** Absent on the last page. A page of a long search may end early, even empty, with a next one. */
    nextCursor: z.string().optional(),
  }))();
/** A page, newest first. */
export type RanPage = z.infer<typeof ranPageSchema>;

/**
 * What ran without a person: a feed for people, bounded in number and time, which may miss what was added just before a crash; the record of
 * approvals misses nothing. Test an implementation with `ranContract` from `@askbox/core/testing`.
 */
export interface RanLog {
  /** Adds these in their order. Resolves when they are stored; several calls may share a write. Throws `STORE_UNAVAILABLE`. */
  add(actions: readonly Ran[]): Promise<void>;
  list(query?: RanQuery): Promise<RanPage>;
}
