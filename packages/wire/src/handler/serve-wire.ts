import type { Answerer } from "@askbox/core";
import { AskboxError, isAskboxError, silentLog, toAskboxError } from "@askbox/core/transport";
import * as z from "zod";
import { byteLength, type Channel } from "../channel/channel.ts";
import { DEFAULT_IDLE_TIMEOUT, type KeepAlive, keepAlive } from "../channel/keep-alive.ts";
import { closeCodes, type Hello, heldMethods, helloSchema, type LoginHello, proofSchema, servedProtocols } from "../protocol/messages.ts";
import { firstIssue, readJsonObject } from "../protocol/read-json.ts";
import { askerCalls, type DeskFor, deskCalls, onlyForItself } from "./calls.ts";
import { type Connection, type ConnectionOptions, openConnection, UNREAD } from "./connection.ts";
import { eventFeed } from "./event-feed.ts";
import { defaults, type Identity, MAX_HELLO_BYTES, type WireHandlerOptions } from "./options.ts";

/** The hub's handle of one channel. */
export interface WireConnection {
  /** Notifies the client that the hub is closing, finishes running operations, and closes the channel. */
  bye(reason: string): Promise<void>;
  /** Accepts nothing more from the client, whose token is no longer valid, and closes the channel. */
  cut(reason: string): void;
  /** Resolves once either side has closed the channel. */
  readonly closed: Promise<void>;
}

/** Reads only the version, since the rest of a hello depends on it. */
const versionSchema = z.object({ hello: z.object({ protocol: z.int() }) });

/**
 * The last ms of the hello's timeout use a separate timer. After a process was suspended, its timers run before the messages that arrived
 * meanwhile; the second timer lets a waiting hello be read.
 */
const maxLastLook = 100;

