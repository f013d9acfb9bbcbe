/// <reference lib="esnext.disposable" preserve="true" />

import type { Agents } from "../ports/agents.ts";
import type { RelayedAsker } from "../ports/asker.ts";
import type { Desk } from "../ports/desk.ts";
import type { Grants } from "../ports/grants.ts";
import type { Log, Platform } from "../ports/platform.ts";
import type { RanLog } from "../ports/ran.ts";
import type { AuditLog, SessionStore } from "../ports/store.ts";
import type { BegunWaking, Waker } from "../ports/waking.ts";
import type { Answer } from "../session/answer.ts";
import type { AskedImage, Image } from "../session/images.ts";
import type { Answerer } from "../session/outcome.ts";
import type { SessionRecord, Waking } from "../session/record.ts";
import type { WakeOptions } from "../session/wakeable.ts";
import type { JoinHubs, Peer } from "./several-hubs.ts";

/** The path without links; undefined if it cannot be resolved. */
export type RealPath = (path: string) => Promise<string | undefined>;

/**
 * Checks the files of a session's answers or of a message before they are stored, and resolves with the answers to store. Rejects with `INVALID_ANSWER` for
 * one that isn't there; all of them must stay until the session is removed.
 */
export type CheckFiles = (session: SessionRecord, answers: Answer[]) => Promise<Answer[]>;

/**
 * Takes the pictures of an ask, of the token `owner`: resolves with what is stored of each, in their order, and a function that stores them with
 * a session, durably, before it is inserted. Rejects with `VALIDATION` for one that cannot be shown or isn't this owner's.
 */
export type TakeImages = (
  owner: string,
  images: readonly AskedImage[],
) => Promise<{ images: readonly Image[]; keep(sessionId: string): Promise<void> }>;

export interface BrokerOptions extends Platform {
  /** Owned by the caller: closing the broker does not close it. */
  store: SessionStore;
  /**
   * Joins other brokers over the same store, which then act as one: waits, presence, drafts and deliveries in progress. It is `severalHubs` of
   * `@askbox/core/hubs`. Without it, this broker must be the only one.
   */
  hubs?: JoinHubs | undefined;
  /** What other brokers know about this one, such as its address. */
  about?: (() => Readonly<Record<string, string>>) | undefined;
  log?: Log | undefined;
  /** The registered agents. Default: in memory, initially none. */
  agents?: Agents | undefined;
  /** What people have allowed in advance. Default: in memory, initially nothing. */
  grants?: Grants | undefined;
  /** What ran without a person: what grants allow is added to it. Default: nothing is kept. */
  ran?: RanLog | undefined;
  /**
   * Resolves a path's links. Without it, a prefix that a person has granted only allows commands in the project's folder itself, since a
   * folder below it may be a link to another.
   */
  realPath?: RealPath | undefined;
  /** How long settled sessions are kept, in ms, at least an hour; null to keep them forever. Default 90 days. */
  retention?: number | null | undefined;
  /** Without it, answers and messages can't have files. */
  files?: CheckFiles | undefined;
  /** Without it, questions can't have pictures. */
  images?: TakeImages | undefined;
  /** Wakes agents that no longer wait. Without it, an answer waits for its agent's next call. */
  waker?: Waker | undefined;
  /** Whether to accept answers that people give in their MCP clients' own forms, through `Asker.forms`. Default false. */
  clientForms?: boolean | undefined;
  /**
   * Called when this broker's own write has settled a pending session: of several brokers over a store, at one of them, and never twice for a
   * session. A write whose reply is lost, or whose process is killed, may be reported by none. Must not throw.
   */
  onSettled?: ((record: SessionRecord) => void) | undefined;
}

/** The current load of a broker, as counts. */
export interface BrokerStats {
  /** Pending sessions. */
  pending: number;
  /** Waiting calls. */
  waiting: number;
  /** Watching desks. */
  watching: number;
}

/** The one implementation of `Asker` and `Desk` over a store. `await using` closes it. */
export interface Broker extends AsyncDisposable {
  /** Identifies it to other hubs over the same store. */
  readonly id: string;
  /**
   * The port of one token's askers; `close` it when the connection ends. If every request uses a new connection, `returns` means that the
   * asker will wait for what it opened on the next one. `waiting` is the number of its calls that wait. `shared`: all agents with the token may resume each other's sessions by id.
   */
  asker(
    owner: string,
    options?: { shared?: boolean },
  ): RelayedAsker & { readonly waiting: number; close(how?: { returns?: boolean }): void };
  /** The port of one answerer; `close` it when the surface disconnects. */
  desk(by: Answerer): Desk & { close(): void };
  /** The registered agents. */
  readonly agents: Agents;
  /** What people have allowed in advance; for desks only. */
  readonly grants: Grants;
  /** What ran without a person; only desks may list it. */
  readonly ran: RanLog;
  /** The record of approvals; for desks only. */
  readonly audit: AuditLog;
  /**
   * Adds what a client did in spite of a decision about an approval: to the session's thread, as from its asker, and to the record. Once for
   * the same text; nothing for a pending session. Throws `SESSION_NOT_FOUND`, `STORE_UNAVAILABLE`.
   */
  report(sessionId: string, report: string): Promise<void>;
  /**
   * Uses up what a person allowed once, by overruling a denial in this session, and adds `report` to its thread and the record. Resolves with
   * false if it is used up already, or 15 minutes have passed. Throws `SESSION_NOT_FOUND`, `STORE_UNAVAILABLE`; then nothing may run.
   */
  useOverruled(sessionId: string, report: string): Promise<boolean>;
  /**
   * Takes what a session's agent has not received, to wake it, as a call would take it. Undefined if there is nothing that it was not woken
   * for already, or a call has it. Whoever begins must `end`. Rejects with `STORE_UNAVAILABLE`.
   */
  beginWaking(sessionId: string, how: Waking["how"], options?: WakeOptions): Promise<BegunWaking | undefined>;
  stats(): BrokerStats;
  /** The other hubs over the same store, if they share state. */
  peers(): readonly Peer[];
  /**
   * Whether the hub with this id is alive, as far as the shared state shows: a killed hub counts as alive for another 8 s, and keeps what
   * it held until then. Rejects with `STORE_UNAVAILABLE`.
   */
  isAlive(id: string): Promise<boolean>;
  /**
   * Withdraws a pending session in its asker's name if nobody waits for it at any living hub; a killed one counts as living for 8 s. Resolves
   * with whether it was withdrawn. Rejects with `STORE_UNAVAILABLE`.
   */
  withdrawLost(id: string, reason: string): Promise<boolean>;
  /**
   * Withdraws all pending sessions of a token that is no longer valid, in its askers' name; those whose answer is being sent are settled.
   * Rejects with `STORE_UNAVAILABLE`.
   */
  withdrawAll(owner: string, reason: string): Promise<void>;
  /** Resolves when other hubs can take over what this one has released so far. */
  released(): Promise<void>;
  /** Ends all waits with `ABORTED` and all watches. Sessions are not changed. */
  close(): Promise<void>;
}
