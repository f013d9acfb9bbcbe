import type { Agents, Answerer, Clock, Desk, Grants, Ids, Log } from "@askbox/core";
import type { RelayedAsker } from "@askbox/core/transport";
import type { Challenge, HubInfo, LoginHello } from "../protocol/messages.ts";
import type { Role, ToolCallEnd, WireDevice } from "../protocol/methods.ts";
import { DEFAULT_BUFFERED_BYTES } from "./event-feed.ts";

/** Whom a token belongs to. */
export interface Identity {
  owner: string;
  scopes: readonly Role[];
  /** The device or person the token was given to; it goes before the name in the hello. */
  name?: string | undefined;
}

/** A challenge that was put to a browser. */
export interface LoginChallenge {
  /** Sent as it is: it proves the hub. */
  challenge: Challenge;
  /** Whose login it is, if the page's proof is good. */
  admit(proof: string): Promise<Identity | undefined>;
}

export interface Closable {
  close?(): void;
}

/** Options of `serveWire`. */
export interface WireHandlerOptions {
  /** Told to every client in the welcome. */
  hub: HubInfo;
  /** Nothing for a token that is unknown. `STORE_UNAVAILABLE` tells the client to try again. */
  authenticate(token: string): Promise<Identity | undefined>;
  /** Answers the hello of a browser that has logged in; undefined for a login that is unknown. A hub without it knows no browsers. */
  challenge?(login: LoginHello): Promise<LoginChallenge | undefined>;
  /** Called before each request is begun; what it throws is the request's error. */
  admit?(): void;
  /** One for each channel of an asker; closed with it. */
  asker(owner: string): RelayedAsker & Closable;
  /** One for each channel of a desk; closed with it. */
  desk(by: Answerer): Desk & Closable;
  control: {
    /** Plain JSON. */
    status(): Promise<object>;
    /** Resolves once the hub has begun to stop. It must not wait for the channels to be gone, since this request is on one of them. */
    stop(): Promise<void>;
    /** Told by MCP servers of their calls' ends. */
    called?(end: ToolCallEnd): void;
  };
  /** The browsers that have logged in; a hub without a page has none. */
  devices?: { list(): Promise<WireDevice[]>; revoke(id: string): Promise<boolean> };
  /** The agents that are known by id; a hub without them refuses to register any. */
  agents?: Agents | undefined;
  /** What people have allowed beforehand; a hub without them has none. */
  grants?: Pick<Grants, "list" | "remove"> | undefined;
  ids: Ids;
  clock: Clock;
  log?: Log | undefined;
  /** Versions to serve. Default `servedProtocols`. */
  protocols?: readonly number[] | undefined;
  /** The largest request of an asker or a desk, in bytes; a larger one is refused and the channel stays. Default 262,144. */
  maxMessageBytes?: number | undefined;
  /** The largest message of anybody, in bytes; a larger one closes the channel. Default 4,194,304. */
  maxFrameBytes?: number | undefined;
  /** What may wait to be sent before changes are dropped and replaced by a snapshot later, in bytes. Default 1,048,576. */
  maxBufferedBytes?: number | undefined;
  /** Requests, watches and attendances of one channel at a time. Default 2,000. */
  maxActive?: number | undefined;
  /** Milliseconds within which a channel must have said who it is. Default 5,000. */
  helloTimeout?: number | undefined;
  /** Milliseconds of silence after which a channel counts as dead. Default 30,000. */
  idleTimeout?: number | undefined;
}

/** The largest hello, in bytes: whoever has not said who they are has no use for more. */
export const MAX_HELLO_BYTES = 16_384;

export const defaults = Object.freeze({
  maxMessageBytes: 262_144,
  maxFrameBytes: 4_194_304,
  maxBufferedBytes: DEFAULT_BUFFERED_BYTES,
  maxActive: 2_000,
  helloTimeout: 5_000,
});
