import * as z from "zod";
import { presenceSchema } from "../session/view.ts";

/** A hub's presence at a session. */
const presenceFactsSchema = presenceSchema.extend({
  /** A call is waiting, rather than about to wait. */
  isWaiting: z.boolean(),
});
export type PresenceFacts = z.infer<typeof presenceFactsSchema>;

const presence = z.array(z.tuple([z.string(), presenceFactsSchema.nullable()]));

/** Messages between hubs; unknown types from newer hubs are ignored. */
const peerMessageSchema = z.object({
  from: z.string(),
  /** Incremented with each message of this hub. */
  seq: z.int(),
  body: z.discriminatedUnion("type", [
    /** A hub has started. */
    z.object({ type: z.literal("hello") }),
    z.object({ type: z.literal("alive"), about: z.record(z.string(), z.string()), now: z.number() }),
    /** What has changed. */
    z.object({ type: z.literal("news"), presence, drafts: z.array(z.string()) }),
    /** The complete state of this hub, in parts; the first replaces the earlier state. */
    z.object({ type: z.literal("all"), isFirst: z.boolean(), presence }),
    /** Requests the complete state of one hub. */
    z.object({ type: z.literal("ask"), of: z.string() }),
    /** A hub has ended. */
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
