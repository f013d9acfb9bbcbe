// The client's one connection to its hub. It connects when something needs it: `connect` opens a channel, the hello is sent, and a browser's
// login proves itself once the hub has. A connection that breaks while it is needed is made again, later after each failure and never by all
// clients at once. What repeating cannot fix, such as a token that was revoked, closes the link for good.

import { AskboxError, backOff, isAskboxError, silentLog, toAskboxError } from "@askbox/core/transport";
import type { Channel } from "../channel/channel.ts";
import { DEFAULT_IDLE_TIMEOUT, type KeepAlive, keepAlive } from "../channel/keep-alive.ts";
import {
  byeReasons,
  challengeSchema,
  closeCodes,
  type HubMessage,
  hubMessageSchema,
  type LoginHello,
  loginProofText,
  refusalSchema,
  type Welcome,
  welcomeSchema,
} from "../protocol/messages.ts";
import { readJsonObject } from "../protocol/read-json.ts";
import {
  type BrowserLogin,
  type Circumstances,
  type ClientHello,
  clientDefaults,
  helloOf,
  type WireClientOptions,
  type WireState,
} from "./options.ts";

interface LinkEvents {
  /** Whether anything needs a connection; if not, the link stays idle until it is woken. */
  isNeeded(): boolean;
  opened(welcome: Welcome): void;
  message(message: Exclude<HubMessage, { ping: number } | { pong: number } | { bye: string }>): void;
  /** The open channel broke, and `error` says why; messages sent on it may or may not have arrived. */
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
    cancelRetry = clock.setTimer(random() * backOff(pauses, failures), () => {
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

interface AttemptEvents {
  /** Called at the hub's welcome. The receiver must set the channel's listeners before it returns, so that no message is missed. */
  made(channel: Channel, welcome: Welcome): void;
  failed(error: AskboxError): void;
}

/** One attempt to reach the hub, from `connect` to its welcome. Returns a function that aborts it; a channel that opens later is closed. */
export function attempt(options: WireClientOptions, circumstances: Circumstances, events: AttemptEvents): () => void {
  const { clock, attemptTimeout = clientDefaults.attemptTimeout } = options;
  let channel: Channel | undefined;
  let over = false;

  const stop = () => {
    over = true;
    cancelTimer();
    channel?.close(closeCodes.done);
  };
  const fail = (error: AskboxError) => {
    if (over) return;
    stop();
    events.failed(error);
  };
  const cancelTimer = clock.setTimer(attemptTimeout, () => fail(unreachable("it did not answer in time")));

  const greet = async () => {
    const opened = await options.connect(circumstances);
    channel = opened;
    if (over) return opened.close(closeCodes.done);
    const hello = await helloOf(options);
    if (over) return;
    opened.onClose(({ reason }) => fail(unreachable(reason || "it closed the connection")));
    const { login, ...rest } = hello;
    let challenged = login === undefined ? undefined : proveLogin(login);
    opened.onMessage((text) => {
      if (over) return;
      if (challenged !== undefined && isChallenge(text)) {
        const answer = challenged.answer(text);
        challenged = undefined;
        answer.then(
          (proof) => over || opened.send(JSON.stringify({ proof })),
          (thrown: unknown) => fail(toAskboxError(thrown)),
        );
        return;
      }
      const welcome = readWelcome(text, hello);
      if (welcome instanceof AskboxError) return fail(welcome);
      if (challenged !== undefined) return fail(strangeHub());
      over = true;
      cancelTimer();
      events.made(opened, welcome);
    });
    opened.send(JSON.stringify({ hello: { ...rest, login: challenged?.hello } }));
  };
  greet().catch((thrown: unknown) => fail(toAskboxError(thrown)));
  return () => {
    if (!over) stop();
  };
}

function readWelcome(text: string, hello: ClientHello): Welcome | AskboxError {
  const message = readJsonObject(text);
  const refusal = refusalSchema.safeParse(message);
  if (refusal.success) return AskboxError.fromJSON(refusal.data.error);
  if (message !== undefined && "bye" in message) return unreachable("it is closing");
  const read = welcomeSchema.safeParse(message);
  if (!read.success) return unreachable("what answers there is no askbox hub");
  const { protocol } = read.data.welcome;
  if (protocol === hello.protocol) return read.data.welcome;
  return new AskboxError("PROTOCOL_MISMATCH", `The hub chose protocol ${protocol} instead of ${hello.protocol}; update askbox.`, {
    details: { protocols: [protocol] },
  });
}

export function unreachable(because: string, cause?: unknown, bye?: string): AskboxError {
  const details = bye === undefined ? undefined : { bye };
  return new AskboxError("HUB_UNREACHABLE", `The hub cannot be reached: ${because}. See "askbox doctor".`, { cause, details });
}

const isChallenge = (text: string): boolean => challengeSchema.safeParse(readJsonObject(text)).success;

/** One login handshake: what the hello contains, and the reply to the hub once it has proved itself. */
function proveLogin(login: BrowserLogin): { hello: LoginHello; answer(text: string): Promise<string> } {
  const { id, origin, hub } = login;
  const pageNonce = login.nonce();
  return {
    hello: { id, origin, nonce: pageNonce },
    /** Throws `HUB_UNREACHABLE` if the server is not the right hub, since that may come back. */
    async answer(text) {
      const { challenge } = challengeSchema.parse(readJsonObject(text));
      const parts = { hub, origin, id, pageNonce, hubNonce: challenge.nonce };
      const expected = await login.mac(loginProofText("hub", parts));
      if (challenge.hub !== hub || challenge.proof !== expected) throw strangeHub();
      return login.mac(loginProofText("page", parts));
    },
  };
}

const strangeHub = (): AskboxError =>
  new AskboxError("HUB_UNREACHABLE", "The server at this address is not the hub that this browser logged in to; nothing was sent to it.");

/** Full jitter, so that the clients of a restarting hub do not all reconnect at once. */
const pauses = { first: 100, max: 5_000 };
/** A connection that lasted this long, in ms, resets the backoff. */
const steadyAfter = pauses.max;
