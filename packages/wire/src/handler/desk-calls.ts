import { type Agents, AskboxError, type Desk, type WatchFilter } from "@askbox/core";
import type { CallsOf } from "./calls.ts";
import type { EventFeed } from "./event-feed.ts";
import type { WireHandlerOptions } from "./options.ts";

/** Uses the connection's own desk, or that of the named person. Rejects with `FORBIDDEN` if the token may name nobody. */
export type DeskFor = <Result>(person: { name: string } | undefined, use: (desk: Desk) => Promise<Result>) => Promise<Result>;

/** The error for a request that names a person with a token that may not. */
export const onlyForItself = (): AskboxError =>
  new AskboxError(
    "FORBIDDEN",
    "This token can only answer for itself; to name a person, use one created with `askbox token create --on-behalf`.",
  );

/** The methods of a desk. */
export function deskCalls(
  desk: Desk,
  deskFor: DeskFor,
  {
    control,
    agents = noAgents,
    grants = noGrants,
    devices = noDevices,
  }: Pick<WireHandlerOptions, "control" | "agents" | "grants" | "devices">,
  feed: (id: number, filter: WatchFilter, signal: AbortSignal) => Promise<EventFeed>,
): CallsOf<"desk"> {
  return {
    list: (query) => desk.list(query),
    get: ({ sessionId }) => desk.get(sessionId),
    tally: ({ days }) => desk.tally(days),
    async watch(filter, { id, hold, signal }) {
      const { close } = await feed(id, filter, signal);
      hold(close);
      return null;
    },
    answer: ({ sessionId, set, delay, by }, { op }) => deskFor(by, (desk) => desk.answer(sessionId, set, { delay, idempotencyKey: op })),
    recall: ({ sessionId, by }, { op }) => deskFor(by, (desk) => desk.recall(sessionId, { idempotencyKey: op })),
    cancel: ({ sessionId, reason, by }, { op }) => deskFor(by, (desk) => desk.cancel(sessionId, { reason, idempotencyKey: op })),
    extend: ({ sessionId, timeout, by }, { op }) => deskFor(by, (desk) => desk.extend(sessionId, { timeout, idempotencyKey: op })),
    getDraft: async ({ sessionId }) => (await desk.getDraft(sessionId)) ?? null,
    saveDraft: ({ sessionId, patch, by }) => deskFor(by, (desk) => desk.saveDraft(sessionId, patch)),
    reply: ({ sessionId, set, by }, { op }) => deskFor(by, (desk) => desk.reply(sessionId, set, { idempotencyKey: op })),
    askBack: ({ sessionId, message, by }, { op }) => deskFor(by, (desk) => desk.askBack(sessionId, message, { idempotencyKey: op })),
    async attend({ sessionId }, { hold }) {
      hold(await desk.attend(sessionId));
      return null;
    },
    listAgents: () => agents.list(),
    addAgent: ({ agent }) => agents.add(agent),
    removeAgent: ({ id }) => agents.remove(id),
    listGrants: () => grants.list(),
    revokeGrant: ({ id }) => grants.remove(id),
    listDevices: () => devices.list(),
    revokeDevice: ({ id }) => devices.revoke(id),
    status: async () => ({ ...(await control.status()) }),
    async stop() {
      await control.stop();
      return null;
    },
  };
}

const noDevices: NonNullable<WireHandlerOptions["devices"]> = { list: async () => [], revoke: async () => false };
const noGrants: NonNullable<WireHandlerOptions["grants"]> = { list: async () => [], remove: async () => false };
const refuse = async () => {
  throw new AskboxError("FORBIDDEN", "This hub does not register agents; it accepts any agent id.");
};
const noAgents: Agents = { list: async () => [], add: refuse, remove: refuse };
