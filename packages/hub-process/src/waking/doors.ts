// The doors of conversations: programs at a client that wait here, over HTTP, while the conversation has an open question. A client that can't be
// written to from outside is woken by what such a program does when its request is answered.
//
// - `POST /hooks/wake` with the client and its conversation, or the sessions whose tickets it holds. It is answered with 204 when there is
//   nothing to wait for (any more), and with words when there is news. A newer door of the same conversation takes the place of an older one.
// - A door that is told to fetch (`nudge`) is done once its response was delivered: the outcome is delivered by `get_answer`. A door that was given
//   the outcome (`message`) says in a second request that its client has it. It gets that only of a ticket which it holds: that its conversation
//   has asked is otherwise only what the asker says.
// - A door that ends first leaves the waking as failed: whether the client got it is not known, so it is not tried again.

import type { WakeWay } from "@askbox/clients/wake";
import type { Clock, Log, SessionRecord, SessionStore } from "@askbox/core";
import { type ClientName, clientNames, clientTitle, knownClient } from "@askbox/core/clients";
import { type BegunWaking, wakeable } from "@askbox/core/hubs";
import type { MountService } from "@askbox/hub";
import { fetchWords, type WakeWords } from "@askbox/mcp";
import * as z from "zod";
import { readBody } from "../approvals/read-body.ts";

const requestSchema = z.union([
  z.object({
    client: z.enum(clientNames),
    conversation: z.string().min(1).max(200).optional(),
    sessions: z.array(z.string().min(1).max(100)).max(20).default([]),
  }),
  /** The client has the message of this waking. */
  z.object({ done: z.string().min(1).max(200) }),
]);

/** Milliseconds in which a client must say that it has a message. */
const confirmWithin = 10_000;
/** Pending sessions that are looked through for those of a conversation. */
const maxPending = 1_000;
const maxDoors = 500;

interface Door {
  owner: string;
  client: ClientName;
  conversation: string | undefined;
  sessions: ReadonlySet<string>;
  /** The pending sessions of its conversation. */
  open: Set<string>;
  /** Answers its request; resolves with whether the whole response was delivered. Undefined: there is nothing to wait for. */
  answer(told: object | undefined): Promise<boolean>;
}

export interface DoorsOptions {
  store: Pick<SessionStore, "list" | "get">;
  clock: Pick<Clock, "setTimer">;
  log: Log;
  ways: Readonly<Partial<Record<ClientName, WakeWay>>>;
  words(session: SessionRecord): Promise<WakeWords>;
  levelFor(session: SessionRecord): "off" | "open" | "gone";
  /** A door has opened: these sessions may have news for it. */
  onOpened(sessions: readonly string[]): void;
}

export class Doors {
  readonly #options: DoorsOptions;
  readonly #open = new Set<Door>();
  /** Messages that a client was given and has not confirmed, by their waking. */
  readonly #given = new Map<string, { owner: string; confirm(isTaken: boolean): void }>();

  constructor(options: DoorsOptions) {
    this.#options = options;
  }

  has(session: SessionRecord): boolean {
    return this.#of(session) !== undefined;
  }

  /** A session has changed: a door that waits for nothing else is closed. */
  changed(record: SessionRecord): void {
    for (const door of this.#open) {
      if (!isOf(door, record)) continue;
      if (record.state === "pending") door.open.add(record.id);
      // While it is being woken, this door may be what wakes it.
      else if (wakeable(record) === undefined && record.waking?.state !== "started") door.open.delete(record.id);
      if (door.open.size === 0) void this.#shut(door);
    }
  }

  /** Gives what has begun to its door. Resolves with whether it was given; if not, the waking is dropped. */
  async give(begun: BegunWaking): Promise<boolean> {
    const { session } = begun;
    const door = this.#of(session);
    if (door === undefined || !begun.isOurs()) return begun.drop().then(() => false);
    // Synchronously with the check, so that it gets nothing else.
    this.#open.delete(door);
    const isNudge = this.#options.ways[door.client]?.listens === "nudge";
    const isHolder = door.sessions.has(session.id);
    const { text, isWhole } =
      isNudge || !isHolder ? { text: fetchWords([session.id]), isWhole: false } : await this.#options.words(session);
    const confirmed = isNudge ? undefined : this.#confirmation(begun.id, door.owner);
    const isDelivered = await door.answer({ words: text, id: begun.id, sessionId: session.id });
    const isTaken = isDelivered && (confirmed === undefined || (await confirmed));
    await begun.end(isTaken ? { delivered: isWhole } : { why: "Its client ended before it took the message." });
    return true;
  }

