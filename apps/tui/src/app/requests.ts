/**
 * What the screen asks of the hub besides answers: pages of the history, and messages to agents. A late answer
 * to an earlier search is dropped, and a message that is sent again stays the same message.
 */

import { randomUUID } from "node:crypto";
import { type CancelTimer, type Clock, type Desk, type SessionView, toAskboxError } from "@askbox/core";
import { type AnswerFile, isDenied } from "@askbox/core/questions";
import type { Ending, HistoryState } from "../model/ui-state.ts";

const page = 100;
/** Pages that are read for one with something in it. */
const maxPages = 20;
const settled = ["answered", "cancelled", "timed_out"] as const;
/** Debounce between a key and its search, in milliseconds. */
const searchAfter = 120;

/** Settled sessions, searched by the hub; late responses to an earlier search are dropped. */
export class History {
  readonly #desk: Desk;
  readonly #clock: Clock;
  readonly #change: (change: (present: HistoryState) => HistoryState) => void;
  #asked = 0;
  #cancelTimer: CancelTimer | undefined;

  constructor(desk: Desk, clock: Clock, change: (change: (present: HistoryState) => HistoryState) => void) {
    this.#desk = desk;
    this.#clock = clock;
    this.#change = change;
  }

  search(query: string, ending: Ending | undefined): void {
    this.#cancelTimer?.();
    this.#change((present) => ({ ...present, query, ending, loading: true }));
    this.#cancelTimer = this.#clock.setTimer(query === "" ? 0 : searchAfter, () => void this.#load(query, ending));
  }

  more({ query, ending, nextCursor, loading }: HistoryState): void {
    if (nextCursor === undefined || loading) return;
    this.#change((present) => ({ ...present, loading: true }));
    void this.#load(query, ending, nextCursor);
  }

  async #load(query: string, ending: Ending | undefined, cursor?: string): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const items: SessionView[] = [];
      let nextCursor = cursor;
      // The hub counts a denied action as answered, so that pages may have none of them.
      for (let read = 0; read === 0 || (read < maxPages && items.length === 0 && nextCursor !== undefined); read += 1) {
        const found = await this.#desk.list({
          statuses: ending === undefined ? settled : [ending === "denied" ? "answered" : ending],
          limit: page,
          ...(query.trim() === "" ? {} : { text: query.trim() }),
          cursor: nextCursor,
        });
        if (asked !== this.#asked) return;
        const isWanted = (session: SessionView) => session.status !== "answered" || isDenied(session) === (ending === "denied");
        items.push(...(ending === undefined ? found.items : found.items.filter(isWanted)));
        nextCursor = found.nextCursor;
      }
      const before = (present: HistoryState) => (cursor === undefined ? [] : present.items);
      this.#change((present) => ({ query, ending, items: [...before(present), ...items], nextCursor, loading: false, failure: undefined }));
    } catch (error) {
      if (asked === this.#asked) this.#change((present) => ({ ...present, loading: false, failure: toAskboxError(error).message }));
    }
  }
}

/** A message from the user to an agent. */
export interface Message {
  session: string;
  text: string;
  about: string | undefined;
  files?: readonly AnswerFile[];
}

/** Sends messages to agents. A message keeps its key until the hub accepts it, so a retry is not a second message. */
export class Messages {
  readonly #desk: Desk;
  readonly #tries = new Map<string, { content: string; key: string }>();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  send({ session, text, about, files }: Message): Promise<SessionView> {
    const message = { text, questionId: about, ...(files && { files: [...files] }) };
    return this.#once(session, message, (idempotencyKey) => this.#desk.askBack(session, message, { idempotencyKey }));
  }

  /** Writes to an agent's conversation. */
  sendToAgent(id: string, text: string): Promise<SessionView> {
    return this.#once(id, text, (idempotencyKey) => this.#desk.message(id, text, { idempotencyKey }));
  }

  async #once(to: string, message: unknown, send: (key: string) => Promise<SessionView>): Promise<SessionView> {
    const before = this.#tries.get(to);
    const content = JSON.stringify(message);
    const present = before?.content === content ? before : { content, key: randomUUID() };
    this.#tries.set(to, present);
    const view = await send(present.key);
    if (this.#tries.get(to) === present) this.#tries.delete(to);
    return view;
  }
}
