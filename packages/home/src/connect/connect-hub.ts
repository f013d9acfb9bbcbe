import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { AskboxError, isAskboxError, type Surface, standardPlatform, toAskboxError } from "@askbox/core";
import { backOff } from "@askbox/core/transport";
import type { Channel, Circumstances, WireClient } from "@askbox/wire";
import { type FindHubOptions, type FoundHub, findHub, removedThere } from "./find-hub.ts";
import { isOlder, replaceOlderHub } from "./health.ts";
import { addressOf, mayPass } from "./probe-hub.ts";

/** The maximum message size from a hub; the largest are list pages of about 10 MB. */
const largestMessage = 64 * 1_024 * 1_024;
/** Timeout of one attempt, in ms: a hub may have to be started within it. */
const attemptTimeout = 20_000;
/** How often a hub may exit between lookup and connection before the first connection fails. */
const maxVanished = 3;
/** The wire client's default, in ms. */
const clientTimeout = 60_000;
const pauses = { first: 100, max: 5_000 };
/** How long a lost hub of another machine is looked for, in ms: no question is open for longer, and a laptop there may sleep meanwhile. */
const joinedTimeout = 1_800_000;

export interface ConnectHubOptions extends FindHubOptions {
  /** Where the person answers; required for a desk. */
  surface?: Surface;
  /** The person's or device's name. */
  name?: string;
  /** The client program. */
  agent: { name: string; version: string };
  /** How long to look for a lost hub, in ms, before calls fail with `HUB_UNREACHABLE`; default 60,000. */
  timeout?: number;
  /**
   * Whether a configured hub that is not available yet is treated like a lost one, instead of failing at once. Errors that a person must
   * fix, such as the address of another server, fail at once in any case. Default false.
   */
  retryFirst?: boolean | undefined;
  /** Called with the reason of each failed attempt, while `retryFirst` has another made. */
  onMissed?: ((error: AskboxError) => void) | undefined;
  /**
   * Whether to replace an unused older hub of this home, if `start` allows. Requires the desk's token, which an agent's server must not
   * read. Default false.
   */
  replaceOlder?: boolean | undefined;
  /** Called with a sentence that the person should see, such as that the hub is older than this program. */
  notice?: ((sentence: string) => void) | undefined;
  /** The wire protocol to speak; default the newest. */
  protocol?: number | undefined;
}

/**
 * Connects to the hub, starting this home's own if `start` allows. Reconnects automatically: the hub's address and token are read again each
 * time, and a hub that exited is started again, unless it was stopped on purpose. Throws what `findHub` throws, and `PROTOCOL_MISMATCH`.
 */
