export type { AnnouncedFile } from "./announced-file.ts";
export { type AnnouncerChannel, startAnnouncer } from "./announcer.ts";
export {
  type AttentionRule,
  type AttentionRules,
  attentionRuleSchema,
  noRules,
  quietHoursSchema,
  timesElsewhere,
} from "./attention-schema.ts";
export { isTestToken, testToken } from "./button-press/test-token.ts";
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
export { type Failures, failures } from "./failures.ts";
export { whoAsks } from "./notice.ts";
export type { Notify, TargetStatus } from "./options.ts";
export type { Push, PushBrowser, PushOptions, PushStatus } from "./push/options.ts";
export { endpointProblem, keptPushSchema, subscriptionSchema } from "./push/subscription.ts";
export { newVapidKey, publicKeyOf, type VapidKey, vapidKeySchema } from "./push/vapid.ts";
export type { DeliveryMeter, DeliveryResult } from "./queue/queue.ts";
export { stateFile } from "./queue/state-file.ts";
export { sendTests } from "./send-test.ts";
export { startNotify } from "./start-notify.ts";
export type { TestResult } from "./test-session.ts";
export { type WarnOnce, warnOnceTo } from "./warn-once.ts";
