import type { Chance } from "../../faults/support/rounds.ts";
import type { Scene } from "../../faults/traffic/actors.ts";

/** Where the traffic goes to, and who takes part in it. */
export interface Place extends Scene {
  /** Of the hub, without a slash at its end. */
  url: string;
  askerToken: string;
  deskToken: string;
  /** Something was asked of the hub; what grows is said by so many of them. */
  count(): void;
}

export type Actor = (place: Place, name: string, chance: Chance) => Promise<void>;

/** Whose questions nobody answers in its traffic, since they are settled in other ways, or by themselves. */
export const leftAlone = "soak-left-alone";

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
