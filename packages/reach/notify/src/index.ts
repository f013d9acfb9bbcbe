export type { AnnouncedFile } from "./announcer.ts";
export { type AnnouncerChannel, startAnnouncer } from "./announcer.ts";
export {
  type AttentionRule,
  type AttentionRules,
  attentionRuleSchema,
  noRules,
  quietHoursSchema,
  ruleFor,
  timesElsewhere,
} from "./attention.ts";
export { isTestToken, testToken } from "./button-press/tokens.ts";
export { openInBrowser } from "./channels/browser.ts";
export { pathOf } from "./channels/channel.ts";
export {
  type AttentionMode,
  attentionModes,
  attentionProblems,
  defaultAttention,
  defaultWebhookKind,
  notifiesAnyone,
  type Target,
  webhookSchema,
  webhookTargets,
} from "./channels/index.ts";
export { causeOf } from "./channels/post.ts";
export { credentialProblem as webhookSecretProblem, signature as webhookSignature } from "./channels/webhook.ts";
export { denialsAt, startDigest } from "./digest.ts";
export type { NotifyEvent } from "./event.ts";
export { type Failures, failures, pause, type WarnOnce, warnOnceTo } from "./failures.ts";
export { type Ended, keepReading, type Session } from "./keep-reading.ts";
export { eventNotice, whoAsks } from "./notice.ts";
export type { Notify, Push, PushBrowser, PushOptions, PushStatus, TargetStatus } from "./options.ts";
export { endpointProblem, keptPushSchema, type PublicFetchOptions, publicFetch, subscriptionSchema } from "./push/subscription.ts";
export { newVapidKey, publicKeyOf, type VapidKey, vapidKeySchema } from "./push/web-push.ts";
export type { Attempt, DeliveryMeter, DeliveryResult } from "./queue.ts";
export { sendTests } from "./send-test.ts";
export { startNotify } from "./start-notify.ts";
export { newestWriter, stateFile } from "./state-file.ts";
export type { TestResult } from "./test-session.ts";
