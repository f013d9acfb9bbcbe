import type { Log } from "@askbox/core";
import type { WebhookEvent } from "../event.ts";
import type { Delivery } from "./delivery.ts";

/** Stores which events were announced and which deliveries are pending; one text, written as a whole. */
export interface OutboxStorage {
  /** Undefined if nothing is stored. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** The state needed after a restart. */
export interface Kept {
  /** Pending sessions whose opening event was created. */
  told: string[];
  waiting: Delivery[];
}

/** Persists the deliveries. Writes are sequential; changes during a write go into the next one. */
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

  /** The stored state; unreadable parts are dropped. */
  async load(): Promise<Kept> {
    try {
      const { told, waiting } = JSON.parse((await this.#storage.read()) ?? "{}") as Record<keyof Kept, unknown>;
      return {
        told: Array.isArray(told) ? told.filter((id) => typeof id === "string") : [],
        waiting: Array.isArray(waiting) ? waiting.filter(isDelivery) : [],
      };
    } catch (error) {
      this.#warn("The pending webhooks could not be read.", error);
      return { told: [], waiting: [] };
    }
  }

  save(read: () => Kept): void {
    this.#isStale = true;
    this.#writing ??= this.#write(read).finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves once everything is written. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #write(read: () => Kept): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      try {
        await this.#storage.write(JSON.stringify(read()));
      } catch (error) {
        this.#warn("The pending webhooks could not be saved; some may be lost after a restart.", error);
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
