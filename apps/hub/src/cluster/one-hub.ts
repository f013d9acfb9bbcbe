import type { SharedState } from "@askbox/core";

/** The longest delay in delivering an event; a hub that was away for longer delivers it again. */
const remembered = 7 * 86_400_000;

/** Lets one of several hubs do what is to be done once for an event; undefined if there is only one. */
export function oneHub(shared: SharedState | undefined, instance: string): ((eventId: string) => Promise<boolean>) | undefined {
  return shared && ((eventId) => shared.swap(`told:${eventId}`, undefined, instance, remembered));
}