/** Serves one channel, from its hello to its end. No input makes it throw. */
export function serveWire(channel: Channel, options: WireHandlerOptions): WireConnection {
  const { clock, log = silentLog, protocols = servedProtocols } = options;
  const closed = Promise.withResolvers<void>();
  let state: "hello" | "challenged" | "authenticating" | "open" | "closed" = "hello";
  let proved: (text: string) => void = () => {};
  let connection: Connection | undefined;
  let alive: KeepAlive | undefined;
  let closePort = () => {};

  const end = () => {
    if (state === "closed") return;
    state = "closed";
    cancelHelloTimer();
    alive?.stop();
    connection?.end();
    closePort();
    closed.resolve();
  };
  const hangUp = (code: number, reason: string) => {
    if (state === "closed") return;
    log("debug", "Closing a channel", { code, reason });
    end();
    channel.close(code, reason);
  };
  const refuse = (error: AskboxError, code: number = closeCodes.refused) => {
    if (state === "closed") return;
    channel.send(JSON.stringify({ error }));
    hangUp(code, error.message);
  };
  const { helloTimeout = defaults.helloTimeout } = options;
  const lastLook = Math.min(maxLastLook, helloTimeout);
  let cancelHelloTimer = clock.setTimer(helloTimeout - lastLook, () => {
    cancelHelloTimer = clock.setTimer(lastLook, () =>
      refuse(new AskboxError("VALIDATION", "No hello came in time; send it first."), closeCodes.helloTimeout),
    );
  });

  const greet = async (text: string) => {
    const message = byteLength(text) > MAX_HELLO_BYTES ? undefined : readJsonObject(text);
    const version = versionSchema.safeParse(message);
    if (!version.success) return refuse(new AskboxError("VALIDATION", "The first message must be a hello."), closeCodes.malformed);
    if (!protocols.includes(version.data.hello.protocol)) return refuse(mismatch(version.data.hello.protocol, protocols, options));
    const read = helloSchema.safeParse(message);
    if (!read.success) return refuse(new AskboxError("VALIDATION", `The hello cannot be read: ${firstIssue(read.error)}.`));
    const { hello } = read.data;
    state = "authenticating";
    const identity = hello.login === undefined ? await options.authenticate(hello.token ?? "") : await admit(hello.login);
    if (!isWaiting()) return;
    if (identity === undefined) {
      const what = hello.login === undefined ? "token" : "login";
      return refuse(new AskboxError("UNAUTHORIZED", `The hub does not know this ${what}.`));
    }
    if (!identity.scopes.includes(hello.role)) {
      return refuse(new AskboxError("FORBIDDEN", `This token may not connect as ${hello.role}.`));
    }
    if (hello.role === "desk" && hello.surface === undefined) {
      return refuse(new AskboxError("VALIDATION", "A desk must give its surface in the hello."));
    }
    return welcome(hello, identity);
  };
  /** The hub proves itself first, so that a page reveals nothing to another server. */
  const admit = async (login: LoginHello): Promise<Identity | undefined> => {
    const asked = await options.challenge?.(login);
    if (asked === undefined || !isWaiting()) return undefined;
    state = "challenged";
    const answer = new Promise<string>((resolve) => {
      proved = resolve;
    });
    channel.send(JSON.stringify({ challenge: asked.challenge }));
    const text = await answer;
    const read = proofSchema.safeParse(byteLength(text) > MAX_HELLO_BYTES ? undefined : readJsonObject(text));
    return read.success ? asked.admit(read.data.proof) : undefined;
  };
  // A function, since the compiler would assume the state from before the await.
  const isWaiting = () => state === "authenticating";

  const welcome = (hello: Hello, identity: Identity) => {
    cancelHelloTimer();
    state = "open";
    const shared = {
      maxMessageBytes: options.maxMessageBytes ?? defaults.maxMessageBytes,
      maxFrameBytes: options.maxFrameBytes ?? defaults.maxFrameBytes,
      maxBufferedBytes: options.maxBufferedBytes ?? defaults.maxBufferedBytes,
      maxActive: options.maxActive ?? defaults.maxActive,
      channel,
      log,
      hangUp,
      admit: options.admit && ((bytes: number) => options.admit?.(bytes)),
    };
    const by = hello.role === "desk" ? answererOf(hello, identity) : undefined;
    connection = by === undefined ? talkToAsker(shared, identity.owner) : talkToDesk(shared, by, identity.onBehalf === true);
    alive = keepAlive({
      clock,
      idleTimeout: options.idleTimeout ?? DEFAULT_IDLE_TIMEOUT,
      ping: (n) => channel.send(JSON.stringify({ ping: n })),
      dead: () => hangUp(closeCodes.unresponsive, "The connection was idle for too long."),
    });
    log("debug", "A channel is open", { role: hello.role, agent: hello.agent.name, version: hello.agent.version });
    channel.send(JSON.stringify({ welcome: { protocol: hello.protocol, hub: options.hub, by, ...(by && { holds: heldMethods }) } }));
  };
  const talkToAsker = (shared: Shared, owner: string) => {
    const asker = options.asker(owner);
    closePort = () => asker.close?.();
    return openConnection({ ...shared, role: "asker", calls: askerCalls(asker, options) });
  };
  const talkToDesk = (shared: Shared, by: Answerer, onBehalf: boolean) => {
    const desk = options.desk(by);
    closePort = () => desk.close?.();
    const { maxBufferedBytes } = shared;
    const onStuck = () => hangUp(closeCodes.unresponsive, UNREAD);
    const deskFor: DeskFor = async (person, use) => {
      if (person === undefined) return use(desk);
      if (!onBehalf) throw onlyForItself();
      const named = options.desk({ ...by, name: person.name });
      try {
        return await use(named);
      } finally {
        named.close?.();
      }
    };
    const calls = deskCalls(desk, deskFor, options, (id, filter, signal) => {
      const outlet = {
        send: (event: string) => channel.send(`{"watch":${id},"event":${event}}`),
        get bufferedAmount() {
          return channel.bufferedAmount ?? 0;
        },
      };
      return eventFeed({ desk, filter, outlet, clock, maxBufferedBytes, onStuck, signal, log });
    });
    return openConnection({ ...shared, role: "desk", calls });
  };

  /** An unexpected message may end its own connection, but never the hub. */
  const failed = (thrown: unknown) => {
    log("error", "A message failed", { error: toAskboxError(thrown).message });
    refuse(new AskboxError("INTERNAL", "The hub failed; its log says why."));
  };

  channel.onClose(end);
  channel.onMessage((text) => {
    if (state === "open") {
      alive?.onActivity();
      try {
        connection?.receive(text);
      } catch (thrown) {
        failed(thrown);
      }
    } else if (state === "hello") {
      greet(text).catch((thrown: unknown) => {
        // Tokens cannot be verified right now, or this one has too much in progress.
        if (isAskboxError(thrown, "STORE_UNAVAILABLE") || isAskboxError(thrown, "RATE_LIMITED")) return refuse(thrown);
        failed(thrown);
      });
    } else if (state === "challenged") {
      state = "authenticating";
      proved(text);
    } else if (state === "authenticating") {
      refuse(new AskboxError("VALIDATION", "Wait for the welcome before you send more."), closeCodes.malformed);
    }
  });

  return {
    closed: closed.promise,
    cut: (reason) => hangUp(closeCodes.refused, reason),
    async bye(reason) {
      if (state === "closed") return;
      channel.send(JSON.stringify({ bye: reason }));
      await connection?.finish();
      hangUp(closeCodes.closing, reason);
    },
  };
}

type Shared = Omit<ConnectionOptions, "role" | "calls">;

function answererOf({ surface = "api", name: ownName }: Hello, identity: Identity): Answerer {
  const { name: person, tokenName, onBehalf } = identity;
  const name = person ?? (onBehalf ? ownName : undefined) ?? tokenName ?? ownName;
  return { surface, name };
}

function mismatch(wanted: number, protocols: readonly number[], { hub, makeWay = "Update the hub" }: WireHandlerOptions): AskboxError {
  const newest = Math.max(...protocols);
  const advice = wanted > newest ? makeWay : "Update the askbox that connects";
  const sentence = `The hub (version ${hub.version}) does not speak protocol ${wanted}. ${advice}, and try again.`;
  return new AskboxError("PROTOCOL_MISMATCH", sentence, { details: { protocols, hub: { version: hub.version, instance: hub.instance } } });
}
