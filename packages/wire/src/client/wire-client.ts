// A remote hub as the core's ports: their methods are the rows of the table of operations, sent over one link that connects when needed. A
// request waits for a connection and is repeated as its row says; a hub that would misread one, being older, is not sent it.

import type { Agents, Asker, Desk, Grants } from "@askbox/core";
import type { RanLog } from "@askbox/core/grants";
import { AskboxError, silentLog, toAskboxError } from "@askbox/core/transport";
import type { HubInfo } from "../protocol/messages.ts";
import { operationNames, operations } from "../protocol/operations.ts";
import type { Ports } from "../protocol/ports.ts";
import type { ToolCallEnd, WireDevice } from "../protocol/schemas.ts";
import { Calls } from "./calls.ts";
import { endedCalls } from "./ended-calls.ts";
import { createLink, type Link, unreachable } from "./link.ts";
import { LiveViews } from "./live-views.ts";
import { clientDefaults, type WireClientOptions, type WireState } from "./options.ts";
import { remoteAsker } from "./remote-asker.ts";

/** Called with each change of state; `closed` comes with the reason, unless it was closed by `close`. */
export type StateListener = (state: WireState, error?: AskboxError) => void;

/**
 * A remote hub. The client connects when first needed and reconnects automatically as long as a request, a watch or an attendance needs it. If
 * the hub rejects the hello, the client closes, and everything then rejects with that error.
 */
export interface WireClient extends AsyncDisposable {
  /** For a client whose hello has the role `asker`; otherwise its methods reject with `FORBIDDEN`. */
  readonly asker: Asker;
  /** For a client whose hello has the role `desk`; otherwise its methods reject with `FORBIDDEN`. */
  readonly desk: Desk;
  /**
   * The desk as used by this person, over the same connection: for a token that may name people, such as one created with `--on-behalf`. With
   * another token, everything that changes something rejects with `FORBIDDEN`.
   */
  deskFor(name: string): Desk;
  /** The registered agents; for the role `desk`. */
  readonly agents: Agents;
  /** What people have allowed in advance; for the role `desk`. */
  readonly grants: Pick<Grants, "list" | "remove">;
  /** What ran without a person; for the role `desk`. */
  readonly ran: Pick<RanLog, "list">;
  /** The logged-in browsers; for the role `desk`. `revoke` logs one out permanently, and returns false if there is none. */
  readonly devices: { list(): Promise<WireDevice[]>; revoke(id: string): Promise<boolean> };
  /** For the role `desk`. */
  readonly control: {
    status(): Promise<Record<string, unknown>>;
    /** Resolves when the hub has begun to stop. */
    stop(): Promise<void>;
  };
  /** For the role `asker`: reports a finished tool call to the hub for its metrics. A report that finds it disconnected is dropped. */
  called(end: ToolCallEnd): void;
  /** Connects, and resolves with the hub's description. Throws `HUB_UNREACHABLE`, `UNAUTHORIZED`, `FORBIDDEN`, `PROTOCOL_MISMATCH`. */
  ready(): Promise<HubInfo>;
  state(): WireState;
  /**
   * Why the client is not connected: the error that closed it, or of the last attempt, or how the connection was lost. Undefined while
   * connected, and before the first attempt. If the hub said why it closes the connection, `details.bye` is its reason.
   */
  failure(): AskboxError | undefined;
  /** Returns a function that unsubscribes. */
  onState(listener: StateListener): () => void;
  /** Disconnects; requests in progress reject with `ABORTED`. */
  close(): void;
}

/**
 * Creates a client for a hub's wire, which connects when first used and reconnects automatically. Its `asker` and `desk` are the core's ports.
 *
 * @example
 * ```ts
 * import { standardPlatform } from "@askbox/core/transport";
 * import { createWireClient, openWebSocket } from "@askbox/wire";
 *
 * const { desk } = createWireClient({
 *   ...standardPlatform(globalThis),
 *   connect: () => openWebSocket(new WebSocket("ws://127.0.0.1:4141/ws")),
 *   hello: { role: "desk", surface: "api", token: "…", agent: { name: "my-script", version: "1.0.0" } },
 * });
 * ```
 */