export async function connectHub(options: ConnectHubOptions): Promise<WireClient> {
  const { role, surface, name, agent, log, signal, timeout, protocol } = options;
  // Loaded here, while the hub is looked up, so that a program that may never need a hub starts fast.
  const loading = Promise.all([import("@askbox/wire"), import("ws")]);
  const open = async ({ url, fingerprint }: FoundHub): Promise<Channel> => {
    const [wire, { WebSocket }] = await loading;
    const { url: address, socketPath } = addressOf(url, "/ws");
    address.protocol = address.protocol.replace("http", "ws");
    const how = { perMessageDeflate: false, maxPayload: largestMessage, handshakeTimeout: 5_000 };
    const pinned = fingerprint === undefined ? {} : await (await import("./probe-hub.ts")).pinnedTo(fingerprint);
    const local = socketPath === undefined ? {} : { createConnection: () => connect(socketPath) };
    return wire.openWebSocket(new WebSocket(address, { ...how, ...pinned, ...local }));
  };

  // The first attempt is made here, since the caller should get its error at once.
  let { hub, channel: first } = await findAndOpen(options, open);
  const [wire] = await loading;
  const { clock, ids } = standardPlatform(globalThis);
  const client = wire.createWireClient({
    async connect(circumstances) {
      const channel = first;
      first = undefined;
      if (channel !== undefined) return channel;
      hub = await findAgain(options, circumstances);
      return open(hub);
    },
    hello: () => ({
      token: hub.token,
      role,
      agent,
      ...(surface && { surface }),
      name,
      protocol,
    }),
    clock,
    ids,
    attemptTimeout,
    log,
    timeout: hub.joined && role === "asker" && timeout !== 0 ? joinedTimeout : timeout,
  });
  const abort = () => client.close();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    await client.ready();
    return client;
  } catch (error) {
    client.close();
    if (signal?.aborted) throw new AskboxError("ABORTED", "Connecting to the hub was cancelled.", { cause: error });
    throw named(error, hub, options);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** A hub that passed the health check but refuses the connection has ended in between, so the lookup starts again. */
async function findAndOpen(
  options: ConnectHubOptions,
  open: (hub: FoundHub) => Promise<Channel>,
): Promise<{ hub: FoundHub; channel: Channel | undefined }> {
  const { retryFirst = false, timeout = clientTimeout, signal } = options;
  const deadline = retryFirst ? performance.now() + timeout : 0;
  for (let failures = 1, vanished = 0; ; failures += 1) {
    let hub: FoundHub | undefined;
    try {
      hub = await findFitting(options);
      return { hub, channel: await open(hub) };
    } catch (error) {
      if (hub !== undefined) vanished += 1;
      const isVanished = vanished > 0 && vanished < maxVanished && isAskboxError(error, "HUB_UNREACHABLE");
      const delay = Math.random() * backOff(pauses, failures);
      const isAwaited = mayPass(error) && performance.now() + delay < deadline;
      if (!isAwaited && !isVanished) throw error;
      options.log?.("debug", "The hub was not reached", { error: String(error), failures });
      options.onMissed?.(toAskboxError(error));
      // Full jitter, so that the clients of an unavailable hub do not all reconnect at once.
      if (isAwaited) await pause(delay, undefined, { signal }).catch(() => {});
    }
  }
}

/** The hub, or its replacement if this home's own was older than this program and unused. */
async function findFitting(options: ConnectHubOptions): Promise<FoundHub> {
  const { agent, env = process.env, start, hubCommand, replaceOlder, notice, log } = options;
  const found = await findHub(options);
  const { own } = found;
  if (!replaceOlder || !start || hubCommand === undefined || own === undefined || !isOlder(own.version, agent.version)) return found;
  const connectDesk = (protocol: number | undefined) =>
    connectHub({ role: "desk", surface: "cli", agent, env, log, signal: options.signal, timeout: 0, protocol });
  const isGone = await replaceOlderHub({ hub: own, version: agent.version, connectDesk, env, notice, log });
  return isGone ? findHub(options) : found;
}

/** Called after a loss. Aborting the first connection does not affect later ones. */
async function findAgain(options: ConnectHubOptions, { wasStopped }: Circumstances): Promise<FoundHub> {
  try {
    return await findHub({ ...options, signal: undefined, ...(wasStopped && { start: false }) });
  } catch (error) {
    if (!wasStopped || !isAskboxError(error, "HUB_UNREACHABLE")) throw error;
    throw new AskboxError(
      "HUB_UNREACHABLE",
      "The askbox hub was stopped and not started again; start it with `askbox hub`. The question is kept there.",
      { cause: error },
    );
  }
}

/** The hub's own message does not know which token it was and where it came from. */
function named(error: unknown, { url, own, joined }: FoundHub, { role, token, tokenFile, env = process.env }: ConnectHubOptions): unknown {
  if (!isAskboxError(error)) return error;
  if (joined?.isOwnToken && error.code === "UNAUTHORIZED") return removedThere(url, error);
  const may = role === "desk" ? "ask but not see or answer questions" : "answer but not ask";
  if (!token && !tokenFile && env["ASKBOX_TOKEN"] && ["UNAUTHORIZED", "FORBIDDEN"].includes(error.code)) {
    const fault = error.code === "UNAUTHORIZED" ? "that the hub does not know" : `that may ${may}`;
    return new AskboxError(error.code, `ASKBOX_TOKEN holds a token ${fault} (${url}); unset it, or set it to one of the right kind.`, {
      cause: error,
    });
  }
  if (own !== undefined) return error;
  if (error.code === "UNAUTHORIZED") {
    return new AskboxError("UNAUTHORIZED", `The hub at ${url} does not know this token; correct --token-file or ASKBOX_TOKEN.`, {
      cause: error,
    });
  }
  if (error.code !== "FORBIDDEN") return error;
  return new AskboxError("FORBIDDEN", `This token may ${may} at the hub at ${url}; give one of the other kind.`, { cause: error });
}
