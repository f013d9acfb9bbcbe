export { type AttentionRule, type AttentionRules, attentionRuleSchema, quietHoursSchema } from "./attention-schema.ts";
export { openInBrowser } from "./channels/browser.ts";
export {
  type AttentionMode,
  attentionModes,
  attentionProblems,
  defaultAttention,
  defaultWebhookKind,
  notifiesAnyone,
} from "./channels/index.ts";
export { type Target, webhookSchema, webhookTargets } from "./channels/webhook-schema.ts";
export type { Notify, TargetStatus } from "./options.ts";
export { sendTests, type TestResult } from "./send-test.ts";
export { startNotify } from "./start-notify.ts";
