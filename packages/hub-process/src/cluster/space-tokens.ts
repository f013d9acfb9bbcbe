import { AskboxError, type SharedState } from "@askbox/core";
import * as z from "zod";

const secret = z.string().min(20);
/** `proofKey` is missing in a space that an earlier version created. */
const keptSchema = z.looseObject({ askerToken: secret, deskToken: secret, proofKey: secret.optional() });
export interface SpaceTokens {
  askerToken: string;
  deskToken: string;
  proofKey: string;
}

/** Where the tokens of a space are; without them, there is no such space. */
export const spaceKey = "tokens";
/** Each failed attempt means that another hub succeeded, and one success is enough. */
const maxTries = 5;

/**
 * The two tokens of a space and the key by which its hubs prove themselves. All hubs use those of the first one, and write them into the
 * files of their homes. Stored in plain text rather than as hashes, since the hubs need them; anyone who can read Redis can read every
 * answer in it. Throws `STORE_UNAVAILABLE` and `STORE_DAMAGED`.
 */
export async function spaceTokens(shared: SharedState, own: SpaceTokens): Promise<SpaceTokens> {
  await shared.swap(spaceKey, undefined, JSON.stringify(own), null);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const kept = await shared.get(spaceKey);
    const { proofKey, ...rest } = read(kept);
    if (proofKey !== undefined) return { ...rest, proofKey };
    await shared.swap(spaceKey, kept, JSON.stringify({ ...rest, proofKey: own.proofKey }), null);
  }
  throw damaged();
}

function read(kept: string | undefined): z.output<typeof keptSchema> {
  try {
    return keptSchema.parse(JSON.parse(kept ?? ""));
  } catch (cause) {
    throw damaged(cause);
  }
}

const damaged = (cause?: unknown) =>
  new AskboxError("STORE_DAMAGED", "The tokens of this space cannot be read; a newer askbox may have written them.", { cause });
