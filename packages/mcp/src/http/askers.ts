import type { Asker } from "@askbox/core";
import type { AuthInfo } from "@modelcontextprotocol/server";
import type { McpHost, Owner } from "./host.ts";

/** What the endpoint has put into the SDK's account of a request. */
export function ownerOf({ clientId, extra }: AuthInfo): Owner {
  const agentId = extra?.["agentId"];
  return { owner: clientId, ...(typeof agentId === "string" && { agentId }) };
}

/** The broker's askers for tokens, held to the hub's limits. */
export interface Askers {
  of(owner: Owner): Asker;
  /** Ends the waits of one token. */
  end(owner: string): void;
  /** Ends the waits of all. */
  close(): void;
}

export function createAskers({ asker }: McpHost): Askers {
  const ports = new Map<string, ReturnType<McpHost["asker"]>>();
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
        port.close();
      }
    },
    close() {
      for (const port of ports.values()) port.close();
    },
  };
}
