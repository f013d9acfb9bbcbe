import * as z from "zod";
import { presenceSchema } from "../session/view.ts";

/** What one hub knows of who is at a session. */
export const presenceFactsSchema = presenceSchema.extend({
  /** Somebody waits, rather than being about to. */
  isWaiting: z.boolean(),
});
export type PresenceFacts = z.infer<typeof presenceFactsSchema>;

const presence = z.array(z.tuple([z.string(), presenceFactsSchema.nullable()]));

/** What hubs tell each other; of a newer hub's messages, those of a type that is not known are let be. */
const peerMessageSchema = z.object({
  from: z.string(),
  /** One more with each message of this hub. */
  seq: z.int(),
  body: z.discriminatedUnion("type", [
    /** A hub begins. */
    z.object({ type: z.literal("hello") }),
    z.object({ type: z.literal("alive"), about: z.record(z.string(), z.string()), now: z.number() }),
    /** What has changed. */
    z.object({ type: z.literal("news"), presence, drafts: z.array(z.string()) }),
    /** Everything that this hub knows, in parts; the first replaces what was told before. */
    z.object({ type: z.literal("all"), isFirst: z.boolean(), presence }),
    /** Asks one hub for everything. */
    z.object({ type: z.literal("ask"), of: z.string() }),
    /** A hub ends. */
    z.object({ type: z.literal("bye") }),
  ]),
});
export type PeerMessage = z.infer<typeof peerMessageSchema>;

export function readPeerMessage(text: string): PeerMessage | undefined {
  try {
    return peerMessageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
