import * as z from "zod";
import { limits } from "../session/limits.ts";
import { answererSchema } from "../session/outcome.ts";
import { actionKinds } from "../session/questions/constants.ts";
import { grantScopes } from "../session/questions/grant-value.ts";

/** What a person has allowed in advance. Times are wall time in ms since the epoch. */
export const grantSchema = z.object({
  id: z.string().min(1).max(100),
  scope: z.enum(grantScopes),
  /** The client whose agents it is for, by the name that the client reports. */
  client: z.string().min(1).max(200),
  /** The project folder's absolute path, on its machine. */
  project: z.string().min(1).max(4_096),
  /** The machine that it is for, by the name it had; absent for the hub's own. */
  machine: z.string().min(1).max(limits.asker.machine).optional(),
  /** Whose asks that machine's are, by which it is told apart: another may get its name. */
  owner: z.string().min(1).max(200).optional(),
  /** The only conversation it applies to, by the client's own id; for the scope `session`. */
  conversation: z.string().max(500).optional(),
  kind: z.enum(actionKinds),
  tool: z.string().max(500).optional(),
  match: z.discriminatedUnion("type", [
    /** The only action it allows, by digest. */
    z.object({ type: z.literal("exact"), digest: z.string().max(200) }),
    /** Allows plain commands that begin with these words. */
    z.object({ type: z.literal("prefix"), prefix: z.string().min(1).max(500) }),
  ]),
  /** What was allowed, for display; shortened. */
  shown: z.string().max(2_000),
  /** The folder in which a command runs. */
  cwd: z.string().max(4_096).optional(),
  by: answererSchema,
  /** The approval that created it. */
  sessionId: z.string().max(200).optional(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
/** A stored decision: what an agent may do without asking, and until when. */
export type Grant = z.infer<typeof grantSchema>;

/**
 * What people have allowed in advance. Only desks can access it: an asker can neither create nor see a grant. Test an implementation with
 * `grantsContract` from `@askbox/core/testing`.
 */
export interface Grants {
  /** All of them, in the order in which they were created; expired ones remain until another is added. */
  list(): Promise<Grant[]>;
  /**
   * Adds a grant; does nothing if its id exists. Throws `VALIDATION` if it is invalid or there are 1,000 already, and `STORE_UNAVAILABLE`.
   */
  add(grant: Grant): Promise<Grant>;
  /** Returns whether it existed. */
  remove(id: string): Promise<boolean>;
}
