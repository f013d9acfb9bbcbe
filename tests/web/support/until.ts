import { until as come } from "../../support/until.ts";

/** Polls until `look` returns something truthy; fails after `deadline` ms. Errors count as not yet. */
export const until = <Found>(look: () => Promise<Found | false | undefined>, what: string, deadline = 15_000): Promise<Found> =>
  come(what, async () => (await look().catch(() => undefined)) || undefined, deadline);
