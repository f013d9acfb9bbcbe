import { AskboxError, type Clock } from "@askbox/core";
import { pause } from "@askbox/notify";
import * as z from "zod";
import { type Answered, call, secondsOf } from "../http.ts";
import type { ChatAccess, ChatIdentity, Sent } from "../port.ts";

/** Discord's HTTP API: one request, why it was refused, and the limits that hold requests back before Discord does. */

/** Milliseconds until a request counts as failed; and how long one is held back for a limit before its sender is told. */
const [timeout, maxHeld] = [10_000, 10_000];
/** How often a request is made that came too early. */
const maxEarly = 3;
/** Discord asks for this form. */
const userAgent = "DiscordBot (https://www.npmjs.com/package/askbox, 1)";

interface RestRequest {
  method: "GET" | "POST" | "PATCH";
  /** Below the address of the API, such as `/channels/1/messages`. */
  path: string;
  body?: object | undefined;
  file?: { name: string; text: string } | undefined;
}

/** One request to the HTTP API. It waits its turn in its bucket. Never rejects. */
export type Rest = (request: RestRequest) => Promise<Answered>;

/** `signal` ends what waits; what is on its way is not cut off. */
export function discordRest({ secrets, api, clock, fetch }: ChatAccess, signal: AbortSignal): Rest {
  const base = api.replace(/\/$/, "");
  const limits = rateLimits(clock);
  const authorization = `Bot ${secrets["token"]}`;
  return async (request) => {
    const route = routeOf(request);
    for (let early = 1; ; early += 1) {
      const wait = limits.take(route);
      if (wait > maxHeld) return { status: 429, retryAfter: wait };
      if (wait > 0) {
        await pause(clock, wait, signal);
        if (signal.aborted) return { status: 0, failure: { why: "the hub stops", mayHaveArrived: false } };
        continue;
      }
      const { init, time } = initOf(request);
      const headers = { ...init.headers, authorization, "user-agent": userAgent };
      const answered = await call(base + request.path, { ...init, headers }, { clock, fetch, timeout: time });
      limits.learn(route, answered);
      if (answered.status !== 429 || early === maxEarly) return answered;
    }
  };
}

function initOf({ method, body, file }: RestRequest): { init: RequestInit & { headers: Record<string, string> }; time: number } {
  const json = JSON.stringify(body);
  if (body === undefined) return { init: { method, headers: {} }, time: timeout };
  if (file === undefined) return { init: { method, headers: { "content-type": "application/json" }, body: json }, time: timeout };
  const form = new FormData();
  form.set("payload_json", json);
  form.set("files[0]", new Blob([file.text], { type: "text/plain" }), file.name);
  return { init: { method, headers: {}, body: form }, time: 60_000 };
}

/** What a request is limited with: its path with one id, the first. */
function routeOf({ method, path }: RestRequest): Route {
  const [, kind = "", major = "", ...rest] = path.split("/");
  // A press has one answer, under an address of its own.
  if (kind === "interactions") return { name: kind, major };
  return { name: [method, kind, ...rest.map((part) => (/^\d+$/.test(part) ? ":id" : part))].join("/"), major };
}

const refusedSchema = z.object({
  message: z.string().max(2_000).catch("it refused").default("it refused"),
  code: z.number().optional().catch(undefined),
});

/** Why a request was refused, in Discord's words; and its number for it. */
export function refusal({ failure, status, body }: Answered): { why: string; code: number | undefined } {
  if (failure !== undefined) return { why: failure.why, code: undefined };
  const read = refusedSchema.safeParse(body);
  return read.success ? { why: read.data.message, code: read.data.code } : { why: `it answered ${status}`, code: undefined };
}

/** What came of a message. */
export function sentOf(answered: Answered): Sent {
  const { status, failure, retryAfter } = answered;
  if (status === 200) {
    const { data } = z.object({ id: z.string() }).safeParse(answered.body);
    return { ok: true, id: data?.id ?? "" };
  }
  const { why } = refusal(answered);
  if (failure !== undefined) return { ok: false, kind: failure.mayHaveArrived ? "unknown" : "later", why };
  if (status >= 500) return { ok: false, kind: "unknown", why };
  return { ok: false, kind: status === 429 || status === 401 ? "later" : "never", why, after: retryAfter };
}

/** The bot that a token belongs to. */
export async function identify(access: ChatAccess): Promise<ChatIdentity> {
  const answered = await discordRest(access, new AbortController().signal)({ method: "GET", path: "/users/@me" });
  const read = z.object({ id: z.string(), username: z.string(), bot: z.literal(true) }).safeParse(answered.body);
  if (answered.status === 200 && read.success) return { id: read.data.id, name: read.data.username };
  if (answered.status === 401)
    throw new AskboxError("VALIDATION", "Discord does not know this token; copy it again from the Bot page of your application.");
  throw new AskboxError("HUB_UNREACHABLE", `Discord can't be asked about the bot: ${refusal(answered).why}.`);
}

/** Buckets that are remembered; those that are full again are forgotten first. */
const maxBuckets = 500;

interface Bucket {
  /** Requests that are left until it is full again, at a monotonic time. */
  left: number;
  fullAt: number;
}

/**
 * What Discord lets a bot do (docs.discord.com/developers/topics/rate-limits): each route belongs to a bucket, which its answers name, for each
 * channel; and all requests together have a limit.
 */
interface RateLimits {
  /** Takes a request from its bucket. Returns 0, or the milliseconds until it may be made. */
  take(route: Route): number;
  learn(route: Route, answered: Answered): void;
}

/** What is done, and the id of the channel with which limits are counted apart. */
interface Route {
  name: string;
  major: string;
}

function rateLimits(clock: Clock): RateLimits {
  const names = new Map<string, string>();
  const buckets = new Map<string, Bucket>();
  let free = 0;
  const keyOf = ({ name, major }: Route) => `${names.get(name) ?? name} ${major}`;

  return {
    take(route) {
      const now = clock.monotonic();
      const bucket = buckets.get(keyOf(route));
      const isEmpty = bucket !== undefined && bucket.left <= 0 && bucket.fullAt > now;
      const at = Math.max(free, isEmpty ? bucket.fullAt : 0);
      if (at > now) return at - now;
      if (bucket !== undefined) bucket.left -= 1;
      return 0;
    },
    learn(route, { status, headers, retryAfter, body }) {
      const now = clock.monotonic();
      const named = headers?.get("x-ratelimit-bucket");
      if (named) names.set(route.name, named.slice(0, 100));
      const reset = secondsOf(headers?.get("x-ratelimit-reset-after"));
      const left = Number(headers?.get("x-ratelimit-remaining") ?? Number.NaN);
      if (status === 429) {
        const wait = retryAfter ?? reset ?? 1_000;
        if (isGlobal(headers, body)) free = now + wait;
        else buckets.set(keyOf(route), { left: 0, fullAt: now + wait });
      } else if (reset !== undefined && Number.isInteger(left)) buckets.set(keyOf(route), { left, fullAt: now + reset });
      if (buckets.size > maxBuckets) for (const [key, { fullAt }] of buckets) if (fullAt <= now) buckets.delete(key);
    },
  };
}

const isGlobal = (headers: Headers | undefined, body: unknown) =>
  headers?.get("x-ratelimit-global") === "true" || (body as { global?: unknown } | undefined)?.global === true;
