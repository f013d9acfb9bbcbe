import { z } from "zod";

const text = z.string().min(1);
const httpUrl = z.url({ protocol: /^https?$/, error: "must be a http or https URL" });

/** One entry of `webhooks`. */
export const webhookSchema = z
  .strictObject({
    url: httpUrl.describe("Where to post to; of an ntfy target the path is the topic."),
    kind: z.enum(["webhook", "ntfy"]).default("webhook").describe("Signed JSON for a program, or a push by an ntfy server."),
    events: z
      .array(z.enum(["session.opened", "session.settled"]))
      .min(1)
      .optional()
      .describe("What to tell. Default: both to a webhook, only session.opened to ntfy."),
    secret: text.optional().describe("Signs the requests of a webhook: whsec_ and base64, or any text. Better kept in secretFile."),
    secretFile: text.optional().describe("A file whose first line is the secret of a webhook, or the access token of an ntfy server."),
    token: text.optional().describe("The access token of an ntfy server. Better kept in secretFile."),
    priority: z.int().min(1).max(5).optional().describe("The priority of an ntfy push; 3 is the server's default."),
    text: z.boolean().default(true).describe("Whether titles, questions and answers are sent."),
    project: text.optional().describe("Only sessions of this project's folder."),
    agentId: text.optional().describe("Only sessions of this agent."),
    inbox: httpUrl.optional().describe("Where the inbox is for whoever gets this; the session's page is named below it."),
  })
  .superRefine(({ kind, secret, token, secretFile, url }, { addIssue }) => {
    const refuse = (message: string) => addIssue({ code: "custom", message });
    if (kind === "ntfy" && secret !== undefined) refuse("has no secret: an ntfy server takes a token");
    if (kind === "webhook" && token !== undefined) refuse("has no token: a webhook takes a secret");
    if (secretFile !== undefined && (secret ?? token) !== undefined) refuse("takes a secret or a secretFile, not both");
    if (kind === "ntfy" && URL.canParse(url) && !/^\/[\w-]{1,64}$/.test(new URL(url).pathname)) {
      refuse("must have the topic as its URL's path, such as https://ntfy.sh/my-topic");
    }
  });
