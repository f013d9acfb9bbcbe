import type { Agents } from "../ports/agents.ts";
import type { Grants } from "../ports/grants.ts";
import type { Clock, Digest, Ids, Log } from "../ports/platform.ts";
import type { RanLog } from "../ports/ran.ts";
import type { Waker } from "../ports/waking.ts";
import type { CheckFiles, RealPath, TakeImages } from "./broker.ts";
import type { RecordedStore } from "./change.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Drafts } from "./drafts.ts";
import type { Conversations, Scopes } from "./identity.ts";
import type { PresenceTracker } from "./presence.ts";
import type { Retention } from "./retention.ts";
import type { SessionIndex } from "./session-index.ts";
import type { Hubs } from "./several-hubs.ts";
import type { Views } from "./views.ts";
import type { InFlight, Waits } from "./waits.ts";
import type { Watchers } from "./watchers.ts";

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

/** Nothing is kept of what ran without a person. */
export const noRan: RanLog = { add: resolved, list: async () => ({ isOn: false, items: [] }) };

/** The state that the broker's two ports share. */
export interface BrokerContext extends RecordedStore {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly digest: Digest;
  readonly log: Log;
  readonly agents: Agents;
  readonly grants: Grants;
  readonly ran: RanLog;
  readonly files: CheckFiles | undefined;
  readonly images: TakeImages | undefined;
  readonly realPath: RealPath | undefined;
  readonly conversations: Conversations;
  readonly leases: Hubs["leases"];
  readonly deadlines: Deadlines;
  readonly drafts: Drafts;
  readonly inFlight: InFlight;
  readonly presence: PresenceTracker;
  readonly retention: Retention;
  readonly scopeOf: Scopes;
  readonly sessions: SessionIndex;
  readonly views: Views;
  readonly waits: Waits;
  /** Wakes agents; absent where nothing can. */
  readonly waker: Waker | undefined;
  readonly watchers: Watchers;
  /** Whether answers from clients' own forms are accepted. */
  readonly clientForms: boolean;
}
