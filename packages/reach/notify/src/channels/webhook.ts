import { createHmac } from "node:crypto";
import { actionLine } from "@askbox/core/questions";
import { plainLine } from "@askbox/terminal-text";
import * as z from "zod";
import { type NotifyEvent, sessionEvents } from "../event.ts";
import { pageOf, type RemoteChannel, type TargetBase } from "./channel.ts";
import type { Outgoing } from "./post.ts";

/** The prefix of a base64 key in the specification. */
const prefix = "whsec_";

const fields = {
  secret: z
    .string()
    .min(1)
    .optional()
    .describe("Signs the requests of a webhook: whsec_ and the base64 of 24 to 64 bytes, or any text. Better kept in secretFile."),
};
type Settings = z.output<z.ZodObject<typeof fields>>;

/** A receiver of JSON, following the Standard Webhooks specification. Without a secret, requests are not signed. */
export const webhook = {
  noun: "a webhook",
  words: { sends: "signed JSON for a program", events: "all but denials.digest for a webhook", credential: "the webhook's secret" },
  reader: "program",
  fields,
  credential: "secret",
  credentialProblem,
  events: sessionEvents,
  request,
} satisfies RemoteChannel<Settings>;

/**
 * A request according to the Standard Webhooks specification 1.0: `{type, timestamp, data}`, with `webhook-id`, `webhook-timestamp`
 * (seconds, of this attempt) and, if there is a secret, `webhook-signature` (`v1,` and the base64 HMAC-SHA256 of id, timestamp and body).
 */
function request(target: TargetBase & Settings, event: NotifyEvent, now: number): Outgoing {
  const { id, type, at, session, message, denials } = event;
  const body = JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      ...(denials !== undefined && { count: denials }),
      session: denials !== undefined ? denied(session, target.text) : target.text ? session : withoutText(session),
      ...(message !== undefined && { message: target.text ? message : { id: message.id, by: message.by, at: message.at } }),
      url: pageOf(target, event),
    },
  });
  const timestamp = String(Math.floor(now / 1_000));
  return {
    url: target.url,
    headers: {
      "content-type": "application/json",
      "user-agent": "askbox",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      ...(target.secret !== undefined && { "webhook-signature": signature(target.secret, `${id}.${timestamp}.${body}`) }),
    },
    body,
  };
}

/** What is wrong with a secret that has the specification's prefix; a receiver's library would reject it. */
export function credentialProblem(secret: string): string | undefined {
  if (!secret.startsWith(prefix)) return undefined;
  const encoded = secret.slice(prefix.length);
  const { length } = Buffer.from(encoded, "base64");
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && encoded.length % 4 === 0;
  return isBase64 && length >= 24 && length <= 64 ? undefined : "has a secret that is not whsec_ and the base64 of 24 to 64 bytes";
}

/** What `webhook-signature` has for one secret. */
export function signature(secret: string, signed: string): string {
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), "base64") : Buffer.from(secret);
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

/** What a model has denied, without the words of the agent and the model. */
function denied(session: NotifyEvent["session"], text: boolean): object {
  return { ...withoutText(session), ...(text && { action: plainLine(actionLine(session.questions) ?? "") }) };
}

/** Who asked and the current state, without any text from the agent or a person. */
function withoutText({ id, status, asker, questions, createdAt, deadlineAt, closedAt, outcome }: NotifyEvent["session"]): object {
  return {
    id,
    status,
    asker: { ...asker, background: undefined },
    questionCount: questions.length,
    createdAt,
    deadlineAt,
    closedAt,
    ...(outcome !== undefined && { outcome: { kind: outcome.kind, by: outcome.by, at: outcome.at } }),
  };
}
