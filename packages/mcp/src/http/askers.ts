import type { Asker } from "@askbox/core";
import type { Owner } from "./owner.ts";

/** An asker of one owner; `close` ends its waits. */
export type OwnedAsker = Asker & { close?(): void };

/** The asker of each owner and agent, created when it first asks. */
export interface Askers {
  of(owner: Owner): Asker;
  /** Ends the waits of one owner. */
  end(owner: string): void;
  /** Ends the waits of all. */
  close(): void;
}

export function createAskers(asker: OwnedAsker | ((owner: Owner) => OwnedAsker)): Askers {
  if (typeof asker !== "function") return { of: () => asker, end: () => {}, close: () => asker.close?.() };
  const ports = new Map<string, OwnedAsker>();
  return {
    of(owner) {
      const key = JSON.stringify([owner.owner, owner.agentId]);
      const port = ports.get(key) ?? asker(owner);
      ports.set(key, port);
      return port;
    },
    end(owner) {
      for (const [key, port] of [...ports]) {
        if (JSON.parse(key)[0] !== owner) continue;
        ports.delete(key);
        port.close?.();
      }
    },
    close() {
      for (const port of ports.values()) port.close?.();
    },
  };
}
