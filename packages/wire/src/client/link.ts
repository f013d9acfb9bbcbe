import type { AskboxError } from "@askbox/core";
import { isAskboxError, silentLog } from "@askbox/core/transport";
import type { Channel } from "../channel/channel.ts";
import { DEFAULT_IDLE_TIMEOUT, type KeepAlive, keepAlive } from "../channel/keep-alive.ts";
import { byeReasons } from "../protocol/bye-reasons.ts";
import { closeCodes } from "../protocol/close-codes.ts";
import { type HubMessage, hubMessageSchema, type Welcome } from "../protocol/messages.ts";
import { readJsonObject } from "../protocol/read-json.ts";
import { attempt, unreachable } from "./attempt.ts";
import { backoff, steadyAfter } from "./backoff.ts";
import type { WireClientOptions, WireState } from "./options.ts";

export interface LinkEvents {
  /** Whether anything needs a connection; if not, the link stays idle until it is woken. */
  isNeeded(): boolean;
  opened(welcome: Welcome): void;
  message(message: Exclude<HubMessage, { ping: number } | { pong: number } | { bye: string }>): void;
  /** The open channel broke; messages sent on it may or may not have arrived. */
  /** `error` says why. */
  lost(error: AskboxError): void;
  /** An attempt to connect failed; it is retried while a connection is needed. */
  attemptFailed(error: AskboxError): void;
  /** The hub rejected this client permanently; the link is closed. */
  refused(error: AskboxError): void;
  stateChanged(state: WireState): void;
}

/** The client's connection to the hub; reconnects whenever it breaks while a connection is needed. */
export interface Link {
  state(): WireState;
  /** Whether requests can be sent. */
  isOpen(): boolean;
  send(message: object): void;
  /** Something needs a connection; `alone` if nothing else does. */
  wake(alone: boolean): void;
  close(): void;
}

/** Errors that retrying does not fix. */
const final = ["PROTOCOL_MISMATCH", "UNAUTHORIZED", "FORBIDDEN", "VALIDATION"] as const;

export function createLink(options: WireClientOptions, events: LinkEvents): Link {
  const { clock, random = Math.random, log = silentLog, idleTimeout = DEFAULT_IDLE_TIMEOUT } = options;
  let state: WireState = "connecting";
  let open: { channel: Channel; alive: KeepAlive; since: number; bye: string | undefined } | undefined;
  let abandon: (() => void) | undefined;
  let failures = 0;
  let cancelRetry: (() => void) | undefined;
  let wasStopped = false;
  /** The hub closed the connection because the token is no longer valid. */
  let wasCut = false;

  const enter = (next: WireState) => {
    if (state === next) return;
    state = next;
    events.stateChanged(next);
  };
  const retry = () => {
    if (state === "closed" || !events.isNeeded()) return;
    cancelRetry = clock.setTimer(backoff(failures, random), () => {
      cancelRetry = undefined;
      connect();
    });
  };
  const connect = () => {
    abandon = attempt(options, { wasStopped }, { made: opened, failed });
  };
  const failed = (error: AskboxError) => {
    abandon = undefined;
    failures += 1;
    // A hub that has just started may write its new token a moment after it listens, so a rejected token is not final after a lost
    // connection.
    const mayHaveNewToken = error.code === "UNAUTHORIZED" && state === "lost" && !wasCut && typeof options.hello === "function";
    if (final.some((code) => isAskboxError(error, code)) && !mayHaveNewToken) {
      shut();
      events.refused(error);
      enter("closed");
      return;
    }
    log("debug", "The hub was not reached", { error: error.message, failures });
    events.attemptFailed(error.code === "HUB_UNREACHABLE" || mayHaveNewToken ? error : unreachable(error.message, error));
    retry();
  };
  const opened = (channel: Channel, welcome: Welcome) => {
    abandon = undefined;
    wasStopped = false;
    const alive = keepAlive({
      clock,
      idleTimeout,
      ping: (ping) => channel.send(JSON.stringify({ ping })),
      dead: () => drop("The hub has not responded for too long."),
    });
    open = { channel, alive, since: clock.monotonic(), bye: undefined };
    channel.onMessage(receive);
    channel.onClose(({ code, reason }) => {
      wasCut = code === closeCodes.refused;
      lose(reason || "the connection broke");
    });
    enter("open");
    // A listener may have closed the client.
    if (open !== undefined) events.opened(welcome);
  };
  const drop = (reason: string) => {
    open?.channel.close(closeCodes.unresponsive, reason);
    lose(reason);
  };
  const lose = (reason: string) => {
    if (open === undefined) return;
    log("debug", "The connection to the hub was lost", { reason });
    const { alive, since, bye } = open;
    alive.stop();
    open = undefined;
    if (bye !== undefined || clock.monotonic() - since >= steadyAfter) failures = 0;
    else failures += 1;
    events.lost(unreachable(reason || "it closed the connection", undefined, bye));
    enter("lost");
    retry();
  };
  const receive = (text: string) => {
    if (open === undefined) return;
    open.alive.onActivity();
    const read = hubMessageSchema.safeParse(readJsonObject(text));
    if (!read.success) {
      // Newer hubs may send messages that this client does not know.
      log("debug", "A message of the hub was not understood", { start: text.slice(0, 40) });
    } else if ("ping" in read.data) open.channel.send(JSON.stringify({ pong: read.data.ping }));
    else if ("bye" in read.data) {
      const { bye } = read.data;
      open.bye = bye;
      wasStopped = bye === byeReasons.stopped || bye === byeReasons.ended;
    } else if (!("pong" in read.data)) events.message(read.data);
  };
  const shut = () => {
    abandon?.();
    abandon = undefined;
    cancelRetry?.();
    cancelRetry = undefined;
    open?.alive.stop();
    open?.channel.close(closeCodes.done);
    open = undefined;
  };

  return {
    state: () => state,
    isOpen: () => open !== undefined && open.bye === undefined,
    send: (message) => open?.channel.send(JSON.stringify(message)),
    wake(alone) {
      // What was running when the hub was stopped has ended: later requests may start a new hub.
      if (alone) wasStopped = false;
      if (state !== "closed" && open === undefined && abandon === undefined && cancelRetry === undefined) connect();
    },
    close() {
      shut();
      enter("closed");
    },
  };
}