  /** The service that doors are opened at. */
  readonly mount: MountService = ({ authorize, limits, closing, delivered }) => ({
    paths: ["/hooks/wake"],
    fetch: async (request) => {
      const { owner } = await authorize(request, "asker");
      const read = requestSchema.safeParse(request.method === "POST" ? await readBody(request, limits.requestBytes) : undefined);
      if (!read.success) return new Response(null, { status: 400 });
      if ("done" in read.data) {
        const given = this.#given.get(read.data.done);
        if (given?.owner === owner) given.confirm(true);
        return new Response(null, { status: 204 });
      }
      const signal = AbortSignal.any([request.signal, closing]);
      const told = await this.#wait({ owner, ...read.data }, signal, () => delivered(request));
      return told === undefined ? new Response(null, { status: 204 }) : Response.json(told);
    },
    close: async () => this.close(),
  });

  close(): void {
    for (const door of [...this.#open]) void this.#shut(door);
    for (const { confirm } of this.#given.values()) confirm(false);
  }

  #of(session: SessionRecord): Door | undefined {
    for (const door of this.#open) if (isOf(door, session)) return door;
    return undefined;
  }

  async #wait(
    asked: { owner: string; client: ClientName; conversation?: string | undefined; sessions: readonly string[] },
    signal: AbortSignal,
    isDelivered: () => Promise<boolean>,
  ): Promise<object | undefined> {
    const { log } = this.#options;
    const { promise, resolve } = Promise.withResolvers<object | undefined>();
    const door: Door = {
      owner: asked.owner,
      client: asked.client,
      conversation: asked.conversation,
      sessions: new Set(asked.sessions),
      open: new Set(),
      answer(told) {
        resolve(told);
        return told === undefined ? Promise.resolve(false) : isDelivered();
      },
    };
    const waiting = await this.#openFor(door);
    if (waiting.length === 0 || signal.aborted) return undefined;
    for (const id of waiting) door.open.add(id);
    for (const other of [...this.#open]) {
      if (other.owner === door.owner && other.client === door.client && isSameDoor(other, door)) void this.#shut(other);
    }
    if (this.#open.size >= maxDoors) {
      log("warn", "Too many clients wait for answers; one of them was sent away", { client: door.client });
      return undefined;
    }
    this.#open.add(door);
    const leave = () => void this.#shut(door);
    signal.addEventListener("abort", leave, { once: true });
    this.#options.onOpened(waiting);
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** The sessions that a door could get something of. */
  async #openFor(door: Door): Promise<string[]> {
    const { store, levelFor } = this.#options;
    const isWorth = (record: SessionRecord | undefined): record is SessionRecord =>
      record !== undefined &&
      isOf(door, record) &&
      levelFor(record) !== "off" &&
      (record.state === "pending" || wakeable(record) !== undefined);
    const named = await Promise.all([...door.sessions].map((id) => store.get(id)));
    const query = { owner: door.owner, limit: maxPending, order: "newest" } as const;
    const pages =
      door.conversation === undefined
        ? []
        : await Promise.all([store.list({ ...query, states: ["pending"] }), store.list({ ...query, undelivered: true })]);
    return [...new Set([...named, ...pages.flatMap(({ sessions }) => sessions)].filter(isWorth).map(({ id }) => id))];
  }

  #shut(door: Door): Promise<boolean> {
    this.#open.delete(door);
    return door.answer(undefined);
  }

  #confirmation(id: string, owner: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cancel = this.#options.clock.setTimer(confirmWithin, () => resolve(false));
    this.#given.set(id, { owner, confirm: resolve });
    return promise.finally(() => {
      cancel();
      this.#given.delete(id);
    });
  }
}

/** askbox's name for the client that an asker names: its hooks and its servers may name it differently. */
export function clientOf(name: string): ClientName | undefined {
  const known = clientNames.find((each) => each === name);
  if (known !== undefined) return known;
  const reported = knownClient(name)?.name;
  return reported === undefined ? undefined : clientNames.find((each) => clientTitle(each) === clientTitle(reported));
}

/** Whether a session's agent is behind this door: one of the same client, since another would get words that are not for it. */
const isOf = (door: Door, { id, owner, asker }: SessionRecord): boolean =>
  door.owner === owner &&
  door.client === clientOf(asker.client.name) &&
  (door.sessions.has(id) || (door.conversation !== undefined && door.conversation === asker.conversation));

const isSameDoor = (one: Door, other: Door): boolean =>
  (one.conversation !== undefined && one.conversation === other.conversation) || [...one.sessions].some((id) => other.sessions.has(id));
