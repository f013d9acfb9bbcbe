import type { Clock } from "@askbox/core";
import type { Attempt } from "../queue.ts";

/** How long a receiver has to respond, in ms. */
const timeout = 15_000;

/** One HTTP POST. */
export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Posts once. Never rejects. A redirect counts as a failure, so that nothing is sent to an unintended place. */
export async function post({ url, headers, body }: Outgoing, clock: Clock, fetch: Fetch, signal: AbortSignal): Promise<Attempt> {
  const late = new AbortController();
  const cancelTimer = clock.setTimer(timeout, () => late.abort());
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, late.signal]),
    });
    // The response body is not read; left open, it would hold the connection.
    await response.body?.cancel();
    if (response.ok) return { ok: true };
    const after = retryAfter(response.headers.get("retry-after"), clock.now());
    const { status } = response;
    return { ok: false, why: `it answered ${status}`, isFinal: !mayWorkLater(status), after, status };
  } catch (error) {
    const why = late.signal.aborted ? `it did not answer in ${timeout / 1_000} s` : causeOf(error);
    return { ok: false, why, isFinal: false };
  } finally {
    cancelTimer();
  }
}

/** Too early, too many requests, or a server error; other 3xx and 4xx responses would not change later. */
const mayWorkLater = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429;

/** `Retry-After` in ms: seconds, or a date (RFC 9110, section 10.2.3). */
function retryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  const time = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(time) && time > 0 ? time : undefined;
}

/** `fetch failed` alone is not helpful; its cause has a code. */
export function causeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}
