import type * as z from "zod";
import type { WebhookEvent } from "../event.ts";
import type { Outgoing } from "../request/outgoing.ts";
import type { TargetBase, WebhookEventType } from "../target.ts";

/** One way to tell a program or a service: how it is configured, and what is sent. Adding one takes a file here and a line in `index.ts`. */
export interface WebhookKind<Settings extends object = object> {
  /** What it is, with its article, for sentences. */
  noun: string;
  /** What it sends, for the config's schema. */
  sends: string;
  /** Its own settings in an entry of the config's `webhooks`. */
  fields: z.ZodRawShape;
  /** The one of them that is secret, and may stand in `secretFile` instead. */
  credential: string;
  /** What is wrong with that one, completing a sentence that begins with the entry; undefined if nothing is. */
  credentialProblem?(given: string): string | undefined;
  /** What is told where the entry does not say. */
  events: readonly WebhookEventType[];
  /** What is wrong with a URL; undefined if nothing is. */
  urlProblem?(url: URL): string | undefined;
  request(target: TargetBase & Settings, event: WebhookEvent, now: number): Outgoing;
}
