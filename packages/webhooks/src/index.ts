export type { TargetStatus } from "./delivery/delivery.ts";
export type { OutboxStorage } from "./delivery/outbox.ts";
export {
  credentialProblems,
  defaultWebhookKind,
  type Target,
  type WebhookKindName,
  webhookEntryProblems,
  webhookKindFields,
  webhookKindNames,
  webhookKinds,
  webhookTarget,
} from "./kinds/index.ts";
export { startWebhooks, type Webhooks, type WebhooksOptions } from "./start-webhooks.ts";
export { type WebhookEventType, webhookEventTypes } from "./target.ts";
