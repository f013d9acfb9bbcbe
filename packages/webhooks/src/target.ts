export const webhookEventTypes = ["session.opened", "session.asked_back", "session.replied_back", "session.settled"] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** What every kind of target has. */
export interface TargetBase {
  /** http or https; a redirect is not followed. */
  url: string;
  events: readonly WebhookEventType[];
  /** Whether titles, questions and answers are sent; else only who asked, and how it ended. */
  text: boolean;
  /** Only sessions of this project, or of this agent. */
  project?: string | undefined;
  agentId?: string | undefined;
  /** Where the inbox is for whoever gets this, such as `https://askbox.example`; the session's own page is named below it. */
  inbox?: string | undefined;
}
