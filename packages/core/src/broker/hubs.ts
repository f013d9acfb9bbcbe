import type { Leases } from "./leases.ts";
import type { Peers } from "./peers.ts";

/** The other hubs over the same store, and which of them hold which sessions. */
export interface Hubs {
  readonly peers: Pick<Peers, keyof Peers>;
  readonly leases: Pick<Leases, keyof Leases>;
}

const nothing = () => {};
const resolved = async () => {};

/** The only hub: it holds every session. What several need is loaded by those who have a shared state. */
export const onlyHub: Hubs = {
  peers: {
    start: resolved,
    list: () => [],
    of: () => [],
    isAlive: async () => false,
    presenceChanged: nothing,
    draftChanged: nothing,
    close: resolved,
  },
  leases: {
    claim: async () => true,
    hold: resolved,
    release: nothing,
    renew: resolved,
    catchUp: resolved,
    written: resolved,
    close: resolved,
  },
};
