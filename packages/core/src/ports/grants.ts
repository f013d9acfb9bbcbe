import * as z from "zod";
import { answererSchema } from "../session/actor.ts";
import { actionKinds } from "../session/questions/action.ts";
import { grantScopes } from "../session/questions/grant-value.ts";

/** What a person has allowed beforehand. Times are wall time in ms since the epoch. */
export const grantSchema = z.object({
  id: z.string().min(1).max(100),
  scope: z.enum(grantScopes),
  /** The client whose agents it is for, as it names itself. */
  client: z.string().min(1).max(200),
  /** The project folder's absolute path. */
  project: z.string().min(1).max(4_096),
  /** The only conversation it holds for, by the client's own id; of the scope `session`. */
  conversation: z.string().max(500).optional(),
  kind: z.enum(actionKinds),
  tool: z.string().max(500).optional(),
  match: z.discriminatedUnion("type", [
    /** The one action with this digest. */
    z.object({ type: z.literal("exact"), digest: z.string().max(200) }),
    /** Plain commands that begin with these words. */
    z.object({ type: z.literal("prefix"), prefix: z.string().min(1).max(500) }),
  ]),
  /** What was allowed, for people; shortened. */
  shown: z.string().max(2_000),
  /** The folder in which a command runs. */
  cwd: z.string().max(4_096).optional(),
  by: answererSchema,
  /** The approval that it was made with. */
  sessionId: z.string().max(200).optional(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
/** A remembered decision: what an agent may do without asking, and until when. */
export type Grant = z.infer<typeof grantSchema>;

/**
 * What people have allowed beforehand. Only desks reach it: an asker can neither make a grant nor see one.
 * Prove an implementation with `grantsContract` from `@askbox/core/testing`.
 */
export interface Grants {
  /** All of them, in the order in which they were made; those that are over too, until another is made. */
  list(): Promise<Grant[]>;
  /** Adds a grant; one of an id that is there already changes nothing. Throws `VALIDATION` if it cannot be one, or there are 1,000, and `STORE_UNAVAILABLE`. */
  add(grant: Grant): Promise<Grant>;
  /** Whether it was there. */
  remove(id: string): Promise<boolean>;
}
