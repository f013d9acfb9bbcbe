import type { Agents } from "../ports/agents.ts";
import type { Clock } from "../ports/clock.ts";
import type { Digest } from "../ports/digest.ts";
import type { Grants } from "../ports/grants.ts";
import type { Ids } from "../ports/ids.ts";
import type { Log } from "../ports/logger.ts";
import type { CheckFiles, RealPath, TakeImages } from "./broker.ts";
import type { RecordedStore } from "./change.ts";
import type { Conversations } from "./conversations.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Drafts } from "./drafts.ts";
import type { Hubs } from "./hubs.ts";
import type { Scopes } from "./identity.ts";
import type { InFlight } from "./in-flight.ts";
import type { PresenceTracker } from "./presence.ts";
import type { Retention } from "./retention.ts";
import type { SessionIndex } from "./session-index.ts";
import type { Views } from "./views.ts";
import type { Waits } from "./waits.ts";
import type { Watchers } from "./watchers.ts";

/** The state that the broker's two ports share. */
export interface BrokerContext extends RecordedStore {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly digest: Digest;
  readonly log: Log;
  readonly agents: Agents;
  readonly grants: Grants;
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
  readonly watchers: Watchers;
  /** Whether answers from clients' own forms are accepted. */
  readonly clientForms: boolean;
}
