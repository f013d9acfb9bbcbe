import type { Asker, Broker, Platform, SharedState } from "@askbox/core";

/** Whose calls they are. */
export interface Owner {
  owner: string;
  agentId?: string;
}

/** What the transport needs of whoever mounts it. */
export interface McpHost {
  broker: Pick<Broker, "id" | "isAlive" | "released">;
  platform: Platform;
  /** What several hubs over one store share; nothing where there is only one. */
  shared: SharedState | undefined;
  limits: {
    /** Throws `PAYLOAD_TOO_LARGE`. */
    checkSize(bytes: number): void;
  };
  /** How the owner's agents ask. */
  asker(owner: Owner): Asker & { close(): void };
}