export function createWireClient(options: WireClientOptions): WireClient {
  const { clock, ids, log = silentLog, timeout = clientDefaults.timeout } = options;
  const listeners = new Set<StateListener>();
  let info: HubInfo | undefined;
  let holds: readonly string[] = [];
  /** The error with which everything rejects from now on. */
  let over: AskboxError | undefined;
  let refusal: AskboxError | undefined;
  let failure: AskboxError | undefined;
  let operations = 0;
  const self = ids.session();

  const calls: Calls = new Calls({
    clock,
    timeout,
    nextOp() {
      operations += 1;
      return `${self}-${operations}`;
    },
    send: (message) => link.send(message),
    isOpen: () => link.isOpen(),
    wake() {
      if (over === undefined) return link.wake(calls.size === 1 && views.size === 0);
      const error = over;
      queueMicrotask(() => calls.rejectAll(error));
    },
    misread(method, params) {
      const { delay = 0 } = Object(params);
      return delay === 0 || holds.includes(method) ? undefined : cannotHold(method);
    },
  });
  const views = new LiveViews({ calls, clock, send: (message) => link.send(message), log });
  const finish = (error: AskboxError) => {
    over = error;
    views.clear();
    calls.rejectAll(error);
  };
  const link: Link = createLink(options, {
    isNeeded: () => calls.size > 0 || views.size > 0,
    opened(welcome) {
      info = welcome.hub;
      holds = welcome.holds ?? ["answer"];
      calls.connectionOpened();
      views.opened();
    },
    message(message) {
      if ("watch" in message) return views.event(message.watch, message.event);
      if ("opened" in message) return calls.opened(message.id, message.opened);
      if ("error" in message) return calls.reply(message.id, { error: AskboxError.fromJSON(message.error) });
      return calls.reply(message.id, message);
    },
    lost(error) {
      failure = error;
      views.lost();
      calls.lost();
    },
    attemptFailed(error) {
      failure = error;
      calls.attemptFailed(error);
    },
    refused(error) {
      refusal = error;
      failure = error;
      finish(error);
    },
    stateChanged(state) {
      if (state === "open") failure = undefined;
      for (const listener of [...listeners]) {
        try {
          listener(state, refusal);
        } catch (error) {
          log("error", "A listener for the connection's state failed", { error: toAskboxError(error).message });
        }
      }
    },
  });

  const close = () => {
    if (over !== undefined) return;
    ended.flush();
    finish(new AskboxError("ABORTED", "The connection to the hub was closed here."));
    link.close();
  };
  const ended = endedCalls(clock, (end) => {
    // An older hub does not know this method.
    if (link.isOpen()) calls.call("called", { params: () => end }).result.catch(() => {});
  });
  const { asker, forms, desk, agents, grants, ran, devices, control } = remotePorts(calls);
  const live: Pick<Desk, "watch" | "attend"> = {
    watch: (filter, listener) => views.watch(filter, listener),
    attend: (sessionId) => views.attend(sessionId),
  };
  return {
    agents,
    grants,
    ran,
    devices,
    control,
    asker: remoteAsker(calls, { asker, forms }, clock, ended),
    desk: { ...desk, ...live },
    deskFor: (name) => ({ ...remotePorts(calls, { name }).desk, ...live }),
    called: ended.add,
    async ready() {
      await calls.connected();
      if (info === undefined) throw unreachable("it was lost at once");
      return info;
    },
    state: () => link.state(),
    failure: () => failure,
    onState(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close,
    [Symbol.asyncDispose]: async () => close(),
  };
}

const cannotHold = (method: string): AskboxError =>
  new AskboxError("PROTOCOL_MISMATCH", `This hub is older and cannot hold back what ${method} does. Update it, or leave out the delay.`);

/** The ports of a hub. `by` is the person on whose behalf they act, if that is not who connected. */
function remotePorts(calls: Calls, by?: { name: string }): Ports<"sent"> {
  // keys: the ports of our own operations.
  const ports: Record<string, Record<string, unknown>> = {};
  for (const name of operationNames) {
    const { call, args, params: schema } = operations[name];
    if (call === null) continue;
    const [port = "", method = ""] = call.split(".");
    const who = "by" in schema.shape && { by };
    ports[port] ??= {};
    ports[port][method] = async (...values: unknown[]) => {
      const { idempotencyKey: op, ...options } = Object(values[args.length]);
      const params = { ...Object.fromEntries(args.map((key, at) => [key, values[at]])), ...options, ...who };
      return (await calls.call(name, { params: () => params, op }).result) ?? undefined;
    };
  }
  // Built from the same table as the type.
  return ports as Ports<"sent">;
}
