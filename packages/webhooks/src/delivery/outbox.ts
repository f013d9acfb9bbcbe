import type { Log } from "@askbox/core";
import type { WebhookEvent } from "../event.ts";
import type { Delivery } from "./delivery.ts";

/** Where it is kept what has been told and what is still on its way; one text, written whole. */
export interface OutboxStorage {
  /** Undefined if nothing has been kept. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** What a restart has to know. */
export interface Kept {
  /** Pending sessions whose opening has been told or is on its way. */
  told: string[];
  waiting: Delivery[];
}

/** Keeps the deliveries over a restart. Writes follow each other, and what changes during one is in the next. */
export class Outbox {
  readonly #storage: OutboxStorage;
  readonly #log: Log;
  #writing: Promise<void> | undefined;
  #isStale = false;
  #warned = false;

  constructor(storage: OutboxStorage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  /** What was kept; nothing of what cannot be read. */
  async load(): Promise<Kept> {
    try {
      const { told, waiting } = JSON.parse((await this.#storage.read()) ?? "{}") as Record<keyof Kept, unknown>;
      return {
        told: Array.isArray(told) ? told.filter((id) => typeof id === "string") : [],
        waiting: Array.isArray(waiting) ? waiting.filter(isDelivery) : [],
      };
    } catch (error) {
      this.#warn("Which webhooks were on their way cannot be read.", error);
      return { told: [], waiting: [] };
    }
  }

  save(read: () => Kept): void {
    this.#isStale = true;
    this.#writing ??= this.#write(read).finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when all that was saved is written. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #write(read: () => Kept): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      try {
        await this.#storage.write(JSON.stringify(read()));
      } catch (error) {
        this.#warn("Which webhooks are on their way cannot be kept; after a restart some may be missing.", error);
      }
    }
  }

  #warn(message: string, error: unknown): void {
    if (!this.#warned) this.#log("warn", message, { error: String(error) });
    this.#warned = true;
  }
}

function isDelivery(value: unknown): value is Delivery {
  const { to, event, attempts, dueAt } = (value ?? {}) as Partial<Record<keyof Delivery, unknown>>;
  const { id, type, session } = (event ?? {}) as Partial<Record<keyof WebhookEvent, unknown>>;
  const isEvent = typeof id === "string" && typeof type === "string" && typeof (session as { id?: unknown } | undefined)?.id === "string";
  return typeof to === "string" && typeof attempts === "number" && typeof dueAt === "number" && isEvent;
}
