import type { Clock } from "@askbox/core";
import { type Answered, secondsOf } from "../http.ts";

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
export interface RateLimits {
  /** Takes a request from its bucket. Returns 0, or the milliseconds until it may be made. */
  take(route: Route): number;
  learn(route: Route, answered: Answered): void;
}

/** What is done, and the id of the channel with which limits are counted apart. */
export interface Route {
  name: string;
  major: string;
}

export function rateLimits(clock: Clock): RateLimits {
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
