export const webhookEventTypes = ["session.opened", "session.settled"] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

interface TargetBase {
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

/** A receiver of JSON, as the Standard Webhooks specification has it. */
export interface WebhookTarget extends TargetBase {
  kind: "webhook";
  /** Signs each request: `whsec_` and base64, or any text. Without it requests are not signed. */
  secret?: string | undefined;
}

/** A topic of an ntfy server; the URL's path is the topic. */
export interface NtfyTarget extends TargetBase {
  kind: "ntfy";
  /** An access token of that server. */
  token?: string | undefined;
  /** 1 (least) to 5. Without it the server's default, 3. */
  priority?: number | undefined;
}

export type Target = WebhookTarget | NtfyTarget;
