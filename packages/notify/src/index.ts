export { type OpenInBrowserOptions, openInBrowser } from "./channels/browser.ts";
export {
  type AttentionMode,
  type AttentionProblemsOptions,
  attentionModes,
  attentionProblems,
  defaultAttention,
  defaultWebhookKind,
  notifiesAnyone,
} from "./channels/index.ts";
export { type Target, webhookSchema, webhookTargets } from "./channels/webhook-schema.ts";
export type { Notify, NotifyOptions, TargetStatus } from "./options.ts";
export { startNotify } from "./start-notify.ts";
