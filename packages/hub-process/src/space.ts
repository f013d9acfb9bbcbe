// A space: an inbox that several hubs share over one store. Its tokens are made once and kept there, a lost space is noticed, and what must
// happen once, such as a reminder, is done by the one hub that claims it.

import { join } from "node:path";
import { AskboxError, type SharedState } from "@askbox/core";
import type { Peer } from "@askbox/core/transport";
import { type HomeFolders, readJsonFile, writePrivateFile } from "@askbox/home";
import * as z from "zod";

const secret = z.string().min(20);
/** `proofKey` is missing in a space that an earlier version created. */
const keptSchema = z.looseObject({ askerToken: secret, deskToken: secret, proofKey: secret.optional() });
interface SpaceTokens {
  askerToken: string;
  deskToken: string;
  proofKey: string;
}

/** Where the tokens of a space are; without them, there is no such space. */
const spaceKey = "tokens";
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

/**
 * Notes that this home serves a space, and returns a sentence if it did so before and the store has nothing of it any more: it was emptied, or
 * started without its data. Called before the space's tokens are made.
 */
export async function lostSpace(shared: SharedState, folders: HomeFolders, store: string): Promise<string | undefined> {
  const file = join(folders.data, "space.json");
  const isThere = (await shared.get(spaceKey)) !== undefined;
  const isKnown = readJsonFile(file)?.["store"] === store;
  if (!isKnown) writePrivateFile(file, JSON.stringify({ store }));
  if (isThere || !isKnown) return undefined;
  return `${store} has nothing of the inbox that this hub has served there before: it was emptied, or started without its data. Its questions, tokens and logins are gone, unless you restore them.`;
}

/** The longest delay in delivering an event; a hub that was away for longer delivers it again. */
const remembered = 7 * 86_400_000;

/** Lets only one of several hubs handle an event; undefined if there is only one hub. */
export function oneHub(shared: SharedState | undefined, instance: string): ((eventId: string) => Promise<boolean>) | undefined {
  return shared && ((eventId) => shared.swap(`told:${eventId}`, undefined, instance, remembered));
}

/** Another hub over the same store, as `hub status` shows it. */
export interface HubPeer {
  instance: string;
  url?: string;
  version?: string;
  pid?: number;
  /** How far its clock is ahead, in ms. */
  clockAhead: number;
}

export function peerOf({ id, about, clockAhead }: Peer): HubPeer {
  const { instance = id, url, version, pid } = about;
  return { instance, url, version, ...(pid !== undefined && { pid: Number(pid) }), clockAhead };
}
