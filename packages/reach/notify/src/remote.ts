import { isAskboxError, type SessionView } from "@askbox/core";
import { denialOf } from "@askbox/core/questions";
import { isForPerson, isWanted, requestOf, shownUrl, type Target } from "./channels/index.ts";
import { post } from "./channels/post.ts";
import { type EventType, eventOf, forgetSession, messageEventOf, type NotifyEvent } from "./event.ts";
import { warnOnceTo } from "./failures.ts";
import type { Follower, NotifyOptions, RemoteOptions } from "./options.ts";
import { type Delivery, type DeliveryResult, Queue, type QueueStatus } from "./queue.ts";
import { stateFile } from "./state-file.ts";

/** A delivery in the outbox. `to`: the target's URL. */
type Stored = Delivery & { to: string };

/** `target`: its URL. */
export type RemoteStatus = QueueStatus & { target: string };

/** What is sent to people is announced, if nobody has seen it; these events are not. */
const unannounced: readonly EventType[] = ["session.asked_back"];

/** Notifies programs of all events, and people of those that aren't announced. Undefined if there is nobody to notify. */
export async function startRemote(
  { desk, clock, log, meter }: NotifyOptions,
  options: RemoteOptions,
): Promise<(Follower & { status(): RemoteStatus[]; tell(target: Target, event: NotifyEvent): void }) | undefined> {
  const { claim = async () => true, fetch = globalThis.fetch, random } = options;
  const targets = options.targets
    .map((target) => (isForPerson(target) ? { ...target, events: target.events.filter((type) => unannounced.includes(type)) } : target))
    .filter(({ events }) => events.length > 0);
  if (targets.length === 0) return undefined;
  const file = stateFile(
    options.file,
    {
      unreadable: "The pending webhooks could not be read.",
      unsaved: "The pending webhooks could not be saved; some may be lost after a restart.",
    },
    warnOnceTo(log),
  );
  const stored = (await file.load()) as { told?: unknown; waiting?: unknown } | null | undefined;
  /** Pending sessions whose opening event was created, and the messages that were, as the session's id, a dot and the message's. */
  const told = new Set(listOf(stored?.told, (id) => typeof id === "string"));
  /** Events for which the sending hub is not decided yet; a restart treats them as new. */
  const undecided = new Map<string, "session.opened" | "session.settled">();
  const save = () =>
    file.save(() => {
      const settling = [...undecided].flatMap(([id, type]) => (type === "session.settled" ? [id] : []));
      return {
        told: [...told, ...settling].filter((id) => undecided.get(id) !== "session.opened"),
        waiting: receivers.flatMap(({ target, queue }) =>
          queue.waiting.map(({ event, attempts, dueAt }): Stored => ({ to: target.url, event, attempts, dueAt })),
        ),
      };
    });
  const receivers = targets.map((target) => {
    const send = async ([event]: readonly [NotifyEvent], signal: AbortSignal) =>
      post(requestOf(target, event, clock.now()), clock, fetch, signal);
    const onResult = (result: DeliveryResult) => meter?.(target.kind, result);
    const options = { clock, log, noun: "webhook", shown: shownUrl(target), atOnce: 4, send, random, onChange: save, onResult };
    return { target, queue: new Queue(options) };
  });
  // Drops deliveries to targets that were removed from the config.
  for (const { to, ...delivery } of listOf(stored?.waiting, isStored)) {
    for (const { target, queue } of receivers) if (target.url === to) queue.resume(delivery);
  }

  let isClosed = false;
  const publish = async (event: NotifyEvent): Promise<void> => {
    const wanting = receivers.filter(({ target }) => isWanted(target, event));
    if (wanting.length === 0 || !(await claimed(event.id)) || isClosed) return;
    for (const { queue } of wanting) queue.add(event);
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
  const followMessages = (session: SessionView) => {
    for (const message of session.thread ?? []) {
      const event = messageEventOf(session, message);
      if (told.has(event.id)) continue;
      told.add(event.id);
      // If the hub stops before this, the message event is lost; the session's next event contains the whole thread.
      void publish(event).finally(save);
    }
  };
  const follow = (type: "session.opened" | "session.settled", session: SessionView) => {
    if (type === "session.opened") told.add(session.id);
    else forgetSession(told, session.id);
    undecided.set(session.id, type);
    void publish(eventOf(type, session)).finally(() => {
      if (undecided.get(session.id) === type) undecided.delete(session.id);
      save();
    });
  };
  const consider = (session: SessionView) => {
    if (denialOf(session) !== undefined) return;
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
      forgetSession(told, id);
    }
  };
  return {
    onEvent(event) {
      if (isClosed) return;
      if (event.type === "session") {
        // A session that settled before it was known here has no duplicates to avoid.
        if (event.session.status === "pending" || told.has(event.session.id)) consider(event.session);
      } else if (event.type === "snapshot") {
        const pending = new Set(event.sessions.map(({ id }) => id));
        for (const id of told) if (!id.includes(".") && !pending.has(id)) void catchUp(id);
        for (const session of event.sessions) consider(session);
      } else if (event.type === "removed" && forgetSession(told, event.sessionId)) save();
    },
    tell: (to, event) => receivers.find(({ target }) => target === to)?.queue.add(event),
    status: () => receivers.map(({ target, queue }) => ({ target: target.url, ...queue.status() })),
    async close() {
      isClosed = true;
      await Promise.all(receivers.map(({ queue }) => queue.close()));
      save();
      await file.written();
    },
  };
}

const listOf = <Item>(list: unknown, isItem: (item: unknown) => item is Item): Item[] => (Array.isArray(list) ? list.filter(isItem) : []);

function isStored(value: unknown): value is Stored {
  const { to, event, attempts, dueAt } = (value ?? {}) as Partial<Record<keyof Stored, unknown>>;
  const { id, type, session } = (event ?? {}) as Partial<Record<keyof NotifyEvent, unknown>>;
  const isEvent = typeof id === "string" && typeof type === "string" && typeof (session as { id?: unknown } | undefined)?.id === "string";
  return typeof to === "string" && typeof attempts === "number" && typeof dueAt === "number" && isEvent;
}
