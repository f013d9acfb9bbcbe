export const webhookEventTypes = ["session.opened", "session.asked_back", "session.replied_back", "session.settled"] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The settings that all kinds of targets share. */
export interface TargetBase {
  /** http or https; redirects are not followed. */
  url: string;
  events: readonly WebhookEventType[];
  /** Whether to send titles, questions and answers; otherwise only who asked and the outcome. */
  text: boolean;
  /** Limits the events to one project or one agent. */
  project?: string | undefined;
  agentId?: string | undefined;
  /** The inbox URL for the receiver, such as `https://askbox.example`; the link to the session's page is derived from it. */
  inbox?: string | undefined;
}
