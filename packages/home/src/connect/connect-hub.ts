import { AskboxError, type Surface, standardPlatform } from "@askbox/core";
import type { Channel, WireClient } from "@askbox/wire";
import { type FindHubOptions, type FoundHub, findHub } from "./find-hub.ts";

/** The largest message that is taken from a hub: a snapshot of 10,000 sessions has some 20 MB. */
const largestMessage = 256 * 1_024 * 1_024;
/** How long one attempt may take, in ms: a hub may have to be started within it. */
const attemptTimeout = 20_000;

export interface ConnectHubOptions extends FindHubOptions {
  /** Where the person answers; a desk must say it. */
  surface?: Surface;
  /** The person's or device's name. */
  name?: string;
  /** The program that connects. */
  agent: { name: string; version: string };
  /** How long a lost hub is looked for, in ms, before calls fail with `HUB_UNREACHABLE`; default 60,000. */
  patience?: number;
}

/**
 * Connects to the hub, starting this home's own if `start` allows. Reconnects by itself: the hub's address and token are read anew each time,
 * and a hub that went away is started again. Throws what `findHub` throws, and `PROTOCOL_MISMATCH`.
 */
export async function connectHub(options: ConnectHubOptions): Promise<WireClient> {
  const { role, surface, name, agent, log, signal, patience } = options;
  // Loaded here, so that a program that may never need a hub does not pay for them when it starts.
  const [wire, { WebSocket }] = await Promise.all([import("@askbox/wire"), import("ws")]);
  const open = ({ url }: FoundHub): Promise<Channel> => {
    const address = new URL("/ws", url.replace(/^http/, "ws"));
    return wire.openWebSocket(new WebSocket(address, { perMessageDeflate: false, maxPayload: largestMessage, handshakeTimeout: 5_000 }));
  };

  // The first time by ourselves, since what is wrong then is the caller's to know at once.
  let hub = await findHub(options);
  let first: Channel | undefined = await open(hub);
  const { clock, ids } = standardPlatform(globalThis);
  const client = wire.createWireClient({
    async connect() {
      const channel = first;
      first = undefined;
      if (channel !== undefined) return channel;
      // What aborts the first connection has no say over later ones.
      hub = await findHub({ ...options, signal: undefined });
      return open(hub);
    },
    hello: () => ({ token: hub.token, role, agent, ...(surface && { surface }), ...(name !== undefined && { name }) }),
    clock,
    ids,
    random: Math.random,
    attemptTimeout,
    ...(log && { log }),
    ...(patience !== undefined && { patience }),
  });
  const abort = () => client.close();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    await client.ready();
    return client;
  } catch (error) {
    client.close();
    if (signal?.aborted) throw new AskboxError("ABORTED", "The connection to the hub was called off.", { cause: error });
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
