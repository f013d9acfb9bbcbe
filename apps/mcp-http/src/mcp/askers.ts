import type { Asker } from "@askbox/core";
import type { MountContext } from "@askbox/hub";

/** The broker's askers for tokens, held to the hub's limits. */
export interface Askers {
  of(owner: string): Asker;
  /** Ends the waits of all. */
  close(): void;
}

export function createAskers({ broker, limits }: MountContext): Askers {
  type Port = ReturnType<typeof broker.asker>;
  const ports = new Map<string, { port: Port; limited: Asker }>();
  const create = (owner: string) => {
    const port = broker.asker(owner);
    const limited: Asker = {
      async open(request, options) {
        await limits.checkAsk(owner, options.asker.agentId, Buffer.byteLength(JSON.stringify(request)));
        return port.open(request, options);
      },
      wait: (id, options) => port.wait(id, options),
      withdraw: (id, options) => port.withdraw(id, options),
      delivered: (id, options) => port.delivered(id, options),
      earlier: (asker) => port.earlier(asker),
    };
    return { port, limited };
  };
  return {
    of(owner) {
      const known = ports.get(owner) ?? create(owner);
      ports.set(owner, known);
      return known.limited;
    },
    close() {
      for (const { port } of ports.values()) port.close();
    },
  };
}
