export type { TargetStatus } from "./delivery/delivery.ts";
export type { OutboxStorage } from "./delivery/outbox.ts";
export { startWebhooks, type Webhooks, type WebhooksOptions } from "./start-webhooks.ts";
export { type NtfyTarget, type Target, type WebhookEventType, type WebhookTarget, webhookEventTypes } from "./target.ts";
