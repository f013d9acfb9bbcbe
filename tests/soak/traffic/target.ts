import type { Chance } from "../../faults/support/rounds.ts";
import type { Scene } from "../../faults/traffic/actors.ts";

/** The target of the traffic, and its participants. */
export interface SoakTarget extends Scene {
  /** The hub's URL, without a trailing slash. */
  url: string;
  askerToken: string;
  deskToken: string;
  /** Counts a request to the hub; growth is measured per number of them. */
  count(): void;
}

export type Actor = (target: SoakTarget, name: string, chance: Chance) => Promise<void>;

/** The asker whose questions nobody answers, since they are settled in other ways. */
export const leftAlone = "soak-left-alone";

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
