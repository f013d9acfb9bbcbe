import type { SharedState } from "@askbox/core";

/** As long as an event may be told late: hubs that were away for longer tell it once more. */
const remembered = 7 * 86_400_000;

/** Lets one of several hubs do what is to be done once for an event; undefined if there is only one. */
export function oneHub(shared: SharedState | undefined, instance: string): ((eventId: string) => Promise<boolean>) | undefined {
  return shared && ((eventId) => shared.swap(`told:${eventId}`, undefined, instance, remembered));
}
