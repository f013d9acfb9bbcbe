export { type AttentionProblemsOptions, attentionProblems } from "./attention-problems.ts";
export type { AttentionSettings } from "./channels/channel.ts";
export { type AttentionMode, attentionModes, callsPeople } from "./channels/index.ts";
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
} from "./channels/kinds.ts";
export { type OpenInBrowserOptions, openInBrowser } from "./channels/open-in-browser.ts";
export { defaultAttention } from "./default-attention.ts";
export type { TargetStatus } from "./queue/delivery.ts";
export type { OutboxStorage } from "./queue/outbox.ts";
export type { Ending, Environment, Runner, Running, RunRequest, RunResult } from "./run/runner.ts";
export { type Attention, type AttentionOptions, startAttention } from "./start-attention.ts";
export { startWebhooks, type Webhooks, type WebhooksOptions } from "./start-webhooks.ts";
export { type WebhookEventType, webhookEventTypes } from "./target.ts";
export { type Notice, noticeOf } from "./text/notice.ts";
