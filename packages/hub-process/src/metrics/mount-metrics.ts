import { isAskboxError } from "@askbox/core";
import { hashToken, type MountService } from "@askbox/hub";
import type { HubMetrics } from "./hub-metrics.ts";

/** How long a token that read metrics still does so while the store that knows it is away, in ms. */
const believedFor = 3_600_000;
/** Tokens that are remembered for it. */
const maxBelieved = 20;

/**
 * The hub's metrics at `/metrics`, for a desk's token or one with the scope `metrics`. Hubs on Redis keep tokens there: without those that are
 * remembered here, nobody could read that Redis is away.
 */
export function mountMetrics(metrics: Pick<HubMetrics, "text">): MountService {
  return ({ authorize, onRevoked, platform: { clock } }) => {
    /** Accepted tokens by their hash, the latest last. `until`: monotonic time. */
    const believed = new Map<string, { owner: string; expiresAt: number; until: number }>();
    const unsubscribe = onRevoked((revoked) => {
      for (const [hash, { owner }] of believed) if (owner === revoked) believed.delete(hash);
    });
    const isBelieved = (hash: string) => {
      const { until = 0, expiresAt = 0 } = believed.get(hash) ?? {};
      return clock.monotonic() < until && clock.now() < expiresAt;
    };
    const check = async (request: Request) => {
      const header = request.headers.get("authorization");
      const hash = hashToken(header ?? "");
      try {
        const { owner, expiresAt = Number.POSITIVE_INFINITY } = await authorize(request, "desk", "metrics");
        believed.delete(hash);
        // A cookie is not in this header.
        if (header !== null) believed.set(hash, { owner, expiresAt, until: clock.monotonic() + believedFor });
        if (believed.size > maxBelieved) for (const oldest of believed.keys()) return void believed.delete(oldest);
      } catch (error) {
        if (isAskboxError(error, "STORE_UNAVAILABLE") && header !== null && isBelieved(hash)) return;
        if (!isAskboxError(error, "STORE_UNAVAILABLE")) believed.delete(hash);
        throw error;
      }
    };
    return {
      paths: ["/metrics"],
      async fetch(request) {
        await check(request);
        return new Response(await metrics.text(), { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } });
      },
      close: async () => unsubscribe(),
    };
  };
}
