import type { MountService } from "@askbox/hub";
import type { HubMetrics } from "./hub-metrics.ts";

/** The hub's metrics at `/metrics`, for a desk's token or one with the scope `metrics`. */
export function mountMetrics(metrics: Pick<HubMetrics, "text">): MountService {
  return ({ authorize }) => ({
    paths: ["/metrics"],
    async fetch(request) {
      await authorize(request, "desk", "metrics");
      return new Response(await metrics.text(), { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } });
    },
    close: async () => {},
  });
}
