import { type Clock, type Desk, type DeskEvent, isAskboxError, type Log, type SessionView } from "@askbox/core";
import type { Target } from "./channels/kinds.ts";
import { eventOf, isWanted, messageEventOf, type WebhookEvent } from "./event.ts";
import type { TargetStatus } from "./queue/delivery.ts";
import { type Kept, Outbox, type OutboxStorage } from "./queue/outbox.ts";
import { TargetQueue } from "./queue/target-queue.ts";
import type { Fetch } from "./request/send.ts";

export interface WebhooksOptions {
  desk: Pick<Desk, "watch" | "get">;
  targets: readonly Target[];
  storage: OutboxStorage;
  clock: Clock;
  log: Log;
  /** Whether this hub sends the event. If several hubs share an inbox, only one of them returns true. Default: always. */
  claim?: ((eventId: string) => Promise<boolean>) | undefined;
  fetch?: Fetch;
  random?: () => number;
}

export interface Webhooks {
  status(): TargetStatus[];
  /** Stops watching and aborts all requests; undelivered events are stored for the next start. */
  close(): Promise<void>;
}

/**
 * Notifies targets of sessions that open and settle: at least once each, also across restarts, in the background. Delivery failures are
 * logged and have no other effect. Only throws what the desk's `watch` throws.
 */
export async function startWebhooks(options: WebhooksOptions): Promise<Webhooks> {
  const { desk, targets, storage, clock, log, claim = async () => true, fetch = globalThis.fetch, random = Math.random } = options;
  if (targets.length === 0) return { status: () => [], close: async () => {} };
  const outbox = new Outbox(storage, log);
  const { told: kept, waiting } = await outbox.load();
  const told = new Set(kept);
  /** Events for which the sending hub is not decided yet; a restart treats them as new. */
  const undecided = new Map<string, "session.opened" | "session.settled">();
  const save = () =>
    outbox.save((): Kept => {
      const settling = [...undecided].flatMap(([id, type]) => (type === "session.settled" ? [id] : []));
      return {
        told: [...told, ...settling].filter((id) => undecided.get(id) !== "session.opened"),
        waiting: queues.flatMap((queue) => [...queue.waiting]),
      };
    });
  const queues = targets.map((target) => new TargetQueue(target, { clock, log, fetch, random, onChange: save }));
  // Drops deliveries to targets that were removed from the config.
  for (const delivery of waiting) for (const queue of queues) if (queue.target.url === delivery.to) queue.resume(delivery);

  let isClosed = false;
  const publish = async (event: WebhookEvent): Promise<void> => {
    const wanting = queues.filter(({ target }) => isWanted(target, event));
    if (wanting.length === 0 || !(await claimed(event.id)) || isClosed) return;
    for (const queue of wanting) queue.add(event);
  };
  const claimed = async (eventId: string): Promise<boolean> => {
    try {
      return await claim(eventId);
    } catch (error) {
      // Sending twice is better than not at all; receivers recognize an event by its id.
      log("warn", "It is unknown whether another hub sends an event; this one sends it.", { error: String(error) });
      return true;
    }
  };
  /** The messages of each open session that were sent, stored among the announced events as the session's id, a dot and the message id. */
  const followMessages = (session: SessionView) => {
    for (const message of session.thread ?? []) {
      const event = messageEventOf(session, message);
      if (told.has(event.id)) continue;
      told.add(event.id);
      // If the hub stops before this, the message event is lost; the session's next event contains the whole thread.
      void publish(event).finally(save);
    }
  };
  const forget = (id: string): boolean => {
    for (const known of told) if (known.startsWith(`${id}.`)) told.delete(known);
    return told.delete(id);
  };
  const follow = (type: "session.opened" | "session.settled", session: SessionView) => {
    if (type === "session.opened") told.add(session.id);
    else forget(session.id);
    undecided.set(session.id, type);
    void publish(eventOf(type, session)).finally(() => {
      if (undecided.get(session.id) === type) undecided.delete(session.id);
      save();
    });
  };
  const consider = (session: SessionView) => {
    const isPending = session.status === "pending";
    const isKnown = told.has(session.id);
    // A session that continued a thread sends its messages with its opening.
    if (isPending && !isKnown) for (const { id } of session.thread ?? []) told.add(`${session.id}.${id}`);
    else followMessages(session);
    if (isPending !== isKnown) follow(isPending ? "session.opened" : "session.settled", session);
  };
  /** A session that was open when the hub last ran, and was settled in between. */
  const catchUp = async (id: string): Promise<void> => {
    try {
      consider(await desk.get(id));
    } catch (error) {
      if (!isAskboxError(error, "SESSION_NOT_FOUND")) log("warn", "A session's outcome could not be sent.", { error: String(error) });
      forget(id);
    }
  };
  const onEvent = (event: DeskEvent): void => {
    if (isClosed) return;
    if (event.type === "session") {
      // A session that settled before it was known here has no duplicates to avoid.
      if (event.session.status === "pending" || told.has(event.session.id)) consider(event.session);
    } else if (event.type === "snapshot") {
      const pending = new Set(event.sessions.map(({ id }) => id));
      for (const id of told) if (!id.includes(".") && !pending.has(id)) void catchUp(id);
      for (const session of event.sessions) consider(session);
    } else if (event.type === "removed" && forget(event.sessionId)) save();
  };

  const watch = await desk.watch({}, onEvent);
  return {
    status: () => queues.map((queue) => queue.status()),
    async close() {
      isClosed = true;
      watch.close();
      for (const queue of queues) queue.close();
      save();
      await outbox.written();
    },
  };
}
