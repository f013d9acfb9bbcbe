import type * as z from "zod";
import type { WebhookEvent } from "../event.ts";
import type { Outgoing } from "../request/outgoing.ts";
import type { TargetBase, WebhookEventType } from "../target.ts";

/** One way to notify a program or a service: its settings, and what is sent. To add one, add a file here and a line in `index.ts`. */
export interface WebhookKind<Settings extends object = object> {
  /** Its name with an article, for sentences. */
  noun: string;
  /** What it sends, for the config's schema. */
  sends: string;
  /** Its settings in an entry of the config's `webhooks`. */
  fields: z.ZodRawShape;
  /** The secret setting, which `secretFile` can replace. */
  credential: string;
  /** What is wrong with a secret, continuing a sentence that starts with the entry; undefined if it is valid. */
  credentialProblem?(given: string): string | undefined;
  /** The events that are sent by default. */
  events: readonly WebhookEventType[];
  /** What is wrong with a URL; undefined if it is valid. */
  urlProblem?(url: URL): string | undefined;
  request(target: TargetBase & Settings, event: WebhookEvent, now: number): Outgoing;
}
