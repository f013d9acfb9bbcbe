// What a request does at the hub: most call a port's method with the parameters of their row, some have a handler of their own.

import type { Agents, Desk, Opened, Signal, WatchFilter } from "@askbox/core";
import { AskboxError, type RelayedAsker } from "@askbox/core/transport";
import type * as z from "zod";
import { type OperationName, operations, personSchema, type Role } from "../protocol/operations.ts";
import type { Ports } from "../protocol/ports.ts";
import type { EventFeed } from "./event-feed.ts";
import type { WireHandlerOptions } from "./options.ts";

type Row<Name extends OperationName> = (typeof operations)[Name];

/** The context of a call. */
export interface CallContext {
  id: number;
  /** The id by which a repeated request is recognized. */
  op: string | undefined;
  /** Reports that an ask's questions are open, before its result. */
  opened(opened: Opened): void;
  /** Aborts when the request is cancelled or the channel closes. */
  signal: AbortSignal;
  /** Keeps the request open after its reply, until it is cancelled or the channel closes; `end` is called once then. */
  hold(end: () => void): void;
}

type OwnNames<Who extends Role> = {
  [Name in OperationName]: Row<Name> extends { role: Who; call: null } ? Name : never;
}[OperationName];

/** How a connection serves its role. The type ensures that no operation is missing, and that those of other roles cannot be called. */
export interface CallsOf<Who extends Role> {
  /** The operations that take more than a call of a port. */
  own: {
    readonly [Name in OwnNames<Who>]: (
      params: z.output<Row<Name>["params"]>,
      context: CallContext,
    ) => Promise<z.input<Row<Name>["result"]>>;
  };
  /** All others, with parsed parameters. */
  perform(name: OperationName, params: Readonly<Record<string, unknown>>, context: CallContext): Promise<unknown>;
}

/** The context of an operation: the key of a request that may be repeated, and when its caller stops waiting. */
interface PerformContext {
  op?: string | undefined;
  signal?: Signal | undefined;
}

/**
 * Calls the port's method of an operation with its parsed parameters. `Ports` makes sure that the ports fit the table; the compiler cannot
 * follow a name that is only known at run time.
 */
export function perform(
  ports: Partial<Ports<"parsed">>,
  name: OperationName,
  params: Readonly<Record<string, unknown>>,
  { op, signal }: PerformContext = {},
): Promise<unknown> {
  const { call, args, repeat } = operations[name];
  const [portName = "", method = ""] = call?.split(".") ?? [];
  const options = Object.fromEntries(Object.entries(params).filter(([key]) => key !== "by" && !args.some((arg) => arg === key)));
  if (repeat !== "read" && op !== undefined) options["idempotencyKey"] = op;
  if (repeat === "held") options["signal"] = signal;
  const port: object = Reflect.get(ports, portName);
  // Not awaited here, which would keep the parameters in memory for as long as the call waits.
  const called: Promise<unknown> = Reflect.apply(Reflect.get(port, method), port, [...args.map((key) => params[key]), options]);
  return called.then(orNull);
}

const orNull = (result: unknown): unknown => result ?? null;

/** Serves an asker. */
export function askerCalls(asker: RelayedAsker, { ids, control }: WireHandlerOptions): CallsOf<"asker"> {
  const ports: Ports<"parsed", "asker"> = { asker, forms: asker.forms ?? noForms };
  return {
    perform: (name, params, context) => perform(ports, name, params, context),
    own: {
      async ask({ sessionId, request, asker: info, key, registeredOnly, replaces, maxWait, earlier }, { op, signal, opened }) {
        const wait = { signal, maxWait, earlier };
        if (sessionId !== undefined) return asker.resume(sessionId, { asker: info, ...wait });
        // The client has checked the request, but may be hostile, so it is parsed again as input.
        const { parseAsk } = await import("./ask-input.ts");
        const checked = parseAsk(request, { ids, longQuestions: true });
        return asker.ask(checked, { asker: info, key, registeredOnly, replaces, idempotencyKey: op, onOpened: opened, ...wait });
      },
      async ack({ given, calls = [], ...options }) {
        for (const end of calls) control.called?.(end);
        await asker.acknowledge(given, options);
        return null;
      },
      async called(end) {
        control.called?.(end);
        return null;
      },
    },
  };
}

const noForms: Ports<"parsed", "asker">["forms"] = {
  allowed: async () => false,
  async answered() {
    throw new AskboxError("FORBIDDEN", "Answers from a client's own form are not accepted here.");
  },
};

/** Uses the connection's own desk, or that of the named person. Rejects with `FORBIDDEN` if the token may name nobody. */
export type DeskFor = <Result>(person: { name: string } | undefined, use: (desk: Desk) => Promise<Result>) => Promise<Result>;

/** The error for a request that names a person with a token that may not. */
export const onlyForItself = (): AskboxError =>
  new AskboxError(
    "FORBIDDEN",
    "This token can only answer for itself; to name a person, use one that was created to answer on behalf of others.",
  );

/** Serves a desk. */
export function deskCalls(
  own: Desk,
  deskFor: DeskFor,
  {
    control,
    agents = noAgents,
    grants = noGrants,
    ran = noRan,
    devices = noDevices,
  }: Pick<WireHandlerOptions, "control" | "agents" | "grants" | "ran" | "devices">,
  feed: (id: number, filter: WatchFilter, signal: AbortSignal) => Promise<EventFeed>,
): CallsOf<"desk"> {
  const portsOf = (desk: Desk): Ports<"parsed", "desk"> => ({
    desk,
    agents,
    grants,
    ran,
    devices,
    control: { status: async () => ({ ...(await control.status()) }), stop: () => control.stop() },
  });
  return {
    perform: (name, { by, ...params }, context) => deskFor(personSchema.parse(by), (desk) => perform(portsOf(desk), name, params, context)),
    own: {
      async watch(filter, { id, hold, signal }) {
        const { close } = await feed(id, filter, signal);
        hold(close);
        return null;
      },
      async attend({ sessionId }, { hold }) {
        hold(await own.attend(sessionId));
        return null;
      },
    },
  };
}

const noDevices: NonNullable<WireHandlerOptions["devices"]> = { list: async () => [], revoke: async () => false };
const noGrants: NonNullable<WireHandlerOptions["grants"]> = { list: async () => [], remove: async () => false };
const noRan: NonNullable<WireHandlerOptions["ran"]> = { list: async () => ({ isOn: false, items: [] }) };
const refuse = async () => {
  throw new AskboxError("FORBIDDEN", "This hub does not register agents; it accepts any agent id.");
};
const noAgents: Agents = { list: async () => [], add: refuse, remove: refuse };
