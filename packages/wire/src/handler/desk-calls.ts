import type { Agents, Desk, WatchFilter } from "@askbox/core";
import { AskboxError } from "@askbox/core/transport";
import { personSchema } from "../protocol/operations.ts";
import type { Ports } from "../protocol/ports.ts";
import type { CallsOf } from "./calls.ts";
import type { EventFeed } from "./event-feed.ts";
import type { WireHandlerOptions } from "./options.ts";
import { perform } from "./perform.ts";

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
    devices = noDevices,
  }: Pick<WireHandlerOptions, "control" | "agents" | "grants" | "devices">,
  feed: (id: number, filter: WatchFilter, signal: AbortSignal) => Promise<EventFeed>,
): CallsOf<"desk"> {
  const portsOf = (desk: Desk): Ports<"parsed", "desk"> => ({
    desk,
    agents,
    grants,
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
const refuse = async () => {
  throw new AskboxError("FORBIDDEN", "This hub does not register agents; it accepts any agent id.");
};
const noAgents: Agents = { list: async () => [], add: refuse, remove: refuse };
