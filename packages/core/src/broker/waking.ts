import { resumeOf } from "../clients/known.ts";
import type { Outlook } from "../ports/desk.ts";
import type { BegunWaking } from "../ports/waking.ts";
import type { SessionRecord, Waking } from "../session/record.ts";
import { type WakeOptions, wakeable } from "../session/wakeable.ts";
import { cut } from "../texts.ts";
import { isUnderWay, withDelivered } from "./asking-again.ts";
import { changeSession } from "./change.ts";
import type { BrokerContext } from "./context.ts";

/**
 * The law of waking an agent, whatever the way: at most once for what it is given, never while a call of its gets it, never with what it
 * already has.
 *
 * 1. `wakeable` says what of a session has not been delivered, and was not the reason of an earlier waking.
 * 2. `beginWaking` takes it as a call would: it is in flight, so that no call gets it unasked meanwhile. Then it writes `started` by
 *    compare-and-set. Only who has written that may act.
 * 3. `end` writes how it went, and that it was delivered if the agent was given it.
 *
 * A hub that is killed after 2 leaves `started`. Nobody acts again, and the outcome is still undelivered: the agent's next call gets it.
 */

/** How long a sentence about a failure may be. */
const maxWhy = 500;
/** How often what is in flight to a waking is taken again, in ms: less than a call may take to acknowledge. */
const renewEvery = 2_000;

/** How the agent will get what a person sends: see `Desk.outlook`. */
export async function outlookOf({ agents, presence, waker }: BrokerContext, record: SessionRecord): Promise<Outlook> {
  const { asker, id } = record;
  const registered = (await agents.list()).find((agent) => agent.id === asker.agentId);
  const resume = resumeOf(asker, registered);
  const isWaiting = presence.of(id).asker === "attached";
  const seen = isWaiting ? ({ client: "busy", next: "waits" } as const) : await waker?.outlook(record);
  return { client: "unknown", next: "next_call", ...seen, ...(resume && { resume }) };
}

/** See above; undefined if a call gets it, there is nothing to wake for, or another hub was faster. */
export async function beginWaking(
  context: BrokerContext,
  id: string,
  how: Waking["how"],
  options: WakeOptions = {},
): Promise<BegunWaking | undefined> {
  const { clock, ids, inFlight, leases, waits } = context;
  if (isUnderWay(context, id) || waits.isPolled(id, clock.monotonic())) return undefined;
  const holder = {};
  inFlight.begin(id, holder);
  let waking: Waking | undefined;
  let session: SessionRecord | undefined;
  try {
    if (await leases.claim(id)) {
      session = await changeSession(context, id, (record) => {
        const given = wakeable(record, options);
        waking = undefined;
        if (given === undefined) return undefined;
        const { sessionId: _, ...what } = given;
        waking = { id: ids.call(), state: "started", how, at: clock.now(), given: what };
        return { ...record, waking };
      });
    }
  } catch (error) {
    inFlight.release(id, holder);
    throw error;
  }
  if (session === undefined || waking === undefined) {
    inFlight.release(id, holder);
    return undefined;
  }
  const [begun, own] = [session, waking];
  const isOurs = () => inFlight.recordOf(id, holder) !== undefined;
  inFlight.begin(id, holder, begun);
  let cancel = () => {};
  const renew = () => {
    cancel = clock.setTimer(renewEvery, () => {
      if (!isOurs()) return;
      inFlight.begin(id, holder, begun);
      renew();
    });
  };
  renew();
  const write = async (change: (record: SessionRecord, isPresent: boolean) => SessionRecord | undefined) => {
    try {
      await changeSession(context, id, (record) => change(record, record.waking?.id === own.id && record.waking.state === "started"));
    } finally {
      cancel();
      inFlight.release(id, holder);
    }
  };
  return {
    id: own.id,
    session: begun,
    isOurs,
    end: ({ why, delivered = false }) =>
      write((record, isPresent) => {
        const given = delivered ? withDelivered(record, { sessionId: id, ...own.given }, { callId: own.id, at: clock.now() }) : undefined;
        if (!isPresent) return given;
        const state = why === undefined ? ("woken" as const) : ("failed" as const);
        return { ...(given ?? record), waking: { ...own, state, ...(why !== undefined && { why: cut(why, maxWhy) }) } };
      }),
    drop: () =>
      write((record, isPresent) => {
        if (!isPresent) return undefined;
        const { waking: _, ...rest } = record;
        return rest;
      }),
  };
}
