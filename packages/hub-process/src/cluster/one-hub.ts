import type { SharedState } from "@askbox/core";

/** The longest delay in delivering an event; a hub that was away for longer delivers it again. */
const remembered = 7 * 86_400_000;

/** Lets only one of several hubs handle an event; undefined if there is only one hub. */
export function oneHub(shared: SharedState | undefined, instance: string): ((eventId: string) => Promise<boolean>) | undefined {
  return shared && ((eventId) => shared.swap(`told:${eventId}`, undefined, instance, remembered));
}
