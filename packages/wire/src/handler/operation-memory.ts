import type { Clock } from "@askbox/core";

export interface OperationMemoryOptions {
  clock: Clock;
  /** For each owner and role. Default 1,000. */
  maxEntries?: number;
  /** Characters of kept replies for each owner and role. Default 4,194,304. */
  maxSize?: number;
  /** Milliseconds after which a reply is forgotten. Default 600,000: far longer than a client tries to come back. */
  ttl?: number;
}

/**
 * What a hub remembers of the operations it has carried out, so that one that is sent again after a broken connection is carried
 * out once. One memory serves all channels of a hub. It is bounded for each owner, so that no asker can push out another's.
 */
export interface OperationMemory {
  /** Runs the operation, or gives the reply (a JSON text) that it gave, or is about to give, before. */
  run(owner: string, op: string, operation: () => Promise<string>): Promise<string>;
}

interface Entry {
  reply: Promise<string>;
  /** 0 while it runs. */
  size: number;
  at: number;
}

interface OwnerMemory {
  entries: Map<string, Entry>;
  size: number;
}

export function createOperationMemory({
  clock,
  maxEntries = 1_000,
  maxSize = 4_194_304,
  ttl = 600_000,
}: OperationMemoryOptions): OperationMemory {
  const owners = new Map<string, OwnerMemory>();

  const forget = (memory: OwnerMemory, op: string, entry: Entry) => {
    memory.entries.delete(op);
    memory.size -= entry.size;
  };
  const tidy = (owner: string, memory: OwnerMemory) => {
    // A Map keeps the order of insertion, so the oldest come first. One that still runs is kept: its reply is owed.
    for (const [op, entry] of memory.entries) {
      const isOver = memory.entries.size > maxEntries || memory.size > maxSize;
      if (!isOver && clock.monotonic() - entry.at < ttl) break;
      if (entry.size > 0) forget(memory, op, entry);
    }
    if (memory.entries.size === 0) owners.delete(owner);
  };

  return {
    async run(owner, op, operation) {
      const memory = owners.get(owner) ?? { entries: new Map<string, Entry>(), size: 0 };
      owners.set(owner, memory);
      const known = memory.entries.get(op);
      if (known !== undefined) return known.reply;
      const entry: Entry = { reply: operation(), size: 0, at: clock.monotonic() };
      memory.entries.set(op, entry);
      const reply = await entry.reply;
      entry.size = reply.length;
      memory.size += reply.length;
      for (const [name, other] of owners) tidy(name, other);
      return reply;
    },
  };
}
