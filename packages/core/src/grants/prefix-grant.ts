import * as z from "zod";
import { AskboxError } from "../errors.ts";
import type { Grant } from "../ports/grants.ts";
import type { Answerer } from "../session/actor.ts";
import { projectSchema } from "../session/asker-info.ts";
import { grantDurations } from "../session/questions/grant-value.ts";
import { wordsOfPlainCommand } from "./plain-command.ts";

/** What a person enters to grant commands by their first words. */
export const grantWishSchema = z.object({
  /** The first words of a plain command. */
  prefix: z.string().min(1).max(500),
  /** The client whose agents may run it, such as `claude-code`. */
  client: z.string().min(1).max(200),
  /** The project folder's absolute path. */
  project: projectSchema.min(1),
  /** Milliseconds, from a minute to 30 days. */
  duration: z.number().min(grantDurations.min).max(grantDurations.max).default(grantDurations.default),
});
/** A person's grant for commands that begin with a prefix. */
export type GrantWish = z.input<typeof grantWishSchema>;

/** A grant for plain commands that begin with a prefix. Throws `VALIDATION` for a prefix that no plain command can have. */
export function prefixGrant(wish: z.output<typeof grantWishSchema>, { id, by, now }: { id: string; by: Answerer; now: number }): Grant {
  const { prefix, client, project, duration } = wish;
  const words = wordsOfPlainCommand(prefix);
  if (words === undefined) {
    throw new AskboxError(
      "VALIDATION",
      "A prefix is a plain command's first words: one that joins, substitutes, redirects, expands or sets a variable matches nothing.",
    );
  }
  return {
    id,
    scope: "project",
    client,
    project,
    kind: "command",
    by,
    match: { type: "prefix", prefix },
    shown: `${prefix} …`,
    createdAt: now,
    expiresAt: now + duration,
  };
}
