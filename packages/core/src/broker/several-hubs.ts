import type { Hubs } from "./hubs.ts";
import { Leases, type LeasesOptions } from "./leases.ts";
import { Peers, type PeersOptions } from "./peers.ts";

export type SeveralHubsOptions = Omit<PeersOptions, "onExpired" | "onBeat"> & Pick<LeasesOptions, "isNeeded">;

/** The hubs that share a state: they exchange presence and drafts, and keep their leases while they live. */
export function severalHubs(options: SeveralHubsOptions): Hubs {
  const peers = new Peers({
    ...options,
    onExpired: () => void leases.renew(),
    onBeat: (isRenewal) => void (isRenewal ? leases.renew() : leases.catchUp()),
  });
  const leases = new Leases({ ...options, isAlive: (hub) => peers.isAlive(hub) });
  return { peers, leases };
}
