/// <reference lib="esnext.disposable" preserve="true" />
import type { Agents } from "../ports/agents.ts";
import type { RelayedAsker } from "../ports/asker.ts";
import type { AuditLog } from "../ports/audit.ts";
import type { Desk } from "../ports/desk.ts";
import type { Grants } from "../ports/grants.ts";
import type { Log } from "../ports/logger.ts";
import type { Platform } from "../ports/platform.ts";
import type { SharedState } from "../ports/shared.ts";
import type { SessionStore } from "../ports/store.ts";
import type { Answerer } from "../session/actor.ts";
import type { Peer } from "./peers.ts";

export interface BrokerOptions extends Platform {
  /** Stays the caller's: closing the broker leaves it open. */
  store: SessionStore;
  /**
   * What this broker shares with others over the same store, who then behave as one: who waits and who has what open, drafts, which call is being
   * handed an outcome. Without it this broker is the only one. Stays the caller's.
   */
  shared?: SharedState | undefined;
  /** What the others know about this broker, such as its address. */
  about?: (() => Readonly<Record<string, string>>) | undefined;
  log?: Log | undefined;
  /** The agents that are known by id. Default: nobody, in memory. */
  agents?: Agents | undefined;
  /** What people have allowed beforehand. Default: nothing, in memory. */
  grants?: Grants | undefined;
  /** How long settled sessions are kept, in ms, at least an hour; null for ever. Default 90 days. */
  retention?: number | null | undefined;
  /** Whether answers that people give in their MCP clients' own forms are taken, through `Asker.forms`. Default false. */
  clientForms?: boolean | undefined;
}

/** What a broker holds and does at this moment, as counts. */
export interface BrokerStats {
  /** Sessions that are pending. */
  pending: number;
  /** Calls that wait for one. */
  waiting: number;
  /** Desks that watch. */
  watching: number;
}

/** The one implementation of `Asker` and `Desk` over a store. `await using` closes it. */
export interface Broker extends AsyncDisposable {
  /** What the other hubs over the same store know it by. */
  readonly id: string;
  /**
   * The port of one token's askers; `close` it when the connection ends. Where connections are made for one request each, `returns` says
   * that the asker is about to wait, over the next one, for what it opened on this. `shared`: each of the token's agents may go on with what another has
   * asked, if it has its id.
   */
  asker(owner: string, options?: { shared?: boolean }): RelayedAsker & { close(how?: { returns?: boolean }): void };
  /** The port of one answerer; `close` it when the surface goes away. */
  desk(by: Answerer): Desk & { close(): void };
  /** The agents that are known by id. */
  readonly agents: Agents;
  /** What people have allowed beforehand; for desks alone. */
  readonly grants: Grants;
  /** The record of approvals; for desks alone. */
  readonly audit: AuditLog;
  stats(): BrokerStats;
  /** The other hubs over the same store, where they share their state. */
  peers(): readonly Peer[];
  /**
   * Whether the hub of this id lives, as far as those that share its state can tell: a killed one does for 8 s more, and has until then whatever
   * it had. Rejects with `STORE_UNAVAILABLE`.
   */
  isAlive(id: string): Promise<boolean>;
  /** Resolves when other hubs may have what this one has let go of so far. */
  released(): Promise<void>;
  /** Ends all waits with `ABORTED` and all watches. Sessions stay as they are. */
  close(): Promise<void>;
}
