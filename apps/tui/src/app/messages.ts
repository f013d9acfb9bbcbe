import { randomUUID } from "node:crypto";
import type { Desk, SessionView } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";

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
