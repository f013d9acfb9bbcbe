import type * as z from "zod";
import type { WebhookEvent } from "../event.ts";
import type { Outgoing } from "../request/outgoing.ts";
import type { TargetBase, WebhookEventType } from "../target.ts";
import type { WebhookKind } from "./kind.ts";
import { ntfy } from "./ntfy.ts";
import { webhook } from "./webhook.ts";

/** Every kind of webhook. */
export const webhookKinds = Object.freeze({ webhook, ntfy });
/** The settings of all kinds; an entry may only use those of its kind. */
export const webhookKindFields = { ...webhook.fields, ...ntfy.fields };
export type WebhookKindName = keyof typeof webhookKinds;
export const webhookKindNames = Object.freeze(Object.keys(webhookKinds)) as readonly WebhookKindName[];
/** The default kind. */
export const defaultWebhookKind: WebhookKindName = "webhook";

/** A receiver with the settings of its kind. */
export type Target = {
  [Name in WebhookKindName]: TargetBase & { kind: Name } & z.output<z.ZodObject<(typeof webhookKinds)[Name]["fields"]>>;
}[WebhookKindName];

type Entry = Omit<TargetBase, "events"> & {
  kind: WebhookKindName;
  events?: readonly WebhookEventType[] | undefined;
} & Readonly<Record<string, unknown>>;

/** What is wrong with an entry of the config, beyond its individual fields; continues a sentence that starts with the entry. */
export function webhookEntryProblems(entry: Entry & { secretFile?: string | undefined }): string[] {
  const { noun, credential, urlProblem }: WebhookKind = webhookKinds[entry.kind];
  const credentials = Object.values<WebhookKind>(webhookKinds).map((kind) => kind.credential);
  const foreign = credentials.filter((name) => name !== credential && entry[name] !== undefined);
  const isTwice = entry.secretFile !== undefined && credentials.some((name) => entry[name] !== undefined);
  const ofUrl = URL.canParse(entry.url) ? urlProblem?.(new URL(entry.url)) : undefined;
  return [
    ...foreign.map((name) => `has no ${name}: ${noun} needs a ${credential}`),
    ...(isTwice ? ["accepts a secret or a secretFile, not both"] : []),
    ...(ofUrl === undefined ? [] : [ofUrl]),
    ...credentialProblems(entry),
  ];
}

/** What is wrong with the secret of an entry or a target; continues a sentence that starts with it. */
export function credentialProblems(entry: { kind: WebhookKindName } & Readonly<Record<string, unknown>>): string[] {
  const { credential, credentialProblem }: WebhookKind = webhookKinds[entry.kind];
  const given = entry[credential];
  const problem = typeof given === "string" ? credentialProblem?.(given) : undefined;
  return problem === undefined ? [] : [problem];
}

/** The target of a config entry, with defaults. `secret`: the contents of its secret file. */
export function webhookTarget(entry: Entry, secret: string | undefined): Target {
  const { credential, events } = webhookKinds[entry.kind];
  return { ...entry, events: entry.events ?? events, [credential]: entry[credential] ?? secret } as Target;
}

export function requestOf(target: Target, event: WebhookEvent, now: number): Outgoing {
  const kind: WebhookKind = webhookKinds[target.kind];
  return kind.request(target, event, now);
}
