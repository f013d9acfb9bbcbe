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
export type { PressResult, Push, PushBrowser, PushOptions, PushStatus } from "./push/options.ts";
export { endpointProblem, keptPushSchema, subscriptionSchema } from "./push/subscription.ts";
export { newVapidKey, publicKeyOf, type VapidKey, vapidKeySchema } from "./push/vapid.ts";
export { sendTests } from "./send-test.ts";
export { startNotify } from "./start-notify.ts";
export type { TestResult } from "./test-session.ts";
