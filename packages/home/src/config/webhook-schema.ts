import {
  defaultWebhookKind,
  webhookEntryProblems,
  webhookEventTypes,
  webhookKindFields,
  webhookKindNames,
  webhookKinds,
} from "@askbox/notify";
import * as z from "zod";

const text = z.string().min(1);
const httpUrl = z.url({ protocol: /^https?$/, error: "must be a http or https URL" });

const sent = Object.values(webhookKinds).map(({ sends }) => sends);
const whatIsSent = `${sent.join(", or ")}.`;

/** One entry of `webhooks`: the shared settings, and those of each kind, of which an entry may only use its own kind's. */
export const webhookSchema = z
  .strictObject({
    url: httpUrl.describe("Where to post; for ntfy, the path is the topic."),
    kind: z
      .enum(webhookKindNames)
      .default(defaultWebhookKind)
      .describe(`${whatIsSent.charAt(0).toUpperCase()}${whatIsSent.slice(1)}`),
    events: z
      .array(z.enum(webhookEventTypes))
      .min(1)
      .optional()
      .describe("The events to send. Default: all for a webhook, session.opened and session.replied_back for ntfy."),
    ...webhookKindFields,
    secretFile: text.optional().describe("A file whose first line is the webhook's secret, or the ntfy server's access token."),
    text: z.boolean().default(true).describe("Whether titles, questions and answers are sent."),
    project: text.optional().describe("Only sessions from this project folder."),
    agentId: text.optional().describe("Only sessions from this agent."),
    inbox: httpUrl.optional().describe("The URL at which the receiver reaches the inbox, used for links to sessions."),
  })
  .superRefine((entry, { addIssue }) => {
    for (const message of webhookEntryProblems(entry)) addIssue({ code: "custom", message });
  });
