import { randomUUID } from "node:crypto";
import type { Desk, SessionView } from "@askbox/core";

/** A message from the user to an agent. */
export interface Message {
  session: string;
  text: string;
  about: string | undefined;
}

/** Sends messages to agents. A message keeps its key until the hub accepts it, so a retry is not a second message. */
export class Messages {
  readonly #desk: Desk;
  readonly #tries = new Map<string, { text: string; about: string | undefined; key: string }>();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  async send({ session, text, about }: Message): Promise<SessionView> {
    const before = this.#tries.get(session);
    const present = before?.text === text && before.about === about ? before : { text, about, key: randomUUID() };
    this.#tries.set(session, present);
    const message = { text, questionId: about };
    const view = await this.#desk.askBack(session, message, { idempotencyKey: present.key });
    if (this.#tries.get(session) === present) this.#tries.delete(session);
    return view;
  }
}
