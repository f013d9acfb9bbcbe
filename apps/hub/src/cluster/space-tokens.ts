import { AskboxError, type SharedState } from "@askbox/core";
import * as z from "zod";

const tokensSchema = z.object({ askerToken: z.string().min(20), deskToken: z.string().min(20), proofKey: z.string().min(20) });
export type SpaceTokens = z.output<typeof tokensSchema>;

const key = "tokens";

/**
 * The two tokens of a space and the key by which its hubs prove themselves. All of its hubs take those of the first hub that came, and write them into the
 * files of their homes. Kept as they are, and not as hashes, since the hubs need them; whoever can read the Redis can read every answer in it, too.
 * Throws `STORE_UNAVAILABLE` and `STORE_DAMAGED`.
 */
export async function spaceTokens(shared: SharedState, own: SpaceTokens): Promise<SpaceTokens> {
  await shared.swap(key, undefined, JSON.stringify(own), null);
  const kept = await shared.get(key);
  try {
    return tokensSchema.parse(JSON.parse(kept ?? ""));
  } catch (cause) {
    throw new AskboxError("STORE_DAMAGED", "The tokens of this space cannot be read; a newer askbox may have written them.", { cause });
  }
}
