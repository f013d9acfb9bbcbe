import { AskboxError } from "@askbox/core";
import * as z from "zod";
import { type Answered, call } from "../http.ts";
import type { ChatAccess, ChatIdentity, Sent } from "../port.ts";

/** Milliseconds until a request counts as failed. */
const timeout = 15_000;

/** What only a person can change, at Slack. */
const refused: Readonly<Record<string, string>> = {
  invalid_auth: "its token is wrong",
  not_authed: "its token is wrong",
  token_revoked: "its token was revoked",
  token_expired: "its token has expired",
  account_inactive: "the app was removed from the workspace",
  not_allowed_token_type: "the two tokens are mixed up",
  missing_scope: "the app lacks a permission",
  link_disabled: "Socket Mode is turned off for the app",
};
/** What it may have done before it failed. */
const unsure = new Set(["fatal_error", "internal_error"]);
const passing = new Set(["ratelimited", "rate_limited", "service_unavailable", "request_timeout"]);

const answerSchema = z.object({
  ok: z.boolean(),
  error: z.string().max(200).optional().catch(undefined),
  needed: z.string().max(200).optional().catch(undefined),
});

/** One method of the Web API (docs.slack.dev/reference/methods), as a form, which every method takes. */
export type Method = (
  name: string,
  params: Readonly<Record<string, unknown>>,
  options?: { token?: "appToken" | "botToken"; signal?: AbortSignal },
) => Promise<Answered>;

export function webApi({ secrets, api, clock, fetch }: ChatAccess): Method {
  return (name, params, { token = "botToken", signal } = {}) => {
    const body = new URLSearchParams();
    for (const [key, value] of Object.entries(params))
      if (value !== undefined) body.set(key, typeof value === "string" ? value : JSON.stringify(value));
    const init = { method: "POST", headers: { authorization: `Bearer ${secrets[token]}` }, body };
    return call(`${api.replace(/\/$/, "")}/${name}`, init, { clock, fetch, timeout, signal });
  };
}

/** Why a method has failed: a clause, and what is to be done about it. */
export interface Refusal {
  why: string;
  /** Slack's name of the error. */
  error: string | undefined;
  after: number | undefined;
  isRefused: boolean;
}

/** Undefined if the method has worked. */
export function refusal({ status, body, failure, retryAfter: after }: Answered): Refusal | undefined {
  if (failure !== undefined) return { why: failure.why, error: undefined, after: undefined, isRefused: false };
  const { data } = answerSchema.safeParse(body);
  if (status === 200 && data?.ok) return undefined;
  const error = data?.error;
  if (error === undefined) return { why: `it answered ${status}`, error, after, isRefused: false };
  return { ...reasonOf(error, data?.needed), error, after };
}

export function reasonOf(error: string, needed?: string): { why: string; isRefused: boolean } {
  const words = Object.hasOwn(refused, error) ? refused[error] : undefined;
  return {
    why: words === undefined ? `it answered "${error}"` : `${words} (${needed ?? error})`,
    isRefused: words !== undefined,
  };
}

/** What came of a message. A post is not repeated if it may have arrived. */
export function sentOf(answered: Answered, idOf: (ts: string) => string): Sent {
  const { status, body, failure } = answered;
  const refusedAs = refusal(answered);
  if (refusedAs === undefined) return { ok: true, id: idOf(z.object({ ts: z.string() }).catch({ ts: "" }).parse(body).ts) };
  const { why, error = "", after, isRefused } = refusedAs;
  if (failure !== undefined) return { ok: false, kind: failure.mayHaveArrived ? "unknown" : "later", why };
  if (status === 429 || status === 503 || isRefused || passing.has(error)) return { ok: false, kind: "later", why, after };
  return { ok: false, kind: status >= 500 || error === "" || unsure.has(error) ? "unknown" : "never", why };
}

/** The bot that the tokens belong to. */
export async function identify(access: ChatAccess): Promise<ChatIdentity> {
  const method = webApi(access);
  const bot = await method("auth.test", {});
  check(bot, "the bot's token again from OAuth & Permissions");
  check(await method("apps.connections.open", {}, { token: "appToken" }), "the app-level token again from Basic Information");
  const { user_id, user } = z.object({ user_id: z.string(), user: z.string().max(200) }).parse(bot.body);
  return { id: user_id, name: user };
}

function check(answered: Answered, token: string): void {
  const failed = refusal(answered);
  if (failed === undefined) return;
  if (failed.error === "missing_scope") throw new AskboxError("VALIDATION", `Slack refuses a token: ${failed.why}.`);
  if (failed.isRefused) throw new AskboxError("VALIDATION", `Slack does not know this token; copy ${token}.`);
  throw new AskboxError("HUB_UNREACHABLE", `Slack can't be asked about the bot: ${failed.why}.`);
}
